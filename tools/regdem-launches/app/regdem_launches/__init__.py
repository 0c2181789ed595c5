# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes how a program launches its kernels, for the compiler to know.

Python's standard library only, so that it runs wherever Python does.
"""


class LaunchesError(Exception):
    """What is wrong and what to do about it, in one line for the user."""
