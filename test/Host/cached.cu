// A second compilation takes what is settled for each block size from the cache
// and makes the same PTX, tables included. With the block size stated by an
// option, the same code is another decision.
// REQUIRES: clang-cuda
// DEFINE: %{build} = %launches -mllvm -regdem-launch=on --cuda-device-only -S -Rpass=regdem %s
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -mllvm -regdem-cache=off -o %t/off.s
// RUN: %{build} -mllvm -regdem-cache=%t/cache -o %t/cold.s
// RUN: %{build} -mllvm -regdem-cache=%t/cache -o %t/warm.s 2>&1 | FileCheck %s
// RUN: cmp %t/off.s %t/cold.s
// RUN: cmp %t/off.s %t/warm.s
// RUN: %launches -mllvm -regdem-launch=off -mllvm -regdem-block-size=256 -mllvm -regdem-cache=%t/cache --cuda-device-only -S %s -o %t/size.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=SIZE
// CHECK: remark: 'step(unsigned int const*, unsigned int const*, unsigned int*, int)$regdem1' {{.*}}, cached (sm_90)
// SIZE: remark: 'step(unsigned int const*, unsigned int const*, unsigned int*, int)' held to
// SIZE-NOT: cached
#include "Inputs/stepping.h"
