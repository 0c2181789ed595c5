//===- Parallel.cpp - several pieces of work at a time --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Parallel.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Jobserver.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <atomic>
#include <utility>

using namespace llvm;

namespace regdem {

namespace {
/// The calls that share cores with one on this thread.
struct Shared {
  const std::atomic<size_t> &Unfinished;
  unsigned Threads; ///< For all of them.
};
} // namespace

/// Null outside of calls.
static thread_local const Shared *Beside = nullptr;

unsigned shareOf(unsigned Jobs) {
  unsigned All = hardware_concurrency(Jobs).compute_thread_count();
  if (!Beside)
    return All;
  size_t Running = std::min<size_t>(Beside->Unfinished, Beside->Threads);
  return static_cast<unsigned>(
      divideCeil(std::min(All, Beside->Threads), Running));
}

/// Whether Read and Write are the ends of one pipe.
static bool arePipe(int Read, int Write) {
  sys::fs::file_status In, Out;
  return !sys::fs::status(Read, In) && !sys::fs::status(Write, Out) &&
         In.type() == sys::fs::file_type::fifo_file &&
         In.getUniqueID() == Out.getUniqueID();
}

/// The jobserver of GNU make or Ninja; null where there is none. make closes
/// the pipe to it unless a recipe begins with "+", and its numbers may be those
/// of other files then.
static JobserverClient *findJobserver() {
  std::string Flags = sys::Process::GetEnv("MAKEFLAGS").value_or("");
  StringRef Place = StringRef(Flags).rsplit("--jobserver-auth=").second;
  Place = Place.take_until([](char C) { return C == ' '; });
  auto [Read, Write] = Place.split(',');
  int Files[2];
  sys::fs::file_status Named;
  bool IsThere = Place.consume_front("fifo:")
                     ? !sys::fs::status(Place, Named) &&
                           Named.type() == sys::fs::file_type::fifo_file
                     : !Read.getAsInteger(10, Files[0]) &&
                           !Write.getAsInteger(10, Files[1]) &&
                           arePipe(Files[0], Files[1]);
  return IsThere ? JobserverClient::getInstance() : nullptr;
}

/// As many slots of Server as it has to spare, Most at most. The calling thread
/// has the one that each process comes with, or that of the thread it is.
static SmallVector<JobSlot, 8> takeSlots(JobserverClient &Server,
                                         unsigned Most) {
  SmallVector<JobSlot, 8> Slots;
  while (Slots.size() != Most) {
    JobSlot Slot = Server.tryAcquire();
    if (!Slot.isValid())
      break;
    // The first slot is the process's own, and is not given back.
    if (Slot.isExplicit())
      Slots.push_back(std::move(Slot));
  }
  return Slots;
}

void forEachInParallel(size_t Count, unsigned Jobs,
                       function_ref<void(size_t)> Work) {
  unsigned Threads =
      static_cast<unsigned>(std::min<size_t>(shareOf(Jobs), Count));
  unsigned More = Threads ? Threads - 1 : 0; // Threads beside this one.
  JobserverClient *Server = findJobserver();
  SmallVector<JobSlot, 8> Slots;
  if (Server) {
    Slots = takeSlots(*Server, More);
    More = Slots.size();
  }
  scope_exit GiveBack([&] {
    for (JobSlot &Slot : Slots)
      Server->release(std::move(Slot));
  });
  if (!More) {
    for (size_t I = 0; I != Count; ++I)
      Work(I);
    return;
  }
  std::atomic<size_t> Next = 0, Unfinished = Count;
  Shared Calls{Unfinished, Threads};
  auto WorkOn = [&] {
    const Shared *Around = std::exchange(Beside, &Calls);
    for (size_t I; (I = Next++) < Count; --Unfinished)
      Work(I);
    Beside = Around;
  };
  bool IsTraced = timeTraceProfilerEnabled();
  DefaultThreadPool Pool(hardware_concurrency(More));
  for (unsigned Thread = 0; Thread != More; ++Thread)
    Pool.async([&] {
      if (IsTraced)
        timeTraceProfilerInitialize(TraceMicroseconds, "RegDem");
      WorkOn();
      if (IsTraced)
        timeTraceProfilerFinishThread();
    });
  WorkOn();
  Pool.wait();
}

} // namespace regdem
