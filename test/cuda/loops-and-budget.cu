// Loops that registers do not limit are unrolled only where the kernel has
// builds left for it; without, nothing is assembled.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem --cuda-device-only -mllvm -regdem-budget=3 -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: 'total({{.*}})' built, with loops unrolled: expected gain
// RUN: %clang-cuda %regdem --cuda-device-only -mllvm -regdem-budget=2 -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FEW
// FEW-NOT: loops unrolled
// FEW: 'total({{.*}})' left as it is: registers do not limit it: {{.*}}, by estimate

__global__ void __launch_bounds__(256)
    total(const float *__restrict in, float *out, int region) {
  int begin = blockIdx.x * region, end = begin + region;
  float sum = 0;
  for (int i = begin + threadIdx.x; i < end; i += 256)
    sum += in[i];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
