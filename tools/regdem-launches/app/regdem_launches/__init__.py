# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes how a program launches its kernels, for the compiler to know.

Python's standard library only, so that it runs wherever Python does.
"""
