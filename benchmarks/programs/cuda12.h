//===- cuda12.h - What CUDA 13 took away ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by stand_in.py in front of each source, and empty but for those of
// device code, the same for all compilers (clang is given it for .cpp only beside
// .cu), so that programs written for older releases build unchanged:
// functions that were renamed, and overloads whose device is a plain number.
// Programs print the clock rate; they get another number, and compute nothing
// of it.
//
//===----------------------------------------------------------------------===//

#if defined(__CUDACC__) && !defined(REGDEM_BENCHMARKS_PROGRAMS_CUDA12_H)
#define REGDEM_BENCHMARKS_PROGRAMS_CUDA12_H

#include <cuda_runtime.h>

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
#define clockRate l2CacheSize
#define deviceOverlap asyncEngineCount

static inline cudaMemLocation regdemLocation(int Device) {
  cudaMemLocation Location{};
  Location.type = Device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                            : cudaMemLocationTypeDevice;
  Location.id = Device;
  return Location;
}

static inline cudaError_t cudaMemAdvise(const void *Pointer, size_t Bytes,
                                        cudaMemoryAdvise Advice, int Device) {
  return cudaMemAdvise(Pointer, Bytes, Advice, regdemLocation(Device));
}

static inline cudaError_t cudaMemPrefetchAsync(const void *Pointer,
                                               size_t Bytes, int Device,
                                               cudaStream_t Stream = nullptr) {
  return cudaMemPrefetchAsync(Pointer, Bytes, regdemLocation(Device), 0,
                              Stream);
}

#endif
