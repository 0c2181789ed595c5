// ccache serves an object with its builds and dispatcher, the same as was made.
// REQUIRES: clang-cuda, ccache
// RUN: rm -rf %t && mkdir %t
// RUN: env CCACHE_DIR=%t/ccache CCACHE_EXTRAFILES=%plugin ccache %launches -c %s -o %t/first.o
// RUN: env CCACHE_DIR=%t/ccache CCACHE_EXTRAFILES=%plugin ccache %launches -c %s -o %t/second.o
// RUN: env CCACHE_DIR=%t/ccache ccache --print-stats | FileCheck %s --check-prefix=STATISTICS
// RUN: cmp %t/first.o %t/second.o
// RUN: %clang %t/second.o %recording-runtime -o %t/step
// RUN: %t/step | FileCheck %s
// STATISTICS-DAG: cache_miss{{[[:space:]]+}}1
// STATISTICS-DAG: direct_cache_hit{{[[:space:]]+}}1
// CHECK: launch _Z4stepPKjS0_Pji$regdem1 grid
#include "Inputs/stepping.h"

int main() { step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0); }
