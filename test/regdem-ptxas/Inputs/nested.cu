// Sums over nested arrays that data index, without launch bounds.
template <int Depth> struct Nested {
  __device__ static float sum(float *In, int At) {
    float Part[Depth];
    for (int I = 0; I < Depth; I++)
      Part[I] = In[(I + At) % (Depth + 1)];
    return Nested<Depth - 1>::sum(Part, At + 1) + Part[At % Depth];
  }
};
template <> struct Nested<0> {
  __device__ static float sum(float *In, int) { return In[0]; }
};

__global__ void nested(float *Data) {
  float First[9];
  for (int I = 0; I < 9; I++)
    First[I] = Data[I + threadIdx.x];
  Data[threadIdx.x] = Nested<8>::sum(First, (int)Data[3] & 7);
}
