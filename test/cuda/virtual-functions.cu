// A kernel that makes objects does not run their virtual functions: whether
// ptxas fuses the products of these is of no account to it.
// REQUIRES: clang-cuda
// RUN: %device %regdem %s -o %t.ptx -Rpass=regdem -Rpass-missed=regdem 2>&1 | FileCheck %s

// CHECK: 'make({{.*}}' built, with arrays rewritten

__device__ void *operator new(__SIZE_TYPE__, void *Place) { return Place; }

struct Shape {
  __device__ virtual float at(float X) const = 0;
};

struct Line : Shape {
  float A, B;
  __device__ Line(float A, float B) : A(A), B(B) {}
  __device__ float at(float X) const override { return A * X > 1 ? A + B : X; }
};

__global__ void __launch_bounds__(128)
    make(Line *Out, const float *In, const int *Which, int N) {
  float Seen[8] = {};
  for (int I = 0; I < N; ++I)
    Seen[Which[I] & 7] += In[I] * In[I + N];
  new (Out + threadIdx.x) Line(Seen[N & 7], Seen[(N + 1) & 7]);
}
