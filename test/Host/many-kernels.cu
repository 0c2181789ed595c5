// Of many kernels whose block size nobody says, so many are looked at as
// compiling the file is worth: to decide for the others no code is generated.
// REQUIRES: ptxas, clang-cuda
// DEFINE: %{effort} =
// DEFINE: %{build} = env CUDA_PATH=%cuda %launches -mllvm -regdem-cache=off -mllvm -regdem-time-trace=%t/trace.json -mllvm -regdem-effort=%{effort} -Rpass-missed=regdem -c %s -o %t/out.o 2> %t/said.txt
// RUN: rm -rf %t && mkdir %t
// REDEFINE: %{effort} = 1
// RUN: %{build} && FileCheck %s < %t/said.txt
// RUN: %python -c "import sys; assert 0 < open(sys.argv[1]).read().count('RegDem generate PTX') < 8" %t/trace-sm_90.json
// REDEFINE: %{effort} = 2
// RUN: %{build} && FileCheck %s --check-prefix=ALL < %t/said.txt

// CHECK: no builds are chosen at launch: its file's kernels are many or large, and making builds of them takes long: a __launch_bounds__ of its blocks' threads leaves more for it
// ALL-NOT: no builds are chosen at launch
template <int Step, int Values>
__global__ void scaled(unsigned *data, int rounds) {
  unsigned v[Values];
#pragma unroll
  for (int i = 0; i < Values; ++i)
    v[i] = data[threadIdx.x + i * Step];
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int i = 0; i < Values; ++i)
      v[i] = v[i] * 3 ^ v[(i + Step) % Values];
#pragma unroll
  for (int i = 0; i < Values; ++i)
    data[threadIdx.x + i * Step] = v[i];
}

#define ONE(Step, Values)                                                      \
  template __global__ void scaled<Step, Values>(unsigned *, int);
ONE(1, 41)
ONE(2, 41) ONE(3, 41) ONE(4, 41) ONE(5, 41) ONE(6, 41) ONE(7, 41) ONE(8, 41)
