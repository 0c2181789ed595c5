//===- Dispatcher.c - chooses a build at launch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, not of the plugin: built to
// bitcode, which Dispatch.cpp links into each host module that launches kernels
// with builds. All of it becomes internal there. It may be called by any number
// of threads at once, and holds no lock: a call of the runtime may wait for the
// GPU, and that for a launch of another thread.
//
// A kernel's first launch on a device loads all of its builds for that device,
// whatever it takes itself: loading may wait for the GPU, so that a later
// launch that had to load a build could hang where the kernel itself would not.
//
// Short launches feel each call of the runtime, so that later ones that take
// the kernel after all make none if the machine has one device.
//
// Whatever is unusual takes the kernel itself. A launch of a build that fails
// is one that has not been: its error is taken back, the kernel itself is
// launched, and if that succeeds the build is not used on this device any more.
// A launch under stream capture becomes a graph's node, of which the program
// may change block, grid and shared memory: it takes no build that depends on
// these.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE // secure_getenv()

#include "Dispatcher.h"

#include "CudaAttributes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Of the CUDA runtime.
int cudaLaunchKernel(const void *Stub, uint64_t GridXY, uint32_t GridZ,
                     uint64_t BlockXY, uint32_t BlockZ, void **Args,
                     size_t Shared, void *Stream);
int cudaGetDeviceCount(int *Count);
int cudaGetDevice(int *Device);
int cudaDeviceGetAttribute(int *Value, int Attribute, int Device);
int cudaFuncGetAttributes(void *Attributes, const void *Stub);
int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Stub, int Threads, size_t Shared, unsigned Flags);

enum { MultiProcessorCount = 16, CapabilityMajor = 75, CapabilityMinor = 76 };
enum { MostDevices = 64, MostThreads = 1024, SharedUnit = 16 };
/// From so many blocks on an SM on their number is as good as any other.
enum { MostOnSM = 1 << 20 };

/// What cudaFuncAttributes begins with in all versions, and room for the rest.
typedef union {
  struct {
    size_t Shared, Constant, Local;
    int MaxThreads;
  } Known;
  char Room[512];
} FuncAttributes;

static int NumDevices; ///< 0: not asked.
/// Compute capability and SMs of each device: Arch << 32 | SMs; 0: not asked.
static uint64_t Devices[MostDevices];

/// What REGDEM_LAUNCH asks for.
enum { NotRead, Predict, Stock, Measure, FirstBuild };
static int ModeRead; ///< FirstBuild + N - 1: build N for all that it can take.

static int readMode(void) {
  int Mode = __atomic_load_n(&ModeRead, __ATOMIC_RELAXED);
  if (Mode != NotRead)
    return Mode;
  const char *Text = secure_getenv("REGDEM_LAUNCH");
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

/// Whether the program has yet to read an error. It would be lost if the call
/// of the runtime failed that is to come.
static int hasError(void) { return cudaPeekAtLastError() != 0; }

/// The number of the current device; -1 where it cannot be asked.
static int currentDevice(void) {
  int Count = __atomic_load_n(&NumDevices, __ATOMIC_RELAXED), Device = 0;
  if (Count == 1)
    return 0;
  if (hasError())
    return -1;
  if ((!Count && cudaGetDeviceCount(&Count)) || cudaGetDevice(&Device)) {
    cudaGetLastError();
    return -1;
  }
  __atomic_store_n(&NumDevices, Count, __ATOMIC_RELAXED);
  return Device < MostDevices ? Device : -1;
}

/// Device's entry of Devices; 0 where it cannot be asked.
static uint64_t describeDevice(int Device) {
  uint64_t Known = __atomic_load_n(&Devices[Device], __ATOMIC_RELAXED);
  if (Known || hasError())
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
  return !cudaDeviceGetAttribute(&Most, MostSharedOfBlock, Device) &&
         Static <= (size_t)Most &&
         !cudaFuncSetAttribute(Build->Stub, MaxDynamicShared,
                               Most - (int)Static);
}

/// Loads build Number of Kernel on P's device. Whether it is there, and takes
/// all blocks that rows have it for; false where no row has.
static int loadBuild(const RegDemKernel *Kernel, uint32_t Number,
                     const RegDemPlace *P) {
  const RegDemRow *Largest = NULL;
  for (uint32_t I = 0; I != Kernel->NumRows; ++I) {
    const RegDemRow *Row = &Kernel->Rows[I];
    if (Row->Arch == P->Arch && Row->Build == Number &&
        (!Largest || Row->Threads > Largest->Threads))
      Largest = Row;
  }
  if (!Largest)
    return 0;
  RegDemBuild *Build = &Kernel->Builds[Number - 1];
  FuncAttributes Attributes;
  int IsThere = !cudaFuncGetAttributes(&Attributes, Build->Stub);
  // A node of a graph, too, may be given more than its launch had.
  int MayAdd = IsThere && optIn(Build, P->Device, Attributes.Known.Shared);
  if (!MayAdd)
    cudaGetLastError();
  if (!IsThere || (Largest->ThreadBytes && !MayAdd))
    return 0;
  return Largest->Threads <= (uint32_t)Attributes.Known.MaxThreads;
}

/// Loads Kernel's builds on P's device unless they are; false where that cannot
/// be done now. A stream of any thread may be capturing.
static int loadBuilds(RegDemKernel *Kernel, const RegDemPlace *P) {
  uint64_t Bit = (uint64_t)1 << P->Device;
  if (__atomic_load_n(&Kernel->Loaded, __ATOMIC_ACQUIRE) & Bit)
    return 1;
  if (hasError())
    return 0;
  int Mode = CaptureModeRelaxed;
  if (cudaThreadExchangeStreamCaptureMode(&Mode)) {
    cudaGetLastError();
    return 0;
  }
  for (uint32_t Number = 1; Number <= Kernel->NumBuilds; ++Number)
    if (!loadBuild(Kernel, Number, P))
      __atomic_fetch_or(&Kernel->Builds[Number - 1].Unusable, Bit,
                        __ATOMIC_RELAXED);
  cudaThreadExchangeStreamCaptureMode(&Mode);
  __atomic_fetch_or(&Kernel->Loaded, Bit, __ATOMIC_RELEASE);
  return 1;
}

/// Whether Kernel's builds have been loaded on all devices there are.
static int isLoadedEverywhere(const RegDemKernel *Kernel) {
  int Count = __atomic_load_n(&NumDevices, __ATOMIC_RELAXED);
  uint64_t All =
      Count < MostDevices ? ((uint64_t)1 << Count) - 1 : ~(uint64_t)0;
  return Count && __atomic_load_n(&Kernel->Loaded, __ATOMIC_RELAXED) == All;
}

/// The product, or the greatest number there is.
static uint64_t multiply(uint64_t A, uint64_t B) {
  uint64_t Product;
  return __builtin_mul_overflow(A, B, &Product) ? UINT64_MAX : Product;
}

/// Whether Row's build may be taken, and be faster, where an SM gets so many
/// blocks and holds Blocks of the build and StockBlocks of the kernel. Where it
/// holds all of the kernel's at a time, one that would hold more gains nothing
/// by that; and if these may wait for each other, the build has to hold as many
/// as the kernel, as the program may have fewer SMs than the device (green
/// contexts).
static int mayGain(const RegDemRow *Row, uint64_t OnSM, uint64_t Blocks,
                   uint64_t StockBlocks) {
  return OnSM > StockBlocks ||
         (Blocks <= StockBlocks && (Blocks == StockBlocks || !Row->MayWait));
}

/// Expected cycles for so many blocks on one SM: full rounds, then the rest.
static uint64_t cyclesFor(const RegDemTimes *T, uint64_t OnSM) {
  uint64_t Rest = OnSM % T->Blocks, Cycles = OnSM / T->Blocks * T->Full;
  if (!Rest)
    return Cycles;
  uint64_t More = (uint64_t)(T->Full - T->Alone) * (Rest - 1);
  return Cycles + T->Alone + More / (T->Blocks - 1);
}

/// The same where a rest after full rounds takes as long as one, as it does if
/// blocks wait for what each of them fetches.
static uint64_t mostCyclesFor(const RegDemTimes *T, uint64_t OnSM) {
  if (OnSM <= T->Blocks)
    return cyclesFor(T, OnSM);
  return (OnSM / T->Blocks + (OnSM % T->Blocks != 0)) * T->Full;
}

/// Whether Row's build is expected to be faster where an SM gets so many
/// blocks.
static int isFaster(const RegDemRow *Row, uint64_t OnSM) {
  if (OnSM > MostOnSM)
    OnSM = MostOnSM;
  return mayGain(Row, OnSM, Row->Own.Blocks, Row->Stock.Blocks) &&
         mostCyclesFor(&Row->Own, OnSM) < cyclesFor(&Row->Stock, OnSM);
}

/// Whether a launch such as L may take Row's build: its shared memory suffices.
static int fits(const RegDemRow *Row, const RegDemLaunch *L, uint64_t Threads) {
  return Threads <= Row->Threads && L->Shared <= Row->MostDynamic;
}

/// Blocks of Stub that an SM holds; 0 where that is not known.
static uint64_t blocksOnSM(const void *Stub, uint64_t Threads,
                           uint64_t Shared) {
  int Blocks;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &Blocks, Stub, (int)Threads, Shared, 0)) {
    cudaGetLastError();
    return 0;
  }
  return (uint64_t)Blocks;
}

/// Whether a row is for blocks such as L's.
static int hasRow(const RegDemLaunch *L, const RegDemPlace *P) {
  if (!P->Grid || !P->Threads || P->Threads > MostThreads)
    return 0;
  for (uint32_t I = 0; I != L->Kernel->NumRows; ++I)
    if (fits(&L->Kernel->Rows[I], L, P->Threads))
      return 1;
  return 0;
}

/// Sets P for L, and loads the kernel's builds there; false where none may be
/// launched.
static int findPlace(const RegDemLaunch *L, RegDemPlace *P) {
  int HasRow = hasRow(L, P);
  if (!HasRow && isLoadedEverywhere(L->Kernel))
    return 0;
  P->Device = currentDevice();
  uint64_t Known = P->Device < 0 ? 0 : describeDevice(P->Device);
  if (!Known)
    return 0;
  P->Arch = (uint32_t)(Known >> 32);
  uint64_t SMs = Known & UINT32_MAX;
  P->OnSM = P->Grid / SMs + (P->Grid % SMs != 0);
  return loadBuilds(L->Kernel, P) && HasRow;
}

/// Whether L may take Row's build at P.
static int isPossible(const RegDemRow *Row, const RegDemLaunch *L,
                      const RegDemPlace *P) {
  const RegDemBuild *Build = &L->Kernel->Builds[Row->Build - 1];
  uint64_t Unusable = __atomic_load_n(&Build->Unusable, __ATOMIC_RELAXED);
  return Row->Arch == P->Arch && fits(Row, L, P->Threads) &&
         !(Unusable >> P->Device & 1);
}

/// The row by which L has to take a build, as the kernel itself cannot be
/// launched so; null: there is none.
static const RegDemRow *onlyRow(const RegDemLaunch *L, const RegDemPlace *P) {
  for (uint32_t I = 0; I != L->Kernel->NumRows; ++I) {
    const RegDemRow *Row = &L->Kernel->Rows[I];
    if (Row->OnlyBuild && P->Threads >= Row->FromThreads && !hasError() &&
        isPossible(Row, L, P))
      return Row;
  }
  return NULL;
}

const RegDemRow *__regdem_choose(const RegDemLaunch *L, const RegDemPlace *P) {
  const RegDemKernel *Kernel = L->Kernel;
  int Mode = readMode();
  for (uint32_t I = 0; I != Kernel->NumRows; ++I) {
    const RegDemRow *Row = &Kernel->Rows[I];
    int IsWanted = Mode >= FirstBuild
                       ? Row->Build == (uint32_t)(Mode - FirstBuild + 1)
                       : P->Threads >= Row->FromThreads;
    if (!IsWanted || Row->Arch != P->Arch || !fits(Row, L, P->Threads))
      continue;
    int IsTaken = (Mode >= FirstBuild || isFaster(Row, P->OnSM)) &&
                  !hasError() && isPossible(Row, L, P);
    return IsTaken ? Row : NULL;
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

RegDemChoices __regdem_choices(const RegDemLaunch *L, const RegDemPlace *P) {
  const RegDemKernel *Kernel = L->Kernel;
  RegDemChoices Choices = {{NULL}};
  uint64_t OfStock = blocksOnSM(Kernel->Stub, P->Threads, L->Shared);
  for (uint32_t I = 0; OfStock && I != Kernel->NumRows; ++I) {
    const RegDemRow *Row = &Kernel->Rows[I];
    if (!isPossible(Row, L, P))
      continue;
    uint64_t Blocks = blocksOnSM(Kernel->Builds[Row->Build - 1].Stub,
                                 P->Threads, sharedFor(L, Row, P->Threads));
    if (Blocks && mayGain(Row, P->OnSM, Blocks, OfStock))
      Choices.Rows[Row->Build] = Row;
  }
  return Choices;
}

/// Whether a launch in Stream may become a graph's node. The legacy stream
/// cannot be asked while one that waits for it is capturing. No error may be
/// waiting to be read.
static int mayBeCaptured(void *Stream) {
  int Status;
  if (!cudaStreamIsCapturing(Stream, &Status))
    return Status != 0;
  cudaGetLastError();
  return 1;
}

static int launchAs(const RegDemLaunch *L, const void *Stub, uint64_t Shared) {
  return cudaLaunchKernel(Stub, L->GridXY, L->GridZ, L->BlockXY, L->BlockZ,
                          L->Args, Shared, L->Stream);
}

/// Launches Kernel, or a build of it, as cudaLaunchKernel() does.
int __regdem_launch(RegDemKernel *Kernel, uint64_t GridXY, uint32_t GridZ,
                    uint64_t BlockXY, uint32_t BlockZ, void **Args,
                    size_t Shared, void *Stream) {
  RegDemLaunch L = {Kernel, GridXY, BlockXY, GridZ,
                    BlockZ, Args,   Shared,  Stream};
  uint64_t Grid =
      multiply(multiply(L.GridXY & UINT32_MAX, L.GridXY >> 32), L.GridZ);
  uint64_t Threads =
      multiply(multiply(L.BlockXY & UINT32_MAX, L.BlockXY >> 32), L.BlockZ);
  RegDemPlace P = {Grid, Threads, 0, 0, 0};
  int Mode = readMode();
  const RegDemRow *Row = NULL;
  RegDemSample Timed = {NULL, NULL};
  if (Mode != Stock && findPlace(&L, &P) && !(Row = onlyRow(&L, &P)))
    Row = Mode == Measure ? __regdem_measure(&L, &P, &Timed)
                          : __regdem_choose(&L, &P);
  if (Row && !Row->AnyLaunch && !Timed.Sample && mayBeCaptured(Stream))
    Row = NULL;
  uint32_t Number = Row ? Row->Build : 0;
  RegDemBuild *Build = Number ? &Kernel->Builds[Number - 1] : NULL;
  int Error = Build ? launchAs(&L, Build->Stub, sharedFor(&L, Row, Threads))
                    : launchAs(&L, Kernel->Stub, Shared);
  __regdem_measured(&L, &Timed, Error != 0);
  if (Error && Build && Row->ThreadBytes) {
    cudaGetLastError();
    // A device that has been reset has forgotten what the build opted in to.
    __atomic_fetch_and(&Kernel->Loaded, ~((uint64_t)1 << P.Device),
                       __ATOMIC_RELAXED);
    if (loadBuilds(Kernel, &P))
      Error = launchAs(&L, Build->Stub, sharedFor(&L, Row, Threads));
  }
  if (Error && Build) {
    cudaGetLastError();
    Number = 0;
    Error = launchAs(&L, Kernel->Stub, Shared);
    if (!Error)
      __atomic_fetch_or(&Build->Unusable, (uint64_t)1 << P.Device,
                        __ATOMIC_RELAXED);
  }
  if (!Error)
    __regdem_log(&L, Number);
  return Error;
}

/// The same for cudaLaunchKernel_ptsz(), to which no stream is this thread's
/// own (cudaStreamPerThread).
int __regdem_launch_ptsz(RegDemKernel *Kernel, uint64_t GridXY, uint32_t GridZ,
                         uint64_t BlockXY, uint32_t BlockZ, void **Args,
                         size_t Shared, void *Stream) {
  return __regdem_launch(Kernel, GridXY, GridZ, BlockXY, BlockZ, Args, Shared,
                         Stream ? Stream : (void *)0x2);
}
