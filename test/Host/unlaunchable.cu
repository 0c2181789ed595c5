// A kernel that takes too many registers for the blocks that its host code
// launches gets a build that can be launched, which those launches take, in
// every mode but stock. Where there is none, one warning says so.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS --implicit-check-not=warning:
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: env REGDEM_LAUNCH=measure %t.exe | FileCheck %s
// RUN: env REGDEM_LAUNCH=stock %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: %clang-cuda %regdem -mllvm -regdem-launch-code=0 -c %s -o %t.none.o 2>&1 | FileCheck %s --check-prefix=WARNED
// The runtime is told of builds that all code has.
// RUN: %clang-cuda --cuda-gpu-arch=sm_90a %regdem -Rpass-missed=regdem -c %s -o %t.two.o 2>&1 | FileCheck %s --check-prefixes=FEWER,WARNED
// RUN: %clang-cuda %regdem -DTHREADS=256 -mllvm -regdem-launch-code=0 -c %s -o %t.fits.o 2>&1 | FileCheck %s --check-prefix=FITS --allow-empty
// RUN: %clang-cuda %regdem -DTHREADS=0 -mllvm -regdem-launch-code=0 -c %s -o %t.empty.o 2>&1 | FileCheck %s --check-prefix=FITS --allow-empty
//
// REMARKS: remark: 'execute(Task)' has other builds beside it: the host code chooses at launch: blocks of 257 to 512 threads, with which this one cannot be launched, take build 1
// REMARKS: remark: 'execute(Task)$regdem1' held to 128 registers: without a cap it cannot be launched with blocks of 512 threads, as it takes {{[0-9]+}} registers
// CHECK: launch _Z7execute4Task$regdem1 {{.*}} block 512 1 1 smem 0
// CHECK: launch _Z7execute4Task grid {{.*}} block 256 1 1 smem 0
// STOCK: launch _Z7execute4Task grid {{.*}} block 512 1 1 smem 0
// FEWER: remark: launches of 'execute(Task)' do not take all of its builds: the program has several kinds of code for sm_90
// WARNED: warning: regdem: launches of 'execute(Task)' with blocks of 512 threads fail: it takes {{[0-9]+}} registers a thread (sm_90); state __launch_bounds__(512)
// WARNED-NOT: warning: regdem
// FITS-NOT: warning:
#ifndef THREADS
#define THREADS 512
#endif
#include <cstddef>
struct Task {
  const double2 *source[8];
  double2 *target;
  size_t count;
};
__global__ void execute(Task t) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < t.count;
       i += step * 4) {
    double2 v[8][4];
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
      for (int u = 0; u < 4; ++u)
        v[p][u] = t.source[p][i + u * step];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      double2 s = v[0][u];
#pragma unroll
      for (int p = 1; p < 8; ++p)
        s.x += v[p][u].x, s.y += v[p][u].y;
      t.target[i + u * step] = s;
    }
  }
}
int main() {
  execute<<<16, THREADS>>>(Task{});
  execute<<<16, 256>>>(Task{});
}
