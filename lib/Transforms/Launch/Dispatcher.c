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
int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value);

enum {
  MultiProcessorCount = 16,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  SharedPerBlockOptin = 97
};
enum { MaxDynamicShared = 8 }; // An attribute of kernels.
enum { MostDevices = 64, MostThreads = 1024, SharedUnit = 16 };

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

/// Lets launches of Build, which has Static bytes of its own, add to their
/// dynamic shared memory as far as Device allows; false where that fails.
static int optIn(RegDemBuild *Build, int Device, size_t Static) {
  int Most;
  return !cudaDeviceGetAttribute(&Most, SharedPerBlockOptin, Device) &&
         Static <= (size_t)Most &&
         !cudaFuncSetAttribute(Build->Stub, MaxDynamicShared,
                               Most - (int)Static);
}

/// Whether Row's build is there on Device and takes blocks of so many threads.
static int isUsable(const RegDemRow *Row, RegDemBuild *Build, int Device,
                    uint64_t Threads) {
  uint64_t Bit = (uint64_t)1 << Device;
  if (__atomic_load_n(&Build->Unusable, __ATOMIC_RELAXED) & Bit)
    return 0;
  if (__atomic_load_n(&Build->Usable, __ATOMIC_RELAXED) & Bit)
    return 1;
  FuncAttributes Attributes;
  int Fits =
      !cudaFuncGetAttributes(&Attributes, Build->Stub) &&
      (!Row->ThreadBytes || optIn(Build, Device, Attributes.Known.Shared));
  if (!Fits)
    cudaGetLastError();
  Fits = Fits && Threads <= (uint64_t)Attributes.Known.MaxThreads;
  __atomic_fetch_or(Fits ? &Build->Usable : &Build->Unusable, Bit,
                    __ATOMIC_RELAXED);
  return Fits;
}

/// The product, or the greatest number there is.
static uint64_t multiply(uint64_t A, uint64_t B) {
  uint64_t Product;
  return __builtin_mul_overflow(A, B, &Product) ? UINT64_MAX : Product;
}

/// Whether Row is for launches of blocks of so many threads.
static int isForLaunch(const RegDemRow *Row, const RegDemLaunch *L,
                       uint64_t Threads, int Mode) {
  if (Threads > Row->Threads || L->Shared > Row->MostDynamic)
    return 0;
  return Mode >= FirstBuild ? Row->Build == (uint32_t)(Mode - FirstBuild + 1)
                            : Threads >= Row->FromThreads;
}

/// The row whose build L takes, and the device; null: the kernel itself.
static const RegDemRow *choose(const RegDemLaunch *L, uint64_t Grid,
                               uint64_t Threads, int *Device) {
  const RegDemKernel *Kernel = L->Kernel;
  int Mode = readMode();
  if (Mode == Stock || !Grid || !Threads || Threads > MostThreads)
    return NULL;
  uint32_t I = 0;
  while (I != Kernel->NumRows &&
         !isForLaunch(&Kernel->Rows[I], L, Threads, Mode))
    ++I;
  // An error that is waiting to be read would be lost if a build failed.
  if (I == Kernel->NumRows || cudaPeekAtLastError())
    return NULL;
  if (cudaGetDevice(Device)) {
    cudaGetLastError();
    return NULL;
  }
  if (*Device < 0 || *Device >= MostDevices)
    return NULL;
  uint64_t Known = describeDevice(*Device);
  for (; I != Kernel->NumRows; ++I) {
    const RegDemRow *Row = &Kernel->Rows[I];
    if (Row->Arch != Known >> 32 || !isForLaunch(Row, L, Threads, Mode))
      continue;
    if (Mode < FirstBuild && Grid < Row->FillBlocks * (Known & UINT32_MAX))
      return NULL;
    RegDemBuild *Build = &Kernel->Builds[Row->Build - 1];
    return isUsable(Row, Build, *Device, Threads) ? Row : NULL;
  }
  return NULL;
}

/// The bytes of dynamic shared memory of L as a launch of Row's build: what the
/// program asks for at the start, what the build's threads have at the end.
static uint64_t sharedFor(const RegDemLaunch *L, const RegDemRow *Row,
                          uint64_t Threads) {
  if (!Row->ThreadBytes)
    return L->Shared;
  uint64_t Both = L->Shared + (SharedUnit - 1), Added = SharedUnit - 1;
  Added += Row->ThreadBytes * Threads;
  return Both / SharedUnit * SharedUnit + Added / SharedUnit * SharedUnit;
}

static int launchAs(const RegDemLaunch *L, const void *Stub, uint64_t Shared) {
  return cudaLaunchKernel(Stub, L->GridXY, L->GridZ, L->BlockXY, L->BlockZ,
                          L->Args, Shared, L->Stream);
}

/// Launches Kernel, or a build of it, as cudaLaunchKernel() does.
int __regdem_launch(const RegDemKernel *Kernel, uint64_t GridXY, uint32_t GridZ,
                    uint64_t BlockXY, uint32_t BlockZ, void **Args,
                    size_t Shared, void *Stream) {
  RegDemLaunch L = {Kernel, GridXY, BlockXY, GridZ,
                    BlockZ, Args,   Shared,  Stream};
  uint64_t Grid =
      multiply(multiply(L.GridXY & UINT32_MAX, L.GridXY >> 32), L.GridZ);
  uint64_t Threads =
      multiply(multiply(L.BlockXY & UINT32_MAX, L.BlockXY >> 32), L.BlockZ);
  int Device = 0;
  const RegDemRow *Row = choose(&L, Grid, Threads, &Device);
  uint32_t Number = Row ? Row->Build : 0;
  RegDemSample Timed = {NULL, NULL};
  if (Number && readMode() == Measure)
    Number = __regdem_measure(&L, Device, Grid, Number, &Timed);
  RegDemBuild *Build = Number ? &Kernel->Builds[Number - 1] : NULL;
  int Error = Build ? launchAs(&L, Build->Stub, sharedFor(&L, Row, Threads))
                    : launchAs(&L, Kernel->Stub, Shared);
  __regdem_measured(&L, &Timed, Error != 0);
  if (Error && Build) {
    cudaGetLastError();
    Number = 0;
    Error = launchAs(&L, Kernel->Stub, Shared);
    if (!Error)
      __atomic_fetch_or(&Build->Unusable, (uint64_t)1 << Device,
                        __ATOMIC_RELAXED);
  }
  if (!Error)
    __regdem_log(&L, Number);
  return Error;
}
