// What a loop computes anew in each iteration although it stays the same is
// computed once, slow paths for unusual arguments and all: clang has inlined
// them as branches. In single precision these have a loop over an array.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -Rpass=regdem --cuda-device-only -c %s -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not="'moving"
// CHECK-DAG: 'waves({{.*}}' built{{.*}}, with branches out of loops
// CHECK-DAG: 'rotations({{.*}}' built{{.*}}, with branches out of loops
// CHECK-DAG: 'powers({{.*}}' built{{.*}}, with branches out of loops
#define PARAMETERS double *Out, const double *In, double Step, int N
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void waves(PARAMETERS) {
  float X = Step * THREAD, Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += (float)In[I] * sinf(X) + cosf(X);
  Out[THREAD] = Sum;
}

__global__ void rotations(PARAMETERS) {
  double X = Step * THREAD, Re = 0, Im = 1;
  for (int I = 0; I < N; ++I) {
    double C = cos(X), S = sin(X), Next = C * Re - S * Im + In[I];
    Im = S * Re + C * Im;
    Re = Next;
  }
  Out[THREAD] = Re;
}

__global__ void powers(PARAMETERS) {
  double X = Step * THREAD + 0.5, Sum = 0;
  for (int I = 0; I < N; ++I) {
    double W = exp(-X) + pow(X, 1.7);
    Sum += In[I] > 0.3 ? In[I] * W : W * -0.5;
  }
  Out[THREAD] = Sum;
}

__global__ void moving(PARAMETERS) {
  double X = Step * THREAD, Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sin(X + In[I]);
  Out[THREAD] = Sum;
}
