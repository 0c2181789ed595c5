// A switch, a branch on which threads diverge, a call, a trap, a division with
// its slow path.
__device__ __noinline__ float power(float X, int N) {
  float Result = X;
#pragma unroll 1
  for (int I = 0; I < N; ++I)
    Result = Result * X + 1;
  return Result;
}

extern "C" __global__ void branches(float *Out, const int *Which, int Limit) {
  int I = threadIdx.x;
  if (I >= Limit)
    return;
  float Value = Out[I];
  if (Which[I] < 0)
    __trap();
  switch (Which[I]) {
  case 0:
    Value = Out[I + 1] + Value;
    break;
  case 1:
    Value = power(Value, Limit);
    break;
  case 2:
    Value = __expf(Value);
    break;
  case 3:
    Out[I + 7] = Value;
    break;
  case 4:
    Value = 1 / Value;
    break;
  case 5:
    Value = Out[I + 3] * Out[I + 2];
    break;
  }
  if (Which[I + 64] == 3) {
    Out[I + 64] = Value;
    Value = __shfl_xor_sync(__activemask(), Value, 1);
  }
  Out[I] = Value;
}
