#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler that crashes without a word.
kill -SEGV $$
