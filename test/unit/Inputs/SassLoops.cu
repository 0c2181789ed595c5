// A loop in a loop, both with counts that the code shows; a loop without.
extern "C" __global__ void loops(double *Out, const double *In,
                                 const float *Small, int Count) {
  double Sum = 0;
#pragma unroll 1
  for (int I = 0; I < 37; ++I) {
#pragma unroll 1
    for (unsigned J = 100; J > 4; J -= 3)
      Sum = Sum * In[J] + 1;
    Sum += __sinf(Small[I]);
  }
#pragma unroll 1
  for (int I = 0; I < Count; ++I)
    Sum = Sum * Sum + In[I];
  Out[threadIdx.x] = Sum;
}
