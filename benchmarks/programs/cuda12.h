//===- cuda12.h - What CUDA 13 took away ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stand_in.py includes it in front of each source. It is empty but for device
// code, so that all compilers see the same: clang has it in front of a .cpp
// only beside a .cu. Old programs build unchanged with it:
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
