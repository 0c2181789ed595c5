// A kernel with an array that data index, and no block size: a build of it has
// its frame at the end of dynamic shared memory, to which launches add as many
// bytes as their threads need. Those of all shapes, with dynamic shared memory
// of their own as far as it leaves the build its blocks.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-arrays=off -mllvm -regdem-report=%t.jsonl -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS --implicit-check-not="add __launch_bounds__"
// RUN: %report %t.jsonl
// RUN: FileCheck %s --check-prefix=REPORT < %t.jsonl
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=CODE
//
// RUN: %t.exe > %t.txt
// RUN: %expect %t.jsonl --least 70 < %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: env REGDEM_LAUNCH=stock %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: env REGDEM_LAUNCH=1 %t.exe > %t.forced
// RUN: FileCheck %s < %t.forced
//
// Where the build cannot opt in to more, or its launches fail, stock runs:
// RUN: env FAKE_NO_OPTIN='_Z4binsPiPKii$regdem1' %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: env FAKE_FAIL='_Z4binsPiPKii$regdem1' %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: env FAKE_OPTIN=40000 %t.exe | FileCheck %s --check-prefix=LITTLE
// LITTLE: launch _Z4binsPiPKii$regdem1 {{.*}} block 128 1 1 smem 17408 asked 0
//
// Where frames do not move, there is no build.
// RUN: %launches -mllvm -regdem-arrays=off -mllvm -regdem-finish=off -c %s -o %t.off.o
// RUN: %clang %t.off.o %recording-runtime -o %t.off.exe
// RUN: %t.off.exe | FileCheck %s --check-prefix=STOCK
//
// REMARKS-DAG: remark: 'bins(int*, int const*, int)' has other builds beside it: the host code chooses at launch: blocks of 33 to {{[0-9]+}} threads{{.*}} take build 1
// REMARKS-DAG: remark: 'bins(int*, int const*, int)$regdem1': frame of 128 bytes a thread, {{.*}}, moved from local to shared memory, to which launches add 136 bytes a thread, {{[0-9]+}} instead of {{[0-9]+}} blocks per SM (sm_90)
// REPORT-DAG: "launches":[{{.*}}"stock_cycles":{{[^}]*}}},"thread_bytes":136
// CODE: .text._Z4binsPiPKii$regdem1:
// CODE-NOT: LDL
// CODE: IMAD R1, R{{[0-9]+}}, -0x88, R{{[0-9]+}}
//
// CHECK: launch _Z4binsPiPKii$regdem1 {{.*}} block 128 1 1 smem 17408 asked 0
// CHECK: launch _Z4binsPiPKii$regdem1 {{.*}} block 8 4 4 smem 17408 asked 0
// STOCK: launch _Z4binsPiPKii grid
// STOCK-NOT: $regdem
#include "Inputs/bins.h"
#include <cstdio>

static void launch(dim3 Grid, dim3 Block, size_t Shared) {
  bins<<<Grid, Block, Shared>>>(nullptr, nullptr, 0);
  cudaGetLastError(); // What waits to be read keeps launches from builds.
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const unsigned Many = 1000000;
  launch(Many, 128, 0);
  launch(Many, dim3(8, 4, 4), 0);
  for (unsigned Threads = 1; Threads <= 1024; Threads += Threads % 32 ? 1 : 31)
    launch(Many, Threads, 0);
  for (dim3 Block :
       {dim3(64, 4), dim3(1, 96), dim3(10, 10, 10), dim3(1, 1, 64)})
    launch(dim3(100, 100, 100), Block, 0);
  for (unsigned Threads : {33, 64, 100, 128, 256, 300, 512, 1000, 1024})
    for (size_t Shared : {1, 15, 16, 17, 100, 1000, 1024, 4000, 4096, 10000,
                          16384, 30000, 49152, 49153})
      launch(Many, Threads, Shared);
  for (unsigned Blocks : {1, 132, 264, 528, 1056, 1200, 2000})
    for (unsigned Threads : {64, 128, 160, 256, 512, 1024})
      launch(Blocks, Threads, 0);
}
