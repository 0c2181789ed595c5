#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler that succeeds and prints a lot that means nothing.
line=$(printf '\001\377Used registers, bytes spill stores \033[2J%%n%%s')
for i in 1 2 3 4 5 6 7 8 9 10 11; do
  line="$line$line"
done
echo "$line"
