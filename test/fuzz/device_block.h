//===- device_block.h - fuzz kernels' blocks on one CPU thread --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by device_host.h only: all threads of a block as coroutines, which
// wait for each other in barriers, shuffles and votes as CUDA says they do.
// Between two such places the threads run one after the other, or by turns
// that end with each store to shared memory, as the test program chooses: a
// result that depends on that shows a race. A block whose threads wait in
// different places ends the program.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <vector>

enum FzWait { FzRunning, FzTurnOver, FzBarrier, FzWarp, FzEnded };

struct FzThread {
  ucontext_t Context;
  FzWait Wait = FzRunning;
  int Line = 0;
  u32 Value = 0, Result = 0;
  u32 Tid[3];
};

typedef void (*FzEntry)(const u32 *, u32 *, u32);

// The block that runs, and the kernel's arguments.
static std::vector<FzThread> FzThreads;
static ucontext_t FzScheduler;
static u32 FzCurrent;
static FzEntry FzKernel;
static const u32 *FzIn;
static u32 *FzOut, FzN;
// How threads run between two places where they wait for each other.
enum FzSchedule { FzForwards, FzBackwards, FzByTurns };
static FzSchedule FzOrder;

// What memory holds that nobody wrote.
static unsigned char fz_filling() { return FzOrder == FzForwards ? 0 : 0xff; }

template <class T, size_t Count> FZ_FN void fz_unwritten(T (&values)[Count]) {
  __builtin_memset(values, fz_filling(), sizeof(values));
}
template <size_t Count> FZ_FN void fz_unwritten(bool (&values)[Count]) {
  for (bool &value : values)
    value = fz_filling() != 0;
}

// Waits; returns when every thread of the barrier or warp has come here.
static __attribute__((noinline)) void fz_wait(FzWait wait, int line, u32 v) {
  FzThread &self = FzThreads[FzCurrent];
  self.Wait = wait;
  self.Line = line;
  self.Value = v;
  swapcontext(&self.Context, &FzScheduler);
}

// To be called after a store to shared memory: lets the others store, too.
static inline void fz_end_turn() {
  if (FzOrder == FzByTurns)
    fz_wait(FzTurnOver, 0, 0);
}

static u32 fz_lane() { return FzCurrent % 32; }

// Value of a lane of the own warp, as it was given to fz_wait.
static u32 fz_lane_value(u32 lane) {
  return FzThreads[FzCurrent / 32 * 32 + lane].Result;
}

#define FZ_LINE int line = __builtin_LINE()

FZ_FN void fz_barrier(FZ_LINE) { fz_wait(FzBarrier, line, 0); }
// These may be in different places: an id, or any, stands for the line.
FZ_FN void fz_barrier_part(u32, i32 id) { fz_wait(FzBarrier, -id, 0); }
FZ_FN void fz_syncwarp() { fz_wait(FzWarp, 0, 0); }
static u32 fz_barrier_count(u32 p, int line) {
  fz_wait(FzBarrier, line, p != 0);
  u32 count = 0;
  for (const FzThread &t : FzThreads)
    count += t.Result;
  return count;
}
FZ_FN u32 fz_barrier_popc(u32 p, FZ_LINE) { return fz_barrier_count(p, line); }
FZ_FN u32 fz_barrier_and(u32 p, FZ_LINE) {
  return fz_barrier_count(p, line) == FzThreads.size();
}
FZ_FN u32 fz_barrier_or(u32 p, FZ_LINE) {
  return fz_barrier_count(p, line) != 0;
}
FZ_FN u32 fz_shfl_idx(u32 v, u32 lane, FZ_LINE) {
  fz_wait(FzWarp, line, v);
  return fz_lane_value(lane & 31u);
}
FZ_FN u32 fz_shfl_xor(u32 v, u32 lane, FZ_LINE) {
  fz_wait(FzWarp, line, v);
  return fz_lane_value((fz_lane() ^ lane) & 31u);
}
FZ_FN u32 fz_shfl_up(u32 v, u32 lane, FZ_LINE) {
  fz_wait(FzWarp, line, v);
  return fz_lane_value(fz_lane() - (fz_lane() < (lane & 31u) ? 0 : lane & 31u));
}
FZ_FN u32 fz_shfl_down(u32 v, u32 lane, FZ_LINE) {
  fz_wait(FzWarp, line, v);
  u32 from = fz_lane() + (lane & 31u);
  return fz_lane_value(from > 31u ? fz_lane() : from);
}
FZ_FN u32 fz_ballot(bool p, FZ_LINE) {
  fz_wait(FzWarp, line, p);
  u32 bits = 0;
  for (u32 lane = 0; lane < 32; ++lane)
    bits |= fz_lane_value(lane) << lane;
  return bits;
}
FZ_FN bool fz_any(bool p, FZ_LINE) { return fz_ballot(p, line) != 0; }
FZ_FN bool fz_all(bool p, FZ_LINE) { return fz_ballot(p, line) == ~0u; }

static void fz_thread_main() {
  FzKernel(FzIn, FzOut, FzN);
  FzThreads[FzCurrent].Wait = FzEnded;
  swapcontext(&FzThreads[FzCurrent].Context, &FzScheduler);
}

[[noreturn]] static void fz_wrong(const char *what, u32 a, u32 b) {
  std::fprintf(stderr,
               "error: %s: thread %u in line %d, thread %u in line %d\n", what,
               a, FzThreads[a].Line, b, FzThreads[b].Line);
  std::exit(8);
}

// Lets threads [first, last) go on if all of them wait for 'wait'.
static bool fz_release(FzWait wait, u32 first, u32 last) {
  for (u32 t = first; t < last; ++t)
    if (FzThreads[t].Wait != wait)
      return false;
  for (u32 t = first; t < last; ++t) {
    if (FzThreads[t].Line != FzThreads[first].Line)
      fz_wrong("threads wait in different places", first, t);
    FzThreads[t].Result = FzThreads[t].Value;
    FzThreads[t].Wait = FzRunning;
  }
  return true;
}

// Lets the threads go on whose turn is over; false if there is none.
static bool fz_next_turn() {
  bool any = false;
  for (FzThread &thread : FzThreads)
    if (thread.Wait == FzTurnOver) {
      thread.Wait = FzRunning;
      any = true;
    }
  return any;
}

// Runs one block in the order that FzOrder says.
static void fz_run_block(u32 threads) {
  // Unrolled code has thousands of variables; pages that no thread reaches are
  // never there.
  static std::unique_ptr<char[]> stacks;
  static u32 most = 0;
  const size_t size = 1 << 20;
  if (most < threads) {
    most = threads;
    stacks.reset(new char[size * threads]);
  }
  FzThreads.assign(threads, FzThread());
  for (u32 t = 0; t < threads; ++t) {
    FzThread &self = FzThreads[t];
    self.Tid[0] = t % fz_ntid[0];
    self.Tid[1] = t / fz_ntid[0] % fz_ntid[1];
    self.Tid[2] = t / fz_ntid[0] / fz_ntid[1];
    getcontext(&self.Context);
    self.Context.uc_stack.ss_sp = &stacks[size * t];
    self.Context.uc_stack.ss_size = size;
    makecontext(&self.Context, fz_thread_main, 0);
  }
  while (true) {
    for (u32 i = 0; i < threads; ++i) {
      FzCurrent = FzOrder == FzForwards ? i : threads - 1 - i;
      if (FzThreads[FzCurrent].Wait != FzRunning)
        continue;
      std::memcpy(fz_tid, FzThreads[FzCurrent].Tid, sizeof(fz_tid));
      swapcontext(&FzScheduler, &FzThreads[FzCurrent].Context);
    }
    if (fz_next_turn())
      continue;
    bool go = fz_release(FzBarrier, 0, threads);
    for (u32 w = 0; w + 32 <= threads; w += 32)
      go |= fz_release(FzWarp, w, w + 32);
    if (go)
      continue;
    for (u32 t = 0; t < threads; ++t)
      if (FzThreads[t].Wait != FzEnded)
        fz_wrong("threads wait for ever", 0, t);
    return;
  }
}
