# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what limits a program's kernels and whether spilling matters, by the
counters that Nsight Compute reads.

Python's standard library only, so that it runs wherever Python does.
"""
