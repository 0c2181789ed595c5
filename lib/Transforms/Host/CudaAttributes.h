//===- CudaAttributes.h - attributes of kernels and devices -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the CUDA runtime, in C too: code for programs has no other header of it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_CUDAATTRIBUTES_H
#define REGDEM_LIB_HOST_CUDAATTRIBUTES_H

/// cudaFuncAttributeMaxDynamicSharedMemorySize and
/// cudaFuncAttributePreferredSharedMemoryCarveout.
enum { MaxDynamicShared = 8, Carveout = 9 };
/// cudaDevAttrMaxSharedMemoryPerBlockOptin.
enum { MostSharedOfBlock = 97 };

#endif // REGDEM_LIB_HOST_CUDAATTRIBUTES_H
