#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler that refuses to spill to shared memory, and writes no code.
# Arguments: -v -arch=… FILE -o /dev/null
if grep -q 'pragma "enable_smem_spilling"' "$3"; then
  echo "ptxas fatal   : unknown pragma" && exit 255
fi
echo "    8 bytes stack frame, 400 bytes spill stores, 400 bytes spill loads"
echo "ptxas info    : Used 24 registers, used 0 barriers, 1024 bytes smem"
