#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler whose figures lead to one decision. It leaves local spill, and
# none where it is asked to spill to shared memory if $PREFER is "pragma"; else
# it refuses the pragma.
# Arguments: -v -arch=… FILE -o /dev/null
spill=400 shared=1024
grep -q __regdem_slots_ "$3" && spill=200
if grep -q 'pragma "enable_smem_spilling"' "$3"; then
  [ "$PREFER" = pragma ] || { echo "ptxas fatal   : unknown pragma" && exit 255; }
  spill=0 shared=2048
fi
echo "    8 bytes stack frame, $spill bytes spill stores, $spill bytes spill loads"
echo "ptxas info    : Used 24 registers, used 0 barriers, $shared bytes smem"
