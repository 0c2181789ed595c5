//===- kernel.cu - gravity of multipoles ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Acceleration and potential of bodies in the field of cells with a mass and a
// traceless quadrupole (Barnes and Hut, 1986; Hernquist, 1987). A block loads
// 256 cells at a time into shared memory; each thread has two bodies, so that
// every cell read serves twice.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

struct Sums {
  float X, Y, Z, Potential;
};

__device__ __forceinline__ void attract(const float *__restrict__ Cell, float X,
                                        float Y, float Z, Sums &S) {
  float DX = Cell[0] - X, DY = Cell[1 * BlockSize] - Y;
  float DZ = Cell[2 * BlockSize] - Z, Mass = Cell[3 * BlockSize];
  float Inverse = rsqrtf(DX * DX + DY * DY + DZ * DZ + Softening * Softening);
  float Inverse2 = Inverse * Inverse, Inverse3 = Inverse * Inverse2;
  float XX = Cell[4 * BlockSize], XY = Cell[5 * BlockSize];
  float XZ = Cell[6 * BlockSize], YY = Cell[7 * BlockSize];
  float YZ = Cell[8 * BlockSize], ZZ = Cell[9 * BlockSize];
  float QX = XX * DX + XY * DY + XZ * DZ;
  float QY = XY * DX + YY * DY + YZ * DZ;
  float QZ = XZ * DX + YZ * DY + ZZ * DZ;
  float Inverse5 = Inverse3 * Inverse2;
  float Form = 0.5f * (QX * DX + QY * DY + QZ * DZ) * Inverse5;
  float Radial = Mass * Inverse3 + 5.0f * Form * Inverse2;
  S.X += Radial * DX - QX * Inverse5;
  S.Y += Radial * DY - QY * Inverse5;
  S.Z += Radial * DZ - QZ * Inverse5;
  S.Potential -= Mass * Inverse + Form;
}

BENCH_KERNEL(BlockSize)
quadrupole(const float4 *__restrict__ Bodies, const float *__restrict__ Cells,
           float4 *__restrict__ Results, int Count, int CellCount) {
  __shared__ float Tile[CellFloats * BlockSize];
  int T = blockIdx.x * BlockSize + threadIdx.x;
  int Half = Count / BodiesPerThread;
  float4 A = Bodies[T], B = Bodies[T + Half];
  Sums SumA = {0, 0, 0, 0}, SumB = {0, 0, 0, 0};
  for (int Base = 0; Base < CellCount; Base += BlockSize) {
#pragma unroll
    for (int I = 0; I < CellFloats; ++I)
      Tile[I * BlockSize + threadIdx.x] =
          Cells[I * CellCount + Base + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int J = 0; J < BlockSize; ++J) {
      attract(Tile + J, A.x, A.y, A.z, SumA);
      attract(Tile + J, B.x, B.y, B.z, SumB);
    }
    __syncthreads();
  }
  Results[T] = make_float4(SumA.X, SumA.Y, SumA.Z, SumA.Potential);
  Results[T + Half] = make_float4(SumB.X, SumB.Y, SumB.Z, SumB.Potential);
}

BENCH_EXPORT(quadrupole)
