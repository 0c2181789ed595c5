// Where the time of decisions goes is written for each architecture, whatever
// becomes of clang's own trace, which is of the host compilation.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang-cuda %regdem --cuda-gpu-arch=sm_80 -mllvm -regdem-cache=off -mllvm -regdem-time-trace=%t/t.json -c %s -o %t/t.o -ftime-trace=%t/host.json
// RUN: %python -c "import json; [print(name) for name in sorted({e['name'] for a in ('sm_80', 'sm_90') for e in json.load(open(f'%t/t-{a}.json'))['traceEvents']})]" | FileCheck %s
// RUN: ls %t/host.json

// CHECK-DAG: RegDem search
// CHECK-DAG: RegDem move
// CHECK-DAG: RegDem ptxas
// CHECK-DAG: RegDem generate PTX
// CHECK-DAG: RegDem read code

// A folder that is not there: one warning, and the program all the same.
// RUN: %clang-cuda %regdem -c -mllvm -regdem-time-trace=%t/none/t.json %s -o %t/t.o 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: warning: {{.*}}cannot write '{{.*}}/none/t-sm_90.json': {{[Nn]}}o such file or directory

__global__ void __launch_bounds__(256, 8) mixed(const float *in, float *out) {
  float v[24];
  for (int i = 0; i < 24; ++i)
    v[i] = in[blockIdx.x * 256 * 24 + threadIdx.x * 24 + i];
  for (int round = 0; round < 8; ++round)
    for (int i = 0; i < 24; ++i)
      v[i] = v[i] * v[(i + 7) % 24] + v[(i + 5) % 24];
  for (int i = 0; i < 24; ++i)
    out[blockIdx.x * 256 * 24 + threadIdx.x * 24 + i] = v[i];
}
