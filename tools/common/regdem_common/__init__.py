# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegDem's Python tools and the benchmarks share: RegDem's reports, and
what Nsight Compute's counters say about local memory.

Python's standard library only. Nothing here ends the program.
"""
