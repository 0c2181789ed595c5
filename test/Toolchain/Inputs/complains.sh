#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler that refuses the code, in several lines.
echo "ptxas fatal   : no license for 100% of %s"
echo "ptxas fatal   : Ptx assembly aborted due to errors" >&2
exit 255
