//===- LaunchMeasure.c - measures a build against its kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, as Dispatcher.c, for
// REGDEM_LAUNCH=measure. The first launches of a kind take the kernel and the
// build that the tables name for it by turns, each between two events. These
// are read when the kind is launched again, without waiting. Once all are read,
// the kernel replaces the build if its median is below the build's lower
// quartile.
//
//===----------------------------------------------------------------------===//

#include "Dispatcher.h"

#include <stddef.h>
#include <stdlib.h>

int cudaGetLastError(void);
int cudaStreamIsCapturing(void *Stream, int *Status);
int cudaThreadExchangeStreamCaptureMode(int *Mode);
int cudaEventCreateWithFlags(void **Event, unsigned Flags);
int cudaEventRecord(void *Event, void *Stream);
int cudaEventQuery(void *Event);
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *Stop);
int cudaEventDestroy(void *Event);

/// Launches of each of the two that are timed; the first, which may have to
/// load code, does not count.
enum { Samples = 8, Counted = Samples - 1, MostKinds = 1024 };
enum { CaptureModeRelaxed = 2 };

typedef struct {
  void *Start, *Stop;
  float Milliseconds;
  enum { Unused, Started, Stopped, Read } State;
} Sample;

/// Launches with the same block and dynamic shared memory on one device, and
/// grids of up to twice the blocks.
typedef struct {
  const RegDemKernel *Kernel;
  uint64_t BlockXY, Shared;
  uint32_t BlockZ, Build;
  int Device, GridLog2;
  int IsSettled;
  uint32_t Chosen;       ///< Once it is settled.
  Sample Of[2][Samples]; ///< Of the kernel, and of the build.
} Kind;

static Kind *Kinds[MostKinds];
static size_t NumKinds;
static char IsLocked;

static void lock(void) {
  while (__atomic_test_and_set(&IsLocked, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) { __atomic_clear(&IsLocked, __ATOMIC_RELEASE); }

/// The entry of such launches; null where there is no room for one.
static Kind *kindOf(const RegDemLaunch *L, int Device, int GridLog2,
                    uint32_t Build) {
  for (size_t I = 0; I != NumKinds; ++I) {
    Kind *K = Kinds[I];
    if (K->Kernel == L->Kernel && K->BlockXY == L->BlockXY &&
        K->BlockZ == L->BlockZ && K->Shared == L->Shared &&
        K->Device == Device && K->GridLog2 == GridLog2 && K->Build == Build)
      return K;
  }
  Kind *K = NumKinds == MostKinds ? NULL : calloc(1, sizeof(Kind));
  if (!K)
    return NULL;
  K->Kernel = L->Kernel;
  K->BlockXY = L->BlockXY;
  K->BlockZ = L->BlockZ;
  K->Shared = L->Shared;
  K->Build = Build;
  K->Device = Device;
  K->GridLog2 = GridLog2;
  return Kinds[NumKinds++] = K;
}

static void settle(Kind *K, uint32_t Chosen) {
  K->IsSettled = 1;
  K->Chosen = Chosen;
  for (int Which = 0; Which != 2; ++Which)
    for (int I = 0; I != Samples; ++I) {
      Sample *S = &K->Of[Which][I];
      if (S->Start)
        cudaEventDestroy(S->Start);
      if (S->Stop)
        cudaEventDestroy(S->Stop);
      S->Start = S->Stop = NULL;
    }
}

static int compare(const void *A, const void *B) {
  float X = *(const float *)A, Y = *(const float *)B;
  return (X > Y) - (X < Y);
}

/// Times that count, in ascending order.
static void sortedTimes(const Sample *Of, float *Times) {
  for (int I = 0; I != Counted; ++I)
    Times[I] = Of[I + 1].Milliseconds;
  qsort(Times, Counted, sizeof(float), compare);
}

/// Reads what has been timed by now, and settles K once that is all.
static void readSamples(Kind *K, const RegDemLaunch *L) {
  int NumRead = 0;
  for (int Which = 0; Which != 2; ++Which)
    for (int I = 0; I != Samples; ++I) {
      Sample *S = &K->Of[Which][I];
      if (S->State == Stopped) {
        if (cudaEventQuery(S->Stop) ||
            cudaEventElapsedTime(&S->Milliseconds, S->Start, S->Stop))
          cudaGetLastError(); // Not yet, as a rule.
        else
          S->State = Read;
      }
      NumRead += S->State == Read;
    }
  if (NumRead != 2 * Samples)
    return;
  float Stock[Counted], Build[Counted];
  sortedTimes(K->Of[0], Stock);
  sortedTimes(K->Of[1], Build);
  int StockWins = Stock[Counted / 2] < Build[Counted / 4];
  settle(K, StockWins ? 0 : K->Build);
  __regdem_log_settled(L, K->Chosen, Stock[Counted / 2], Build[Counted / 2]);
}

/// Starts the next sample of K on Stream; null where there is none to start.
static Sample *startSample(Kind *K, void *Stream, uint32_t *Number) {
  for (int I = 0; I != Samples; ++I)
    for (int Turn = 0; Turn != 2; ++Turn) {
      int Which = (I + Turn) % 2; // Either of the two comes first at times.
      Sample *S = &K->Of[Which][I];
      if (S->State != Unused)
        continue;
      if (cudaEventCreateWithFlags(&S->Start, 0) ||
          cudaEventCreateWithFlags(&S->Stop, 0) ||
          cudaEventRecord(S->Start, Stream)) {
        cudaGetLastError();
        settle(K, K->Build);
        return NULL;
      }
      S->State = Started;
      *Number = Which ? K->Build : 0;
      return S;
    }
  return NULL;
}

uint32_t __regdem_measure(const RegDemLaunch *L, int Device, uint64_t Grid,
                          uint32_t Build, RegDemSample *Timed) {
  int Status = 0;
  Timed->Kind = Timed->Sample = NULL;
  if (cudaStreamIsCapturing(L->Stream, &Status)) {
    cudaGetLastError();
    return Build;
  }
  uint32_t Number = Build;
  int Mode = CaptureModeRelaxed; // Another thread may be capturing.
  lock();
  cudaThreadExchangeStreamCaptureMode(&Mode);
  Kind *K = kindOf(L, Device, 63 - __builtin_clzll(Grid), Build);
  if (K && !K->IsSettled)
    readSamples(K, L);
  if (K && K->IsSettled) {
    Number = K->Chosen;
  } else if (K && !Status) {
    Timed->Sample = startSample(K, L->Stream, &Number);
    Timed->Kind = K;
  }
  cudaThreadExchangeStreamCaptureMode(&Mode);
  unlock();
  return Number;
}

void __regdem_measured(const RegDemLaunch *L, RegDemSample *Timed,
                       int HasFailed) {
  Kind *K = Timed->Kind;
  Sample *S = Timed->Sample;
  if (!S)
    return;
  lock();
  if (!K->IsSettled) {
    if (HasFailed) {
      settle(K, 0);
    } else if (cudaEventRecord(S->Stop, L->Stream)) {
      cudaGetLastError();
      settle(K, K->Build);
    } else {
      S->State = Stopped;
    }
  }
  unlock();
}
