//===- Dispatcher.c - chooses a build at launch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, not of the plugin: built to
// bitcode, which Dispatch.cpp links into each host module that launches kernels
// with builds. All of it becomes internal there. It may be called by any number
// of threads at once.
//
// Whatever is unusual takes the kernel itself. A launch of a build that fails
// is one that has not been: its error is taken back, the kernel itself is
// launched, and if that succeeds the build is not used on this device any more.
//
//===----------------------------------------------------------------------===//

#include "Dispatcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Of the CUDA runtime.
int cudaLaunchKernel(const void *Stub, uint64_t GridXY, uint32_t GridZ,
                     uint64_t BlockXY, uint32_t BlockZ, void **Args,
                     size_t Shared, void *Stream);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaGetDevice(int *Device);
int cudaDeviceGetAttribute(int *Value, int Attribute, int Device);
int cudaFuncGetAttributes(void *Attributes, const void *Stub);

enum { MultiProcessorCount = 16, CapabilityMajor = 75, CapabilityMinor = 76 };
enum { MostDevices = 64, WarpSize = 32, MostThreads = 1024 };

/// What cudaFuncAttributes begins with in all versions, and room for the rest.
typedef union {
  struct {
    size_t Shared, Constant, Local;
    int MaxThreads;
  } Known;
  char Room[512];
} FuncAttributes;

/// Compute capability and SMs of each device: Arch << 32 | SMs; 0: not asked.
static uint64_t Devices[MostDevices];

/// What REGDEM_LAUNCH asks for.
enum { NotRead, Predict, Stock, Measure, FirstBuild };
static int ModeRead; ///< FirstBuild + N - 1: build N for all that it can take.

static int readMode(void) {
  int Mode = __atomic_load_n(&ModeRead, __ATOMIC_RELAXED);
  if (Mode != NotRead)
    return Mode;
  const char *Text = getenv("REGDEM_LAUNCH");
  Mode = Predict;
  if (Text && !strcmp(Text, "stock"))
    Mode = Stock;
  else if (Text && !strcmp(Text, "measure"))
    Mode = Measure;
  else if (Text && Text[0] >= '1' && Text[0] <= '9' && !Text[1])
    Mode = FirstBuild + (Text[0] - '1');
  __atomic_store_n(&ModeRead, Mode, __ATOMIC_RELAXED);
  return Mode;
}

/// Device's entry of Devices; 0 where it cannot be asked.
static uint64_t describeDevice(int Device) {
  uint64_t Known = __atomic_load_n(&Devices[Device], __ATOMIC_RELAXED);
  if (Known)
    return Known;
  int Major, Minor, SMs;
  if (cudaDeviceGetAttribute(&Major, CapabilityMajor, Device) ||
      cudaDeviceGetAttribute(&Minor, CapabilityMinor, Device) ||
      cudaDeviceGetAttribute(&SMs, MultiProcessorCount, Device)) {
    cudaGetLastError();
    return 0;
  }
  Known = (uint64_t)(Major * 10 + Minor) << 32 | (uint32_t)SMs;
  __atomic_store_n(&Devices[Device], Known, __ATOMIC_RELAXED);
  return Known;
}

/// Whether Build is there on Device and takes blocks of so many threads.
static int isUsable(RegDemBuild *Build, int Device, uint64_t Threads) {
  uint64_t Bit = (uint64_t)1 << Device;
  if (__atomic_load_n(&Build->Unusable, __ATOMIC_RELAXED) & Bit)
    return 0;
  if (__atomic_load_n(&Build->Usable, __ATOMIC_RELAXED) & Bit)
    return 1;
  FuncAttributes Attributes;
  int Error = cudaFuncGetAttributes(&Attributes, Build->Stub);
  if (Error)
    cudaGetLastError();
  int Fits = !Error && Threads <= (uint64_t)Attributes.Known.MaxThreads;
  __atomic_fetch_or(Fits ? &Build->Usable : &Build->Unusable, Bit,
                    __ATOMIC_RELAXED);
  return Fits;
}

/// The product, or the greatest number there is.
static uint64_t multiply(uint64_t A, uint64_t B) {
  uint64_t Product;
  return __builtin_mul_overflow(A, B, &Product) ? UINT64_MAX : Product;
}

static uint64_t warpsOf(uint64_t Threads) {
  return (Threads + WarpSize - 1) / WarpSize;
}

/// Whether Row is for launches of blocks of so many threads.
static int isForBlock(const RegDemRow *Row, uint64_t Threads, int Mode) {
  if (Mode >= FirstBuild)
    return Row->Build == (uint32_t)(Mode - FirstBuild + 1) &&
           Threads <= Row->Threads;
  return Threads <= Row->Threads && warpsOf(Threads) == warpsOf(Row->Threads);
}

/// The number of the build that L takes, and the device; 0: the kernel itself.
static uint32_t choose(const RegDemLaunch *L, uint64_t Grid, int *Device) {
  const RegDemKernel *Kernel = L->Kernel;
  uint64_t Threads =
      multiply(multiply(L->BlockXY & UINT32_MAX, L->BlockXY >> 32), L->BlockZ);
  int Mode = readMode();
  if (Mode == Stock || L->Shared || !Grid || !Threads || Threads > MostThreads)
    return 0;
  uint32_t I = 0;
  while (I != Kernel->NumRows && !isForBlock(&Kernel->Rows[I], Threads, Mode))
    ++I;
  // An error that is waiting to be read would be lost if a build failed.
  if (I == Kernel->NumRows || cudaPeekAtLastError())
    return 0;
  if (cudaGetDevice(Device)) {
    cudaGetLastError();
    return 0;
  }
  if (*Device < 0 || *Device >= MostDevices)
    return 0;
  uint64_t Known = describeDevice(*Device);
  for (; I != Kernel->NumRows; ++I) {
    const RegDemRow *Row = &Kernel->Rows[I];
    if (Row->Arch != Known >> 32 || !isForBlock(Row, Threads, Mode))
      continue;
    if (Mode < FirstBuild && Grid < Row->FillBlocks * (Known & UINT32_MAX))
      return 0;
    RegDemBuild *Build = &Kernel->Builds[Row->Build - 1];
    return isUsable(Build, *Device, Threads) ? Row->Build : 0;
  }
  return 0;
}

static int launchAs(const RegDemLaunch *L, const void *Stub) {
  return cudaLaunchKernel(Stub, L->GridXY, L->GridZ, L->BlockXY, L->BlockZ,
                          L->Args, L->Shared, L->Stream);
}

/// Launches Kernel, or a build of it, as cudaLaunchKernel() does.
int __regdem_launch(const RegDemKernel *Kernel, uint64_t GridXY, uint32_t GridZ,
                    uint64_t BlockXY, uint32_t BlockZ, void **Args,
                    size_t Shared, void *Stream) {
  RegDemLaunch L = {Kernel, GridXY, BlockXY, GridZ,
                    BlockZ, Args,   Shared,  Stream};
  uint64_t Grid =
      multiply(multiply(L.GridXY & UINT32_MAX, L.GridXY >> 32), L.GridZ);
  int Device = 0;
  uint32_t Number = choose(&L, Grid, &Device);
  RegDemSample Timed = {NULL, NULL};
  if (Number && readMode() == Measure)
    Number = __regdem_measure(&L, Device, Grid, Number, &Timed);
  RegDemBuild *Build = Number ? &Kernel->Builds[Number - 1] : NULL;
  int Error = launchAs(&L, Build ? Build->Stub : Kernel->Stub);
  __regdem_measured(&L, &Timed, Error != 0);
  if (Error && Build) {
    cudaGetLastError();
    Number = 0;
    Error = launchAs(&L, Kernel->Stub);
    if (!Error)
      __atomic_fetch_or(&Build->Unusable, (uint64_t)1 << Device,
                        __ATOMIC_RELAXED);
  }
  if (!Error)
    __regdem_log(&L, Number);
  return Error;
}
