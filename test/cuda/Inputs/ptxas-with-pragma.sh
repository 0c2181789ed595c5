#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler whose figures lead to one decision. It leaves local spill, and
# none where it is asked to spill to shared memory if $PREFER is "pragma", or
# "both" and the code has slots as well; else it refuses the pragma.
# Arguments: -v -arch=… FILE -o /dev/null
spill=400 shared=1024
grep -q __regdem_slots_ "$3" && slots=1 && spill=200
if grep -q 'pragma "enable_smem_spilling"' "$3"; then
  case "$PREFER$slots" in
  pragma | both1) spill=0 ;;
  pragma1 | both) spill=400 ;;
  *) echo "ptxas fatal   : unknown pragma" && exit 255 ;;
  esac
  shared=2048
fi
echo "    8 bytes stack frame, $spill bytes spill stores, $spill bytes spill loads"
echo "ptxas info    : Used 24 registers, used 0 barriers, $shared bytes smem"
