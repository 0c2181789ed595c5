# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what RegDem did with a program's kernels, from the reports of a build.

Python's standard library only, so that it runs wherever Python does.
"""
