// The tool's PTX for a kernel's IR is that of clang with the plugin.
// REQUIRES: clang-cuda
// RUN: %device %regdem %s -mllvm "-regdem-build=cap=24 demote=belady:20" -o %t.clang.s
// RUN: FileCheck %s < %t.clang.s
// RUN: %device -emit-llvm %s -o %t.ll
// RUN: %regdem-opt "-regdem-build=cap=24 demote=belady:20" %t.ll -o %t.tool.s
// RUN: %python -c "import re,sys; a,b=(re.sub(r'\s*//.*','',open(f).read()) for f in sys.argv[1:]); sys.exit(a!=b)" %t.clang.s %t.tool.s

// CHECK: st.shared
__global__ void __launch_bounds__(128) mix(float *P, int N) {
  float V[24];
  for (int I = 0; I != 24; ++I)
    V[I] = P[I * 128 + threadIdx.x];
  for (int K = 0; K < N; ++K)
    for (int I = 0; I != 24; ++I)
      V[I] = V[I] * V[(I + 5) % 24] + V[(I + 11) % 24];
  for (int I = 0; I != 24; ++I)
    P[I * 128 + threadIdx.x] = V[I];
}
