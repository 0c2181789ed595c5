# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people read of the results: the report and its parts."""
