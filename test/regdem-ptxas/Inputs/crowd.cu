// Sixty values that are alive at once, with and without launch bounds.
__device__ __forceinline__ void crowd(float *p, int n) {
  float v[60];
  for (int i = 0; i < 60; ++i)
    v[i] = p[i * 256 + threadIdx.x];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 60; ++i)
      v[i] = v[i] * v[(i + 7) % 60] + v[(i + 3) % 60];
  for (int i = 0; i < 60; ++i)
    p[i * 256 + threadIdx.x] = v[i];
}

__global__ void __launch_bounds__(256) bounded(float *p, int n) { crowd(p, n); }
__global__ void loose(float *p, int n) { crowd(p, n); }
