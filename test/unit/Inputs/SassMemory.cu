// Accesses of all widths to local, shared, global and constant memory, more
// values than registers, an atomic operation, an asynchronous copy and a
// matrix product.
#include <cuda_pipeline.h>
#include <mma.h>

extern "C" __global__ void memory(float4 *Out, const float4 *In, char *Bytes,
                                  double *Sum, int Count) {
  __shared__ float4 Tile[256];
  __shared__ double Doubles[256];
  unsigned T = threadIdx.x;
  __pipeline_memcpy_async(&Tile[T], &In[T], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Doubles[T] = Sum[T];
  __syncthreads();
  float4 Values[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Values[I] = In[I * 256 + T];
#pragma unroll 1
  for (int N = 0; N < Count; ++N)
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      Values[I].x = Values[(I + 3) % 8].y * Values[I].w + Tile[N].x;
      Values[I].y = Values[(I + 5) % 8].z * Values[I].x;
      Values[I].z += Values[(I + 1) % 8].w;
      Values[I].w += Values[(I + 2) % 8].x;
    }
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Out[I * 256 + T] = Values[I];
  Bytes[T] = Bytes[T + 1] + 1;
  atomicAdd(&Sum[T], Doubles[255 - T]);
}

extern "C" __global__ void product(half *A, half *B, float *C) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> X;
  fragment<matrix_b, 16, 16, 16, half, col_major> Y;
  fragment<accumulator, 16, 16, 16, float> Z;
  fill_fragment(Z, 0.0f);
  load_matrix_sync(X, A, 16);
  load_matrix_sync(Y, B, 16);
  mma_sync(Z, X, Y, Z);
  store_matrix_sync(C, Z, 16, mem_row_major);
}
