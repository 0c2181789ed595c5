//===- Ptxas.cpp - run the assembler and read its figures -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Ptxas.h"

#include "MemoryFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <deque>
#include <signal.h>
#include <thread>

using namespace llvm;

namespace regdem {

std::optional<PtxasFigures> parsePtxasFigures(StringRef Text) {
  static const char *Properties =
      "(-?[0-9]+) bytes spill stores, (-?[0-9]+) bytes spill loads";
  PtxasFigures Figures;
  bool Found = false;
  Regex Spills(Properties), Used("Used ([0-9]+) registers"),
      Shared(", ([0-9]+) bytes smem");
  auto Number = [](StringRef S) {
    // ptxas 13.0 prints negative spill bytes for some programs; they are none.
    int N = 0;
    S.getAsInteger(10, N);
    return static_cast<unsigned>(std::max(N, 0));
  };
  SmallVector<StringRef, 32> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 3> Match;
    if (Spills.match(Line, &Match)) {
      Figures.SpillStoreBytes += Number(Match[1]);
      Figures.SpillLoadBytes += Number(Match[2]);
    }
    if (Used.match(Line, &Match)) {
      Figures.Regs = Number(Match[1]);
      // No program uses none, and no thread has more than 255.
      Found = Figures.Regs > 0 && Figures.Regs <= 255;
    }
    if (Shared.match(Line, &Match))
      Figures.StaticShared = Number(Match[1]);
  }
  if (!Found)
    return std::nullopt;
  return Figures;
}

Expected<Ptxas> Ptxas::at(StringRef Path) {
  if (sys::fs::is_directory(Path) || !sys::fs::can_execute(Path))
    return createStringError("no assembler at '" + Path + "'");
  return Ptxas(Path.str());
}

std::optional<Ptxas> Ptxas::search() {
  SmallVector<std::string, 4> Candidates;
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Root = sys::Process::GetEnv(Variable))
      Candidates.push_back(*Root + "/bin/ptxas");
  if (ErrorOr<std::string> OnPath = sys::findProgramByName("ptxas"))
    Candidates.push_back(*OnPath);
  Candidates.push_back("/usr/local/cuda/bin/ptxas");
  for (const std::string &Candidate : Candidates) {
    Expected<Ptxas> Found = at(Candidate);
    if (Found)
      return *Found;
    consumeError(Found.takeError());
  }
  return std::nullopt;
}

namespace {

using Clock = std::chrono::steady_clock;

/// One run of the assembler, from its start to its figures.
class Run {
public:
  static Expected<Run> start(const std::string &Program, const Ptxas::Job &Job,
                             StringRef Arch, unsigned Seconds) {
    Expected<MemoryFile> Input = MemoryFile::create(Job.PTX);
    if (!Input)
      return Input.takeError();
    Expected<MemoryFile> Output = MemoryFile::create("");
    if (!Output)
      return Output.takeError();
    std::string ArchFlag = ("-arch=" + Arch).str();
    std::string InputPath = Input->path(), OutputPath = Output->path();
    SmallVector<StringRef, 8> Args = {Program,   "-v", ArchFlag,
                                      InputPath, "-o", "/dev/null"};
    if (Job.Relocatable)
      Args.push_back("-c");
    std::optional<StringRef> Redirects[] = {
        StringRef(""), StringRef(OutputPath), StringRef(OutputPath)};
    std::string Problem;
    bool Failed = false;
    sys::ProcessInfo Process = sys::ExecuteNoWait(
        Program, Args, std::nullopt, Redirects, 0, &Problem, &Failed);
    if (Failed)
      return createStringError("cannot run '" + Program + "': " + Problem);
    return Run(Program, std::move(*Input), std::move(*Output), Process,
               Clock::now() + std::chrono::seconds(Seconds));
  }

  /// The result once the run has ended or its time is up; none before.
  std::optional<Expected<PtxasFigures>> poll() {
    std::string Problem;
    sys::ProcessInfo State =
        sys::Wait(Process, /*SecondsToWait=*/0u, &Problem, nullptr,
                  /*Polling=*/true);
    if (State.Pid == 0) {
      if (Clock::now() < Deadline)
        return std::nullopt;
      stop();
      return Expected<PtxasFigures>(
          createStringError("'" + Program + "' took too long"));
    }
    std::string Text = Output.contents();
    if (State.ReturnCode != 0)
      return Expected<PtxasFigures>(createStringError(
          "'" + Program + "' ended with " + Twine(State.ReturnCode) + ": " +
          firstLine(Text.empty() ? Problem : Text)));
    if (auto Figures = parsePtxasFigures(Text))
      return Expected<PtxasFigures>(*Figures);
    return Expected<PtxasFigures>(
        createStringError("'" + Program + "' printed no figures"));
  }

  /// Ends the run without a result.
  void stop() {
    kill(Process.Pid, SIGKILL);
    sys::Wait(Process, std::nullopt);
  }

private:
  std::string Program;
  MemoryFile Input, Output;
  sys::ProcessInfo Process;
  Clock::time_point Deadline;

  Run(std::string Program, MemoryFile Input, MemoryFile Output,
      sys::ProcessInfo Process, Clock::time_point Deadline)
      : Program(std::move(Program)), Input(std::move(Input)),
        Output(std::move(Output)), Process(Process), Deadline(Deadline) {}

  static std::string firstLine(StringRef Text) {
    return Text.trim().split('\n').first.str();
  }
};

} // namespace

Expected<std::vector<PtxasFigures>>
Ptxas::assemble(ArrayRef<Job> Jobs, StringRef Arch, unsigned Seconds) const {
  unsigned Parallel = hardware_concurrency().compute_thread_count();
  std::vector<PtxasFigures> Results(Jobs.size());
  std::deque<std::pair<size_t, Run>> Running;
  size_t Next = 0;
  auto Abandon = [&Running](Error E) {
    for (auto &Entry : Running)
      Entry.second.stop();
    return E;
  };
  while (Next != Jobs.size() || !Running.empty()) {
    while (Next != Jobs.size() && Running.size() < Parallel) {
      Expected<Run> R = Run::start(Path, Jobs[Next], Arch, Seconds);
      if (!R)
        return Abandon(R.takeError());
      Running.emplace_back(Next++, std::move(*R));
    }
    size_t Before = Running.size();
    for (size_t N = Before; N--;) {
      auto Entry = std::move(Running.front());
      Running.pop_front();
      std::optional<Expected<PtxasFigures>> Result = Entry.second.poll();
      if (!Result)
        Running.push_back(std::move(Entry));
      else if (!*Result)
        return Abandon(Result->takeError());
      else
        Results[Entry.first] = **Result;
    }
    if (Running.size() == Before)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return Results;
}

} // namespace regdem
