# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building and reading the benchmarks; standard library only."""
