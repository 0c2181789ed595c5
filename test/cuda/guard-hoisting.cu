// What is computed behind a guard keeps all the shuffles' results until there;
// computed ahead of it, nothing has to be spilled.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl heat "decision == 'rewrite'" "rewrites == 'skip-machine-sink'" "slots == 0" "variants[0]['spill_load_bytes'] > 100" "not any(v['spill_load_bytes'] for v in variants if v['chosen'])"

// Two steps in time of the heat equation: a warp has 32 columns, a lane the
// rows of one, and the outer lanes are halo.
extern "C" __global__ void __launch_bounds__(256, 8)
    heat(const float *__restrict__ In, float *__restrict__ Out, float C) {
  constexpr int Rows = 20, Steps = 2;
  unsigned Lane = threadIdx.x & 31;
  unsigned Column = (blockIdx.x * 256 + threadIdx.x) / 32 * 28 + Lane;
  float U[Rows];
#pragma unroll
  for (int R = 0; R < Rows; ++R)
    U[R] = In[R * 4096 + Column];
#pragma unroll
  for (int S = 0; S < Steps; ++S) {
    float Below = U[S];
#pragma unroll
    for (int R = S + 1; R < Rows - S - 1; ++R) {
      float Me = U[R];
      float Left = __shfl_up_sync(~0u, Me, 1);
      float Right = __shfl_down_sync(~0u, Me, 1);
      U[R] = Me + C * (Below + U[R + 1] + Left + Right - 4 * Me);
      Below = Me;
    }
  }
  if (Lane >= Steps && Lane < 32 - Steps)
#pragma unroll
    for (int R = Steps; R < Rows - Steps; ++R)
      Out[R * 4096 + Column] = U[R];
}
