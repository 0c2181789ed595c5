// atomicCAS() is as CUDA defines it, relaxed and for the device, where clang 22
// has it order all memory; what says its order keeps it.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-build=rewrites=cheaper-accesses %s -o - | FileCheck %s
// RUN: %device %regdem -mllvm -regdem-mode=off %s -o - | FileCheck %s --check-prefix=OFF
//
// CHECK-LABEL: .entry swaps(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b{{16|32}}
// CHECK-NOT: fence
// CHECK: ret;
// CHECK-LABEL: .entry ordered(
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK-LABEL: .entry released(
// CHECK: atom.release.sys.global.cas.b32
// OFF-LABEL: .entry swaps(
// OFF-COUNT-4: fence.sc.sys
// OFF: ret;
#define KERNEL extern "C" __global__ void __launch_bounds__(128)

KERNEL swaps(int *I, unsigned *U, unsigned long long *L, unsigned short *S) {
  I[1] = atomicCAS(I, 1, 2);
  U[1] = atomicCAS(U, 1u, 2u);
  L[1] = atomicCAS(L, 1ull, 2ull);
  S[2] = atomicCAS(S, (unsigned short)1, (unsigned short)2);
}

KERNEL ordered(int *I, int *O) {
  O[1] = atomicCAS(O, 1, 2);
  int Expected = 1;
  __atomic_compare_exchange_n(I, &Expected, 2, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  I[1] = Expected;
}

KERNEL released(int *I, int *O) {
  O[1] = atomicCAS(O, 1, 2);
  int Expected = 1;
  __scoped_atomic_compare_exchange_n(I, &Expected, 2, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  I[1] = Expected;
}
