// Of a template's kernel that several files have, the linker keeps one file's
// registration, so that stock runs that file's kernel, with that file's
// variables. RegDem's builds are each file's own: a kernel whose stub is weak
// has none if it uses such variables. Stubs are as the device side expects
// them.
// REQUIRES: clang-cuda
// RUN: %launches -mllvm -regdem-launch=on --cuda-device-only -S -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s --implicit-check-not="no builds are chosen"
// RUN: grep -o 'entry [^(]*regdem1' %t.s | sort | FileCheck %s --check-prefix=BUILDS
// RUN: %clang-cuda --cuda-host-only -emit-llvm -S %s -o - | grep '^define.*__device_stub__' | FileCheck %s --check-prefix=STUBS
// CHECK: remark: 'void shares<int>(unsigned int const*, unsigned int const*, unsigned int*, int)': no builds are chosen at launch: of several files with the same template or inline kernel the linker keeps
// BUILDS:      entry _Z5plainPKjS0_Pji$regdem1
// BUILDS-NEXT: entry _Z8constantIiEvPKjS1_Pji$regdem1
// BUILDS-NEXT: entry _ZL3ownPKjS0_Pji$regdem1
// BUILDS-NEXT: entry _ZN12_GLOBAL__N_17unnamedIiEEvPKjS2_Pji$regdem1
// BUILDS-NEXT: entry _ZN5spaceL6insideIiEEvPKjS2_Pji$regdem1
// BUILDS-NOT: entry
// STUBS-DAG: define linkonce_odr {{.*}}__device_stub__sharesIiE
// STUBS-DAG: define linkonce_odr {{.*}}__device_stub__constantIiE
// STUBS-DAG: define internal {{.*}}__device_stub__own
// STUBS-DAG: define internal {{.*}}__device_stub__unnamedIiE
// STUBS-DAG: define internal {{.*}}__device_stub__insideIiE
#include "Inputs/walk.h"

__constant__ unsigned Set;
__device__ const unsigned Table[2] = {3, 5};

#define WALK(Value)                                                            \
  (const unsigned *Cold, const unsigned *Rows, unsigned *Result,               \
   int Threads) {                                                              \
    walk<44>(Cold, Rows, Result, Threads);                                     \
    Result[threadIdx.x] += Value;                                              \
  }

template <typename>
__global__ void shares WALK(Set) template <typename>
__global__ void constant WALK(Table[threadIdx.x % 2]) static __global__ void own
    WALK(Set)
__global__ void plain WALK(Set) namespace space {
  template <typename> static __global__ void inside WALK(Set)
}
namespace {
template <typename> __global__ void unnamed WALK(Set)
}

void run() {
  shares<int><<<1, 256>>>(nullptr, nullptr, nullptr, 0);
  constant<int><<<1, 256>>>(nullptr, nullptr, nullptr, 0);
  own<<<1, 256>>>(nullptr, nullptr, nullptr, 0);
  space::inside<int><<<1, 256>>>(nullptr, nullptr, nullptr, 0);
  unnamed<int><<<1, 256>>>(nullptr, nullptr, nullptr, 0);
}
