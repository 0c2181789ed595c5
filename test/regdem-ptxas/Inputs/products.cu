// Products that are summed in another block than they are made in, in a kernel
// that registers limit.
__global__ void __launch_bounds__(256) products(float *p, int n) {
  float v[60], w[60];
#pragma unroll
  for (int i = 0; i < 60; ++i) {
    v[i] = p[i * 256 + threadIdx.x];
    w[i] = v[i] * p[(i + 60) * 256 + threadIdx.x];
  }
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 60; ++i)
      v[i] = w[(i + 3) % 60] + v[(i + 7) % 60];
#pragma unroll
  for (int i = 0; i < 60; ++i)
    p[i * 256 + threadIdx.x] = v[i];
}
