//===- CudaDriver.h - the CUDA driver, found at run time --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcuda is opened with dlopen, so that the programs build and start on
// machines without a driver.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_CUDADRIVER_H
#define BENCHMARKS_COMMON_CUDADRIVER_H

#include <cuda.h>

namespace bench {

// The names are macros in cuda.h (cuMemAlloc means cuMemAlloc_v2), which is
// why each entry point is spelt once, here.
#define BENCH_DRIVER_FUNCTIONS(X)                                              \
  X(cuInit)                                                                    \
  X(cuDriverGetVersion)                                                        \
  X(cuGetErrorString)                                                          \
  X(cuDeviceGet)                                                               \
  X(cuDeviceGetName)                                                           \
  X(cuDevicePrimaryCtxRetain)                                                  \
  X(cuCtxSetCurrent)                                                           \
  X(cuCtxSynchronize)                                                          \
  X(cuModuleLoad)                                                              \
  X(cuModuleUnload)                                                            \
  X(cuModuleGetFunction)                                                       \
  X(cuFuncGetAttribute)                                                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                               \
  X(cuMemAlloc)                                                                \
  X(cuMemFree)                                                                 \
  X(cuMemcpyHtoD)                                                              \
  X(cuMemcpyDtoH)                                                              \
  X(cuMemsetD8)                                                                \
  X(cuLaunchKernel)                                                            \
  X(cuEventCreate)                                                             \
  X(cuEventRecord)                                                             \
  X(cuEventSynchronize)                                                        \
  X(cuEventElapsedTime)

struct CudaDriver {
#define BENCH_MEMBER(Name) decltype(&::Name) Name##_ = nullptr;
  BENCH_DRIVER_FUNCTIONS(BENCH_MEMBER)
#undef BENCH_MEMBER
};

/// Opens libcuda on the first call; ends the program if there is none.
const CudaDriver &cudaDriver();

/// Ends the program if \p Result is an error of \p Call.
void checkCuda(CUresult Result, const char *Call);

} // namespace bench

#endif // BENCHMARKS_COMMON_CUDADRIVER_H
