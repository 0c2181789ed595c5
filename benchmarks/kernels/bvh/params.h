//===- params.h - ray tracing: kernel and host ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BVH_PARAMS_H
#define BENCHMARKS_BVH_PARAMS_H

enum {
  LeafSize = 4,
  StackSize = 32, ///< more than the depth of any hierarchy used
  NodeFloats = 8, ///< minimum corner, link; maximum corner, triangle count
  BlockSize = 128
};

/// What a ray that hits nothing reports as its distance.
constexpr float Miss = 1e30f;

#endif // BENCHMARKS_BVH_PARAMS_H
