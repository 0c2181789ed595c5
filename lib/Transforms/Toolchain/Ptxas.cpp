//===- Ptxas.cpp - run the assembler and read its figures -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Ptxas.h"

#include "CudaTool.h"
#include "MemoryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <condition_variable>
#include <mutex>

using namespace llvm;

namespace regdem {

std::optional<PtxasFigures> parsePtxasFigures(StringRef Text) {
  static const char *Properties =
      "([0-9]+) bytes stack frame, (-?[0-9]+) bytes spill stores, "
      "(-?[0-9]+) bytes spill loads";
  PtxasFigures Figures;
  int Stored = 0, Loaded = 0;
  bool Found = false;
  Regex Spills(Properties), Used("Used ([0-9]+) registers"),
      Shared(", ([0-9]+) bytes smem");
  auto Signed = [](StringRef S) {
    int N = 0;
    S.getAsInteger(10, N);
    return N;
  };
  auto Number = [](int N) { return static_cast<unsigned>(std::max(N, 0)); };
  SmallVector<StringRef, 32> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 4> Match;
    if (Spills.match(Line, &Match)) {
      Figures.FrameBytes += Number(Signed(Match[1]));
      Stored += Signed(Match[2]);
      Loaded += Signed(Match[3]);
    }
    if (Used.match(Line, &Match)) {
      Figures.Regs = Number(Signed(Match[1]));
      // No program uses none, and no thread has more than 255.
      Found = Figures.Regs > 0 && Figures.Regs <= 255;
    }
    if (Shared.match(Line, &Match))
      Figures.StaticShared = Number(Signed(Match[1]));
  }
  // What goes to shared memory instead ptxas 13.0 takes off the kernel's own
  // bytes, wherever it was spilled, so that these may be negative.
  Figures.SpillStoreBytes = Number(Stored);
  Figures.SpillLoadBytes = Number(Loaded);
  if (!Found)
    return std::nullopt;
  return Figures;
}

/// Figures of jobs, by all that tells one from another; none where a thread is
/// at one.
struct Ptxas::DoneJobs {
  std::mutex Lock;
  std::condition_variable Changed;
  StringMap<std::optional<PtxasFigures>> Figures;

  static std::string keyOf(const Job &J, StringRef Arch) {
    return formatv("{0} {1}{2}{3} {4:$[ ]}\n{5}", Arch, J.Relocatable,
                   J.KeepCubin, J.LineTable,
                   make_range(J.Flags.begin(), J.Flags.end()), J.PTX);
  }
};

Ptxas::Ptxas(std::string Path)
    : Path(std::move(Path)), Done(std::make_shared<DoneJobs>()) {}

/// The assembler at Path, if there is one.
Expected<std::optional<Ptxas>>
Ptxas::at(Expected<std::optional<std::string>> Path) {
  if (!Path)
    return Path.takeError();
  if (!*Path)
    return std::nullopt;
  return Ptxas(std::move(**Path));
}

Expected<std::optional<Ptxas>> Ptxas::choose(StringRef Setting) {
  return at(chooseCudaTool(Setting, "ptxas", "assembler"));
}

Expected<std::optional<Ptxas>> Ptxas::chooseStoodFor(StringRef Command) {
  return at(regdem::chooseStoodFor("/proc/self/exe", Command));
}

static constexpr StringLiteral CalleeRefusal = "ptxas refuses a cap of ";

bool blamesCallee(StringRef Refusal) {
  return Refusal.starts_with(CalleeRefusal);
}

/// Failure of ptxas, in words that say what to do where it is that a kernel's
/// cap does not do for a function that it calls.
static std::string explain(StringRef Failure) {
  static const char *Refusal = "max regcount of ([0-9]+) calls function "
                               "'([^']+)' with regcount of ([0-9]+)";
  SmallVector<StringRef, 4> Match;
  if (!Regex(Refusal).match(Failure, &Match))
    return Failure.str();
  return (CalleeRefusal + Match[1] +
          " registers in code that is yet to be linked, as the kernel calls '" +
          Match[2] + "', which takes " + Match[3] +
          ": have that function inlined, or state a higher cap")
      .str();
}

std::string Ptxas::describe(StringRef Refusal) const {
  return (blamesCallee(Refusal) ? "" : "'" + Path + "' ") + Refusal.str();
}

Expected<std::vector<PtxasFigures>>
Ptxas::assemble(ArrayRef<Job> Jobs, StringRef Arch,
                const ToolLimits &Limits) const {
  Expected<std::vector<PtxasFigures>> Figures = attempt(Jobs, Arch, Limits);
  if (Figures)
    for (const PtxasFigures &F : *Figures)
      if (!F.Refusal.empty())
        return createStringError(describe(F.Refusal));
  return Figures;
}

Expected<std::vector<PtxasFigures>>
Ptxas::attempt(ArrayRef<Job> Jobs, StringRef Arch,
               const ToolLimits &Limits) const {
  std::vector<std::string> Keys;
  std::vector<Job> Own; // Those that nobody has begun.
  std::vector<StringRef> OwnKeys;
  for (const Job &J : Jobs)
    Keys.push_back(DoneJobs::keyOf(J, Arch));
  {
    std::lock_guard Guard(Done->Lock);
    for (auto [J, Key] : zip_equal(Jobs, Keys))
      if (auto [At, IsNew] = Done->Figures.try_emplace(Key); IsNew) {
        Own.push_back(J);
        OwnKeys.push_back(At->first());
      }
  }
  Expected<std::vector<PtxasFigures>> Figures = run(Own, Arch, Limits);
  std::unique_lock Guard(Done->Lock);
  for (size_t I = 0; I != Own.size(); ++I)
    if (Figures)
      Done->Figures[OwnKeys[I]] = std::move((*Figures)[I]);
    else
      Done->Figures.erase(OwnKeys[I]);
  Done->Changed.notify_all();
  if (!Figures)
    return Figures.takeError();
  std::vector<PtxasFigures> Results;
  for (StringRef Key : Keys) {
    auto At = Done->Figures.find(Key);
    Done->Changed.wait(Guard, [&] {
      At = Done->Figures.find(Key);
      return At == Done->Figures.end() || At->second;
    });
    if (At == Done->Figures.end()) {
      Guard.unlock(); // The thread that was at it has failed.
      return attempt(Jobs, Arch, Limits);
    }
    Results.push_back(*At->second);
  }
  return Results;
}

Expected<std::vector<PtxasFigures>>
Ptxas::run(ArrayRef<Job> Jobs, StringRef Arch, const ToolLimits &Limits) const {
  std::vector<PtxasFigures> Results(Jobs.size());
  auto Run = [&](size_t N) -> Error {
    const Job &J = Jobs[N];
    Expected<MemoryFile> Input = MemoryFile::create(J.PTX);
    if (!Input)
      return Input.takeError();
    Expected<MemoryFile> Cubin = MemoryFile::create("");
    if (!Cubin)
      return Cubin.takeError();
    std::vector<std::string> Args{"-v", ("-arch=" + Arch).str(), Input->path(),
                                  "-o",
                                  J.KeepCubin ? Cubin->path() : "/dev/null"};
    if (J.Relocatable)
      Args.push_back("-c");
    if (J.LineTable)
      Args.push_back("-lineinfo");
    append_range(Args, J.Flags);
    Expected<ToolRun> Done = tryCudaTool({Path, Limits}, Args);
    if (!Done)
      return Done.takeError();
    auto Figures = parsePtxasFigures(Done->Output);
    if (!Figures && Done->Failure.empty())
      return createStringError("'" + Path + "' printed no figures");
    Results[N] = Figures.value_or(PtxasFigures());
    Results[N].Refusal = explain(Done->Failure);
    if (Done->Failure.empty())
      Results[N].Cubin = Cubin->contents();
    return Error::success();
  };
  if (Error E = forEachRun(Jobs.size(), Limits, Run))
    return E;
  return Results;
}

} // namespace regdem
