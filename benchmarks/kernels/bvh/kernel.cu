//===- kernel.cu - closest hit in a bounding volume hierarchy -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One ray a thread, iterative traversal with a stack per thread, nearer child
// first; triangles by Moeller and Trumbore (1997). A node is two float4: the
// minimum corner with a link (inner node: left child, the right one follows
// it; leaf: first triangle), the maximum corner with the number of triangles
// (inner node: 0). A triangle is three float4: corner and two edges.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

struct Ray {
  float OX, OY, OZ, DX, DY, DZ, InverseX, InverseY, InverseZ;
};

/// Distance at which \p R enters the box, or Miss if it does not before
/// \p Closest.
__device__ __forceinline__ float enter(const Ray &R, float4 Min, float4 Max,
                                       float Closest) {
  float X0 = (Min.x - R.OX) * R.InverseX, X1 = (Max.x - R.OX) * R.InverseX;
  float Y0 = (Min.y - R.OY) * R.InverseY, Y1 = (Max.y - R.OY) * R.InverseY;
  float Z0 = (Min.z - R.OZ) * R.InverseZ, Z1 = (Max.z - R.OZ) * R.InverseZ;
  float Near =
      fmaxf(fmaxf(fminf(X0, X1), fminf(Y0, Y1)), fmaxf(fminf(Z0, Z1), 0.0f));
  float Far =
      fminf(fminf(fmaxf(X0, X1), fmaxf(Y0, Y1)), fminf(fmaxf(Z0, Z1), Closest));
  return Near <= Far ? Near : Miss;
}

/// Distance of the hit, or Miss.
__device__ __forceinline__ float intersect(const Ray &R, float4 Corner,
                                           float4 E1, float4 E2) {
  float PX = R.DY * E2.z - R.DZ * E2.y;
  float PY = R.DZ * E2.x - R.DX * E2.z;
  float PZ = R.DX * E2.y - R.DY * E2.x;
  float Determinant = E1.x * PX + E1.y * PY + E1.z * PZ;
  float Inverse = 1.0f / Determinant;
  float TX = R.OX - Corner.x, TY = R.OY - Corner.y, TZ = R.OZ - Corner.z;
  float U = (TX * PX + TY * PY + TZ * PZ) * Inverse;
  float QX = TY * E1.z - TZ * E1.y;
  float QY = TZ * E1.x - TX * E1.z;
  float QZ = TX * E1.y - TY * E1.x;
  float V = (R.DX * QX + R.DY * QY + R.DZ * QZ) * Inverse;
  float Distance = (E2.x * QX + E2.y * QY + E2.z * QZ) * Inverse;
  bool Hit = U >= 0.0f && V >= 0.0f && U + V <= 1.0f && Distance > 0.0f;
  return Hit ? Distance : Miss;
}

BENCH_KERNEL(BlockSize)
bvh(const float4 *__restrict__ Nodes, const float4 *__restrict__ Triangles,
    const float *__restrict__ Rays, float *__restrict__ Distances, int Count) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Count)
    return;
  Ray R;
  R.OX = Rays[T];
  R.OY = Rays[Count + T];
  R.OZ = Rays[2 * Count + T];
  R.DX = Rays[3 * Count + T];
  R.DY = Rays[4 * Count + T];
  R.DZ = Rays[5 * Count + T];
  R.InverseX = 1.0f / R.DX;
  R.InverseY = 1.0f / R.DY;
  R.InverseZ = 1.0f / R.DZ;

  int Stack[StackSize];
  float Entry[StackSize];
  int Top = 0;
  float Closest = Miss;
  Stack[0] = 0;
  Entry[0] = 0.0f;
  while (Top >= 0) {
    int Node = Stack[Top];
    float Waiting = Entry[Top--];
    while (Waiting < Closest) {
      int Link = int(Nodes[2 * Node].w), Leaf = int(Nodes[2 * Node + 1].w);
      if (Leaf) {
        for (int I = Link; I < Link + Leaf; ++I)
          Closest = fminf(Closest,
                          intersect(R, Triangles[3 * I], Triangles[3 * I + 1],
                                    Triangles[3 * I + 2]));
        break;
      }
      float Left = enter(R, Nodes[2 * Link], Nodes[2 * Link + 1], Closest);
      float Right = enter(R, Nodes[2 * Link + 2], Nodes[2 * Link + 3], Closest);
      bool RightFirst = Right < Left;
      float Later = fmaxf(Left, Right);
      if (Later < Miss) {
        Stack[++Top] = RightFirst ? Link : Link + 1;
        Entry[Top] = Later;
      }
      Node = RightFirst ? Link + 1 : Link;
      Waiting = fminf(Left, Right);
    }
  }
  Distances[T] = Closest;
}

BENCH_EXPORT(bvh)
