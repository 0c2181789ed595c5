// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil that marches along z and holds the planes it needs in registers.
// Its launch bounds ask for eight blocks per SM, 32 registers a thread, under
// which compilers spill. See README.md of this folder.

constexpr int Radius = 8;

__global__ void __launch_bounds__(256, 8)
    stencil(const float *__restrict__ In, float *__restrict__ Out,
            const float *__restrict__ Weights, int Width, int Plane,
            int Depth) {
  int At = (blockIdx.y * blockDim.y + threadIdx.y) * Width +
           blockIdx.x * blockDim.x + threadIdx.x;
  float Column[2 * Radius + 1], W[Radius + 1];
#pragma unroll
  for (int R = 0; R <= Radius; ++R)
    W[R] = Weights[R];
#pragma unroll
  for (int R = 0; R < 2 * Radius; ++R)
    Column[R + 1] = In[At + R * Plane];
#pragma unroll 1
  for (int Z = Radius; Z < Depth - Radius; ++Z) {
#pragma unroll
    for (int R = 0; R < 2 * Radius; ++R)
      Column[R] = Column[R + 1];
    Column[2 * Radius] = In[At + (Z + Radius) * Plane];
    float Sum = W[0] * Column[Radius];
#pragma unroll
    for (int R = 1; R <= Radius; ++R)
      Sum += W[R] * (Column[Radius - R] + Column[Radius + R]);
    Out[At + Z * Plane] = Sum;
  }
}
