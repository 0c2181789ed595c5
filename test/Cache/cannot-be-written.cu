// Where the cache cannot be written, one remark says so, and all else is as
// without it.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && touch %t/file
// DEFINE: %{build} = %device %regdem -mllvm -regdem-max-regs=40 %s
// RUN: %{build} -mllvm -regdem-cache=off -o %t/off.s
// RUN: %{build} -mllvm -regdem-cache=%t/file/cache -Werror -o %t/on.s 2>&1 | count 0
// RUN: cmp %t/off.s %t/on.s
// RUN: %{build} -mllvm -regdem-cache=%t/file/cache -Rpass-missed=regdem -o %t/on.s 2>&1 | FileCheck %s
// RUN: cmp %t/off.s %t/on.s
#include "Inputs/two-kernels.h"

// CHECK: remark: decisions are not cached: cannot make '{{.*}}file/cache': Not a directory
// CHECK-NOT: not cached
