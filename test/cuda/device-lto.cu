// Under -foffload-lto the linker generates device code, where RegDem is not.
// REQUIRES: clang-cuda
// RUN: %clang-cuda -fgpu-rdc -foffload-lto %regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang-cuda -fgpu-rdc -foffload-lto %regdem -mllvm -regdem-mode=off -c %s -o %t.o -Werror
// RUN: %clang-cuda -fgpu-rdc %regdem -c %s -o %t.o -Werror

// CHECK: warning: regdem: -foffload-lto leaves code generation to the linker, where RegDem is not: kernels are left as they are, and no cap that is stated holds
// CHECK-NOT: warning: regdem
extern "C" __global__ void one(int *Data) { Data[threadIdx.x] = 1; }
extern "C" __global__ void two(int *Data) { Data[threadIdx.x] = 2; }
