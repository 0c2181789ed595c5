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
// lower quartile. Where an event fails, as all do after cudaDeviceReset(), the
// kind takes from then on what is chosen by then.
//
// No lock is held: kinds are only ever added, and one thread at a time works on
// a kind, from choosing what its launch takes to the event after the launch.
// Launches of other threads take what is chosen by then.
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
#include <string.h>

int cudaEventCreateWithFlags(void **Event, unsigned Flags);
int cudaEventRecord(void *Event, void *Stream);
int cudaEventQuery(void *Event);
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *Stop);
int cudaEventDestroy(void *Event);

enum { MostRounds = 7, LeastRounds = 2, MostKinds = 1024 };
enum { KindSlots = 2 * MostKinds };      ///< Of the table that finds them.
enum { Entries = RegDemMostBuilds + 1 }; ///< The kernel itself, and builds.
enum { NotReady = 600 };                 // cudaErrorNotReady
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
  enum { Idle, Launched, Read } State; ///< In this round.
  int NumTimes;
  float Times[MostRounds]; ///< Milliseconds.
} Entry;

/// What launches of a kind have in common: kernel, block, dynamic shared
/// memory, device, and blocks for an SM, up to twice the blocks where these are
/// many.
typedef struct {
  uint64_t Parts[6];
} Key;

/// What is known of such launches.
typedef struct {
  Key Its;
  /// What launches take that are not measured; null: the kernel. Any thread
  /// reads this, and whether it is settled.
  const RegDemRow *Chosen;
  int IsSettled; ///< No launch is measured any more.
  char IsBusy;   ///< A thread works on what follows.
  int IsPrepared;
  RegDemChoices Choices;
  uint64_t Launches; ///< While nothing is settled, captured ones left out.
  int Round;
  Entry Of[Entries];
} Kind;

/// Each lies in the first slot from its hash on that was free; after the last
/// comes the first. Every launch of a program that measures looks its kind up.
static Kind *Kinds[KindSlots];
static size_t NumKinds;

static const RegDemRow *chosenFor(const Kind *K) {
  return __atomic_load_n(&K->Chosen, __ATOMIC_ACQUIRE);
}
static void choose(Kind *K, int E) {
  __atomic_store_n(&K->Chosen, K->Choices.Rows[E], __ATOMIC_RELEASE);
}
static int isSettled(const Kind *K) {
  return __atomic_load_n(&K->IsSettled, __ATOMIC_ACQUIRE);
}

/// Whether this thread is to work on K; stopWork() follows then.
static int startWork(Kind *K) {
  return !isSettled(K) && !__atomic_test_and_set(&K->IsBusy, __ATOMIC_ACQUIRE);
}
static void stopWork(Kind *K) { __atomic_clear(&K->IsBusy, __ATOMIC_RELEASE); }

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

static Key keyOf(const RegDemLaunch *L, const RegDemPlace *P) {
  return (Key){{(uintptr_t)L->Kernel, L->BlockXY, L->BlockZ, L->Shared,
                (uint64_t)P->Device, (uint64_t)kindOfBlocks(P)}};
}

static void deleteKind(Kind *K) {
  __atomic_fetch_sub(&NumKinds, 1, __ATOMIC_RELAXED);
  free(K);
}

/// A new kind for such launches; null where there are too many or memory is
/// short.
static Kind *newKind(const Key *Its) {
  size_t Others = __atomic_fetch_add(&NumKinds, 1, __ATOMIC_RELAXED);
  Kind *K = Others < MostKinds ? calloc(1, sizeof(Kind)) : NULL;
  if (!K) {
    deleteKind(K);
    return NULL;
  }
  K->Its = *Its;
  return K;
}

/// The kind of such launches, which is added where there is none yet; null
/// where there is no room for one.
static Kind *findKind(const RegDemLaunch *L, const RegDemPlace *P) {
  Key Its = keyOf(L, P);
  uint64_t Hash = 0;
  for (size_t I = 0; I != sizeof(Key) / sizeof(*Its.Parts); ++I)
    Hash = (Hash ^ Its.Parts[I]) * 0x9E3779B97F4A7C15u;
  Kind *New = NULL;
  for (size_t At = Hash >> 32;; ++At) {
    Kind **Slot = &Kinds[At % KindSlots];
    Kind *K = __atomic_load_n(Slot, __ATOMIC_ACQUIRE);
    if (!K) {
      if (!New && !(New = newKind(&Its)))
        return NULL;
      if (__atomic_compare_exchange_n(Slot, &K, New, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        return New;
    }
    if (!memcmp(&K->Its, &Its, sizeof(Key))) {
      if (New)
        deleteKind(New);
      return K;
    }
  }
}

/// K, of which E is chosen, is not measured any more.
static void close(Kind *K, int E) {
  choose(K, E);
  __atomic_store_n(&K->IsSettled, 1, __ATOMIC_RELEASE);
}

/// K's measurement ends as an event has failed. It and the others may be gone
/// with their device's state, and their handles name other events.
static void giveUp(Kind *K) {
  cudaGetLastError();
  __atomic_store_n(&K->IsSettled, 1, __ATOMIC_RELEASE);
}

/// K's measurement ends with E.
static void settle(Kind *K, int E) {
  close(K, E);
  for (E = 0; E != Entries; ++E) {
    const Entry *Its = &K->Of[E];
    if ((Its->Start && cudaEventDestroy(Its->Start)) ||
        (Its->Stop && cudaEventDestroy(Its->Stop))) {
      cudaGetLastError();
      return;
    }
  }
}

/// Finds out what may be measured for launches as L.
static void prepare(Kind *K, const RegDemLaunch *L, const RegDemPlace *P) {
  K->IsPrepared = 1;
  K->Choices = __regdem_choices(L, P);
  const RegDemRow *Expected = __regdem_choose(L, P);
  if (Expected && K->Choices.Rows[Expected->Build])
    choose(K, (int)Expected->Build);
  K->Of[0].IsIn = 1;
  for (int E = 1; E != Entries; ++E)
    K->Of[E].IsIn = K->Choices.Rows[E] != NULL;
  if (countIn(K) == 1)
    close(K, 0);
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
static void logSettled(const Kind *K, const RegDemLaunch *L, int Chosen) {
  int Build = Chosen;
  for (int E = 1; !Chosen && E != Entries; ++E)
    if (K->Of[E].NumTimes &&
        (!Build || timeOf(K, E, Median) < timeOf(K, Build, Median)))
      Build = E;
  __regdem_log_settled(L, (uint32_t)Chosen, timeOf(K, 0, Median),
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
  if (countIn(K) > 1 && K->Round != MostRounds && hasRoom(K)) {
    choose(K, Best);
    return;
  }
  settle(K, Best);
  logSettled(K, L, Best);
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
    if (Its->IsIn && Its->State == Launched) {
      int Error = cudaEventQuery(Its->Stop);
      if (!Error)
        Error =
            cudaEventElapsedTime(&Its->Times[K->Round], Its->Start, Its->Stop);
      if (Error == NotReady)
        cudaGetLastError();
      else if (Error)
        return giveUp(K);
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
      giveUp(K);
      return -1;
    }
    Its->State = Launched;
    return E;
  }
  return -1;
}

/// The row of what L, a launch of K, takes, which is timed if Timed is set.
static const RegDemRow *nextRow(Kind *K, const RegDemLaunch *L,
                                const RegDemPlace *P, RegDemSample *Timed) {
  int Status = 0, Mode = CaptureModeRelaxed;
  if (isWaiting(K)) {
    ++K->Launches;
    return chosenFor(K);
  }
  if (cudaStreamIsCapturing(L->Stream, &Status) ||
      cudaThreadExchangeStreamCaptureMode(
          &Mode)) { // Another thread may capture.
    cudaGetLastError();
    return chosenFor(K);
  }
  K->Launches += !Status;
  if (!K->IsPrepared)
    prepare(K, L, P);
  else
    readTimes(K, L);
  int IsFirst = !Status && K->Launches == 1;
  int IsTimed = !isSettled(K) && !Status && !IsFirst;
  int E = IsTimed ? startEntry(K, L->Stream) : -1;
  cudaThreadExchangeStreamCaptureMode(&Mode);
  if (E < 0)
    return IsFirst ? NULL : chosenFor(K);
  Timed->Kind = K;
  Timed->Sample = &K->Of[E];
  return K->Choices.Rows[E];
}

const RegDemRow *__regdem_measure(const RegDemLaunch *L, const RegDemPlace *P,
                                  RegDemSample *Timed) {
  Kind *K = findKind(L, P);
  int TakesKernel = K && isSettled(K) && !chosenFor(K);
  if (TakesKernel || cudaPeekAtLastError())
    return NULL;
  if (!K)
    return __regdem_choose(L, P);
  if (!startWork(K))
    return chosenFor(K);
  const RegDemRow *Row = isSettled(K) ? chosenFor(K) : nextRow(K, L, P, Timed);
  if (!Timed->Sample)
    stopWork(K);
  return Row;
}

void __regdem_measured(const RegDemLaunch *L, RegDemSample *Timed,
                       int HasFailed) {
  Kind *K = Timed->Kind;
  Entry *Its = Timed->Sample;
  if (!Its)
    return;
  if (HasFailed)
    settle(K, 0);
  else if (cudaEventRecord(Its->Stop, L->Stream))
    giveUp(K);
  stopWork(K);
}
