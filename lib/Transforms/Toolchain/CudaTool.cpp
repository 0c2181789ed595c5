//===- CudaTool.cpp - run programs of the CUDA toolkit --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTool.h"

#include "MemoryFile.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <atomic>
#include <chrono>
#include <signal.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// Whether Path is an executable file.
static bool isProgram(StringRef Path) {
  return !sys::fs::is_directory(Path) && sys::fs::can_execute(Path);
}

/// Where Name may stand beside this plugin or program: in its folder, and in
/// bin/ where that is lib/.
static std::vector<std::string> placesBeside(StringRef Name) {
  SmallString<128> Folder;
  if (sys::fs::real_path(fileOf(reinterpret_cast<const void *>(&isProgram)),
                         Folder))
    return {};
  sys::path::remove_filename(Folder);
  return {(Folder + "/" + Name).str(), (Folder + "/../bin/" + Name).str()};
}

/// The toolkit's program Name: the one of the toolkit that clang is told to use
/// or else the first of where toolkits are.
static std::optional<std::string> findCudaTool(StringRef Name) {
  std::vector<std::string> Candidates = namedToolPaths(readInvocation(), Name);
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Root = sys::Process::GetEnv(Variable))
      Candidates.push_back((*Root + "/bin/" + Name).str());
  if (ErrorOr<std::string> OnPath = sys::findProgramByName(Name))
    Candidates.push_back(*OnPath);
  Candidates.push_back(("/usr/local/cuda/bin/" + Name).str());
  append_range(Candidates, placesBeside(Name));
  // regdem-ptxas may stand where ptxas is looked for, and is not meant.
  for (const std::string &Candidate : Candidates)
    if (isProgram(Candidate) &&
        !sys::fs::equivalent(Candidate, "/proc/self/exe"))
      return Candidate;
  return std::nullopt;
}

Expected<std::optional<std::string>>
chooseCudaTool(StringRef Setting, StringRef Name, StringRef Role) {
  if (Setting == "off")
    return std::nullopt;
  if (Setting == "auto")
    return findCudaTool(Name);
  if (!isProgram(Setting))
    return createStringError("no " + Role + " at '" + Setting + "'");
  return Setting.str();
}

/// The environment that tools run in.
static std::vector<std::string> toolEnvironment() {
  // What stands for ptxas may finish programs: not those that are tried.
  std::vector<std::string> List{"REGDEM_FINISH=off"};
  // They take much memory for a short time; large pages save most of its cost.
  constexpr StringLiteral Tunables = "GLIBC_TUNABLES";
  if (!sys::Process::GetEnv(Tunables))
    List.push_back((Tunables + "=glibc.malloc.hugetlb=1:"
                               "glibc.malloc.top_pad=16777216")
                       .str());
  for (char **Variable = environ; *Variable; ++Variable)
    if (!StringRef(*Variable).starts_with("REGDEM_FINISH="))
      List.push_back(*Variable);
  return List;
}

Expected<std::string> runCudaTool(const CudaTool &Tool,
                                  ArrayRef<std::string> Arguments) {
  using Clock = std::chrono::steady_clock;
  Expected<MemoryFile> Out = MemoryFile::create("");
  if (!Out)
    return Out.takeError();
  Expected<MemoryFile> Err = MemoryFile::create("");
  if (!Err)
    return Err.takeError();
  std::string OutPath = Out->path(),
              ErrPath = Tool.ErrorsApart ? Err->path() : OutPath;
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(OutPath),
                                          StringRef(ErrPath)};
  SmallVector<StringRef, 8> Args{Tool.Program};
  Args.append(Arguments.begin(), Arguments.end());
  std::string Problem;
  bool Failed = false;
  std::vector<std::string> Environment = toolEnvironment();
  sys::ProcessInfo Process = sys::ExecuteNoWait(
      Tool.Program, Args,
      SmallVector<StringRef, 64>(Environment.begin(), Environment.end()),
      Redirects, 0, &Problem, &Failed);
  if (Failed)
    return createStringError("cannot run '" + Tool.Program + "': " + Problem);
  auto Deadline = Clock::now() + std::chrono::seconds(Tool.Limits.Seconds);
  sys::ProcessInfo State;
  while (!(State = sys::Wait(Process, /*SecondsToWait=*/0u, &Problem, nullptr,
                             /*Polling=*/true))
              .Pid) {
    if (Clock::now() >= Deadline) {
      kill(Process.Pid, SIGKILL);
      sys::Wait(Process, std::nullopt);
      return createStringError("'" + Tool.Program + "' took too long");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::string Text = Out->contents();
  if (State.ReturnCode == 0)
    return Text;
  if (std::string Errors = Err->contents(); !Errors.empty())
    Text = Errors;
  StringRef Why = Text.empty() ? Problem : Text;
  return createStringError("'" + Tool.Program + "' ended with " +
                           Twine(State.ReturnCode) + ": " +
                           Why.trim().split('\n').first);
}

Error forEachRun(size_t Count, const ToolLimits &Limits,
                 function_ref<Error(size_t)> Run) {
  std::vector<std::string> Problems(Count);
  std::atomic<bool> HasFailed = false;
  forEachInParallel(Count, Limits.Jobs, [&](size_t I) {
    if (HasFailed)
      return;
    if (Error E = Run(I)) {
      Problems[I] = toString(std::move(E));
      HasFailed = true;
    }
  });
  for (const std::string &Problem : Problems)
    if (!Problem.empty())
      return createStringError(Problem);
  return Error::success();
}

} // namespace regdem
