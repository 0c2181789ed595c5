//===- LaunchMeasure.c - measures builds against their kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, as Dispatcher.c, for
// REGDEM_LAUNCH=measure. The first launch of a kind takes the kernel, and may
// have to load its code. Those that follow take the kernel and all builds that
// may be faster by turns, each between two events. These are read when the kind
// is launched again, without waiting. After each round the entries go that
// clearly lose. A build replaces the kernel if its median is below the kernel's
// lower quartile.
//
// Timing a launch costs time, too, and so do slow builds. A budget bounds both:
// the kernel comes first, launches that are too short for the least number of
// rounds take what is expected until there have been enough for all rounds, and
// the slowest builds go where there is not enough left for all.
//
//===----------------------------------------------------------------------===//

#include "Dispatcher.h"

#include <stddef.h>
#include <stdlib.h>

int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaStreamIsCapturing(void *Stream, int *Status);
int cudaThreadExchangeStreamCaptureMode(int *Mode);
int cudaEventCreateWithFlags(void **Event, unsigned Flags);
int cudaEventRecord(void *Event, void *Stream);
int cudaEventQuery(void *Event);
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *Stop);
int cudaEventDestroy(void *Event);

enum { MostRounds = 7, LeastRounds = 2, MostKinds = 1024 };
enum { KindSlots = 2 * MostKinds };      ///< Of the table that finds them.
enum { Entries = RegDemMostBuilds + 1 }; ///< The kernel itself, and builds.
enum { CaptureModeRelaxed = 2 };
/// Numbers of blocks on an SM that are kinds of their own. No GPU holds so many
/// at a time.
enum { FewBlocks = 64 };
/// Measuring may cost such a share of so many launches of the kernel, or of all
/// that there have been. Timing one costs so many milliseconds: two events
/// between launches 3 microseconds, asking for their state the rest (measured
/// on an H100).
enum { LeastLaunches = 200 };
static const float MostShare = 0.005f, CostOfTiming = 0.0035f;

/// An entry that is measured.
typedef struct {
  int IsIn; ///< It may still win.
  void *Start, *Stop;
  enum { Idle, Started, Stopped, Read } State; ///< In this round.
  int NumTimes;
  float Times[MostRounds]; ///< Milliseconds.
} Entry;

/// Launches with the same block and dynamic shared memory on one device, and
/// as many blocks for an SM: up to twice the blocks where these are many.
typedef struct {
  const RegDemKernel *Kernel;
  uint64_t BlockXY, Shared;
  uint32_t BlockZ;
  int Device, Blocks;
  RegDemChoices Choices;
  int IsSettled;
  uint32_t Chosen;   ///< Once it is settled; before, what is expected.
  uint64_t Launches; ///< Until it is settled, captured ones left out.
  int Round;
  Entry Of[Entries];
} Kind;

/// Each lies in the first slot from its hash on that was free; after the last
/// comes the first. Every launch of a program that measures looks its kind up.
static Kind *Kinds[KindSlots];
static size_t NumKinds;
static char IsLocked;

static void lock(void) {
  while (__atomic_test_and_set(&IsLocked, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) { __atomic_clear(&IsLocked, __ATOMIC_RELEASE); }

static int countIn(const Kind *K) {
  int Count = 0;
  for (int E = 0; E != Entries; ++E)
    Count += K->Of[E].IsIn;
  return Count;
}

/// Numbers the kinds of launches on one device by the blocks that an SM gets.
static int kindOfBlocks(const RegDemPlace *P) {
  return P->OnSM < FewBlocks ? (int)P->OnSM
                             : FewBlocks + 63 - __builtin_clzll(P->OnSM);
}

static int isOfKind(const Kind *K, const RegDemLaunch *L, const RegDemPlace *P,
                    int Blocks) {
  return K->Kernel == L->Kernel && K->BlockXY == L->BlockXY &&
         K->BlockZ == L->BlockZ && K->Shared == L->Shared &&
         K->Device == P->Device && K->Blocks == Blocks;
}

/// The slot of such launches' kind; null is in it where there is none yet.
static Kind **findSlot(const RegDemLaunch *L, const RegDemPlace *P) {
  int Blocks = kindOfBlocks(P);
  uint64_t Parts[] = {(uintptr_t)L->Kernel, L->BlockXY, L->BlockZ, L->Shared,
                      (uint64_t)P->Device,  Blocks};
  uint64_t Hash = 0;
  for (size_t I = 0; I != sizeof(Parts) / sizeof(*Parts); ++I)
    Hash = (Hash ^ Parts[I]) * 0x9E3779B97F4A7C15u;
  size_t At = Hash >> 32;
  while (Kinds[At %= KindSlots] && !isOfKind(Kinds[At], L, P, Blocks))
    ++At;
  return &Kinds[At];
}

/// A new kind for such launches, for findSlot()'s slot; null where there is no
/// room for one.
static Kind *addKind(const RegDemLaunch *L, const RegDemPlace *P) {
  Kind *K = NumKinds == MostKinds ? NULL : calloc(1, sizeof(Kind));
  if (!K)
    return NULL;
  K->Kernel = L->Kernel;
  K->BlockXY = L->BlockXY;
  K->BlockZ = L->BlockZ;
  K->Shared = L->Shared;
  K->Device = P->Device;
  K->Blocks = kindOfBlocks(P);
  K->Choices = __regdem_choices(L, P);
  const RegDemRow *Expected = __regdem_choose(L, P);
  if (Expected && K->Choices.Rows[Expected->Build])
    K->Chosen = Expected->Build;
  K->Of[0].IsIn = 1;
  for (int E = 1; E != Entries; ++E)
    K->Of[E].IsIn = K->Choices.Rows[E] != NULL;
  K->IsSettled = countIn(K) == 1;
  ++NumKinds;
  return K;
}

static void settle(Kind *K, uint32_t Chosen) {
  K->IsSettled = 1;
  K->Chosen = Chosen;
  for (int E = 0; E != Entries; ++E) {
    Entry *Its = &K->Of[E];
    if (Its->Start)
      cudaEventDestroy(Its->Start);
    if (Its->Stop)
      cudaEventDestroy(Its->Stop);
    Its->Start = Its->Stop = NULL;
  }
}

static int compare(const void *A, const void *B) {
  float X = *(const float *)A, Y = *(const float *)B;
  return (X > Y) - (X < Y);
}

enum { Least, LowerQuartile, Median, Greatest = 4 };

/// One of the times of an entry that has some.
static float timeOf(const Kind *K, int E, int Which) {
  const Entry *Its = &K->Of[E];
  float Sorted[MostRounds];
  for (int I = 0; I != Its->NumTimes; ++I)
    Sorted[I] = Its->Times[I];
  qsort(Sorted, (size_t)Its->NumTimes, sizeof(float), compare);
  return Sorted[(Its->NumTimes - 1) * Which / Greatest];
}

/// The build with the least median of those that are in, if that is below the
/// kernel's lower quartile or the kernel is out; else the kernel.
static int bestEntry(const Kind *K) {
  int Best = 0;
  for (int E = 1; E != Entries; ++E)
    if (K->Of[E].IsIn &&
        (!Best || timeOf(K, E, Median) < timeOf(K, Best, Median)))
      Best = E;
  int Replaces = Best && (!K->Of[0].IsIn || timeOf(K, Best, Median) <
                                                timeOf(K, 0, LowerQuartile));
  return Replaces ? Best : 0;
}

/// Notes the medians of the kernel and of the best build that was timed.
static void logSettled(const Kind *K, const RegDemLaunch *L) {
  int Build = (int)K->Chosen;
  for (int E = 1; !K->Chosen && E != Entries; ++E)
    if (K->Of[E].NumTimes &&
        (!Build || timeOf(K, E, Median) < timeOf(K, Build, Median)))
      Build = E;
  __regdem_log_settled(L, K->Chosen, timeOf(K, 0, Median),
                       timeOf(K, Build, Median));
}

/// Milliseconds by which a launch of E that is timed is longer than one of the
/// kernel that is not, if it takes Time.
static float costOf(const Kind *K, float Time) {
  float Stock = timeOf(K, 0, Median);
  return CostOfTiming + (Time > Stock ? Time - Stock : 0);
}

/// Milliseconds that so many launches allow if the kernel takes Time.
static float budgetOf(uint64_t Launches, float Time) {
  if (Launches < LeastLaunches)
    Launches = LeastLaunches;
  return MostShare * (float)Launches * Time;
}

/// Whether K's budget has room for another round.
static int hasRoom(const Kind *K) {
  float Cost = 0;
  for (int E = 0; E != Entries; ++E) {
    const Entry *Its = &K->Of[E];
    for (int I = 0; I != Its->NumTimes; ++I)
      Cost += costOf(K, Its->Times[I]);
    if (Its->IsIn)
      Cost += costOf(K, timeOf(K, E, Median));
  }
  return Cost <= budgetOf(K->Launches, timeOf(K, 0, Median));
}

/// The slowest of two or more builds that are in; 0: there are fewer.
static int slowestBuild(const Kind *K) {
  int Slowest = 0, NumBuilds = 0;
  for (int E = 1; E != Entries; ++E) {
    if (!K->Of[E].IsIn)
      continue;
    ++NumBuilds;
    if (!Slowest || timeOf(K, E, Median) > timeOf(K, Slowest, Median))
      Slowest = E;
  }
  return NumBuilds > 1 ? Slowest : 0;
}

/// Removes what clearly loses or is too dear, and settles K where one is left,
/// or no further round is worth it.
static void endRound(Kind *K, const RegDemLaunch *L) {
  for (int E = 0; E != Entries; ++E) {
    K->Of[E].NumTimes += K->Of[E].IsIn;
    K->Of[E].State = Idle;
  }
  int Best = bestEntry(K);
  if (++K->Round >= LeastRounds)
    for (int E = 0; E != Entries; ++E)
      if (K->Of[E].IsIn && timeOf(K, E, Least) > timeOf(K, Best, Greatest))
        K->Of[E].IsIn = 0;
  for (int E; !hasRoom(K) && (E = slowestBuild(K));)
    K->Of[E].IsIn = 0;
  K->Chosen = (uint32_t)Best;
  if (countIn(K) > 1 && K->Round != MostRounds && hasRoom(K))
    return;
  settle(K, K->Chosen);
  logSettled(K, L);
}

/// Whether the kernel has been timed, and its launches are too short for the
/// least number of rounds and too few for all. What timing costs may be in its
/// time.
static int isWaiting(const Kind *K) {
  if (K->Round || K->Of[0].State != Read)
    return 0;
  float Cost = (float)countIn(K) * CostOfTiming,
        Time = K->Of[0].Times[0] - CostOfTiming;
  return LeastRounds * Cost > budgetOf(LeastLaunches, Time) &&
         MostRounds * Cost > budgetOf(K->Launches, Time);
}

/// Reads what has been timed by now.
static void readTimes(Kind *K, const RegDemLaunch *L) {
  int NumRead = 0;
  for (int E = 0; E != Entries; ++E) {
    Entry *Its = &K->Of[E];
    if (Its->IsIn && Its->State == Stopped) {
      if (cudaEventQuery(Its->Stop) ||
          cudaEventElapsedTime(&Its->Times[K->Round], Its->Start, Its->Stop))
        cudaGetLastError(); // Not yet, as a rule.
      else
        Its->State = Read;
    }
    NumRead += Its->IsIn && Its->State == Read;
  }
  if (NumRead == countIn(K))
    endRound(K, L);
}

/// Starts to time the next entry of this round on Stream, and returns its
/// number; -1 where there is none to start.
static int startEntry(Kind *K, void *Stream) {
  for (int I = 0; I != Entries; ++I) {
    int E = K->Round % 2 ? Entries - 1 - I : I; // Each comes first at times.
    Entry *Its = &K->Of[E];
    if (E && ((K->Round == 0 && K->Of[0].State != Read) || isWaiting(K)))
      return -1; // When builds are timed depends on the kernel's time.
    if (!Its->IsIn || Its->State != Idle)
      continue;
    if ((!Its->Start && (cudaEventCreateWithFlags(&Its->Start, 0) ||
                         cudaEventCreateWithFlags(&Its->Stop, 0))) ||
        cudaEventRecord(Its->Start, Stream)) {
      cudaGetLastError();
      settle(K, K->Chosen);
      return -1;
    }
    Its->State = Started;
    return E;
  }
  return -1;
}

/// The entry that a launch of K takes, which is timed if Timed is set.
static uint32_t nextEntry(Kind *K, const RegDemLaunch *L, RegDemSample *Timed) {
  int Status = 0, Mode = CaptureModeRelaxed;
  if (isWaiting(K)) {
    ++K->Launches;
    return K->Chosen;
  }
  if (cudaStreamIsCapturing(L->Stream, &Status)) {
    cudaGetLastError();
    return K->Chosen;
  }
  K->Launches += !Status;
  cudaThreadExchangeStreamCaptureMode(&Mode); // Another thread may capture.
  readTimes(K, L);
  int IsFirst = !Status && K->Launches == 1;
  int IsTimed = !K->IsSettled && !Status && !IsFirst;
  int E = IsTimed ? startEntry(K, L->Stream) : -1;
  cudaThreadExchangeStreamCaptureMode(&Mode);
  if (E < 0)
    return IsFirst ? 0 : K->Chosen;
  Timed->Kind = K;
  Timed->Sample = &K->Of[E];
  return (uint32_t)E;
}

const RegDemRow *__regdem_measure(const RegDemLaunch *L, const RegDemPlace *P,
                                  RegDemSample *Timed) {
  const RegDemRow *Row = NULL;
  lock();
  Kind **Slot = findSlot(L, P), *K = *Slot;
  int TakesKernel = K && K->IsSettled && !K->Chosen;
  if (!TakesKernel && !cudaPeekAtLastError()) {
    if (!K)
      K = *Slot = addKind(L, P);
    if (!K)
      Row = __regdem_choose(L, P);
    else
      Row = K->Choices.Rows[K->IsSettled ? K->Chosen : nextEntry(K, L, Timed)];
  }
  unlock();
  return Row;
}

void __regdem_measured(const RegDemLaunch *L, RegDemSample *Timed,
                       int HasFailed) {
  Kind *K = Timed->Kind;
  Entry *Its = Timed->Sample;
  if (!Its)
    return;
  lock();
  if (!K->IsSettled) {
    if (HasFailed) {
      settle(K, 0);
    } else if (cudaEventRecord(Its->Stop, L->Stream)) {
      cudaGetLastError();
      settle(K, K->Chosen);
    } else {
      Its->State = Stopped;
    }
  }
  unlock();
}
