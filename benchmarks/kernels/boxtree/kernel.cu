//===- kernel.cu - points in a box ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many points are in a box, one box a thread: a tree is walked by a stack
// of nodes. Points are sorted by turns along x and y, so that a node's place
// says which are below it.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
boxtree(const float2 *__restrict__ Tree, const float4 *__restrict__ Boxes,
        int *__restrict__ Inside) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Box = Boxes[T]; // x from, y from, x to, y to.
  int Stack[StackSize], Level[StackSize];
  int Top = 0, Found = 0;
  Stack[0] = 0;
  Level[0] = 0;
  while (Top >= 0) {
    int Node = Stack[Top], Axis = Level[Top] & 1, Below = Level[Top] + 1;
    --Top;
    float2 P = Tree[Node];
    Found += P.x >= Box.x && P.x <= Box.z && P.y >= Box.y && P.y <= Box.w;
    if (Below == Depth)
      continue;
    if (Axis ? P.y >= Box.y : P.x >= Box.x)
      if (Top + 1 < StackSize) {
        Stack[++Top] = 2 * Node + 1;
        Level[Top] = Below;
      }
    if (Axis ? P.y <= Box.w : P.x <= Box.z)
      if (Top + 1 < StackSize) {
        Stack[++Top] = 2 * Node + 2;
        Level[Top] = Below;
      }
  }
  Inside[T] = Found;
}

BENCH_EXPORT(boxtree)
