// Forty values that are alive at once, and a tile that is read by vectors.
extern "C" __global__ void __launch_bounds__(121)
    tile(const float *in, float *out, int n) {
  __shared__ float s[128];
  unsigned t = threadIdx.x;
  float v[40], sum = 0;
  for (int i = 0; i < 40; ++i)
    v[i] = in[t * 40 + i];
  for (int i = 0; i < n; ++i) {
    s[t] = in[i + t];
    __syncthreads();
    float4 q = reinterpret_cast<float4 *>(s)[(t + i) % 30];
    sum = (sum - q.x) * q.y - q.z * q.w;
    __syncthreads();
  }
  for (int i = 0; i < 40; ++i)
    sum = fmaxf(sum, v[i]) - v[i] * 3;
  out[t] = sum;
}
