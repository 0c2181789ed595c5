#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# two-kernels.sh WIDE: prints a module with kernels `first` and `second`, made
# from the kernel in the file WIDE.
sed -e 's/TYPE/i32/;s/BOUNDS/"nvvm.maxntid"="128"/;s/@wide/@first/' "$1"
sed -e '/^target/d;s/TYPE/i64/;s/BOUNDS/"nvvm.maxntid"="256"/;s/@wide/@second/' "$1"
