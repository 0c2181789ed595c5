# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the variants of a program's kernels and writes a profile.

Python's standard library only: the machine with the GPU may have nothing else.
"""
