//===- CudaTool.cpp - run programs of the CUDA toolkit --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTool.h"

#include "ClangPaths.h"
#include "MemoryFile.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <signal.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// Whether Path is an executable file.
static bool isProgram(StringRef Path) { return sys::fs::can_execute(Path); }

/// Whether the file at Path is regdem-ptxas, or a link to it, or a copy.
static bool isStandIn(StringRef Path) {
  // Notes of ELF lie in a file's first page.
  auto Start = MemoryBuffer::getFileSlice(Path, /*MapSize=*/4096, /*Offset=*/0);
  return Start && (*Start)->getBuffer().contains(StandInMark);
}

/// Where Name may stand beside File: in its folder, in bin/ where that is lib/,
/// and where NVIDIA's packages for Python have it, and Triton's, if RegDem came
/// as one, too: File then is in PREFIX/bin or PREFIX/libexec/regdem, and they
/// are in PREFIX/lib/pythonX.Y/site-packages, in nvidia/cuNN/bin and
/// triton/backends/nvidia/bin.
static std::vector<std::string> placesBeside(const std::string &File,
                                             StringRef Name) {
  SmallString<128> Folder;
  if (sys::fs::real_path(File, Folder))
    return {};
  sys::path::remove_filename(Folder);
  std::vector<std::string> Places = {(Folder + "/" + Name).str(),
                                     (Folder + "/../bin/" + Name).str()};
  if (sys::path::filename(Folder) == "regdem")
    sys::path::remove_filename(Folder);
  auto In = [](const Twine &Parent, StringRef Start) {
    std::vector<std::string> Found;
    std::error_code Error;
    for (sys::fs::directory_iterator I(Parent, Error), End; I != End && !Error;
         I.increment(Error))
      if (sys::path::filename(I->path()).starts_with(Start))
        Found.push_back(I->path());
    llvm::sort(Found, std::greater<>());
    return Found;
  };
  for (const std::string &Python : In(Folder + "/../lib", "python3"))
    for (const char *Packages : {"/site-packages", "/dist-packages"}) {
      for (const std::string &Toolkit :
           In(Twine(Python) + Packages + "/nvidia", "cu"))
        Places.push_back((Toolkit + "/bin/" + Name).str());
      Places.push_back(
          (Twine(Python) + Packages + "/triton/backends/nvidia/bin/" + Name)
              .str());
    }
  return Places;
}

/// Name's path in each folder of the search path.
static std::vector<std::string> placesOnPath(StringRef Name) {
  std::string Path = sys::Process::GetEnv("PATH").value_or("");
  SmallVector<StringRef, 16> Folders;
  StringRef(Path).split(Folders, sys::EnvPathSeparator, -1,
                        /*KeepEmpty=*/false);
  std::vector<std::string> Places;
  for (StringRef Folder : Folders)
    Places.push_back((Folder + "/" + Name).str());
  return Places;
}

/// Where toolkits are, Name's path in each, and then beside File.
static std::vector<std::string> usualPlaces(const std::string &File,
                                            StringRef Name) {
  std::vector<std::string> Places;
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Root = sys::Process::GetEnv(Variable))
      Places.push_back((*Root + "/bin/" + Name).str());
  append_range(Places, placesOnPath(Name));
  Places.push_back(("/usr/local/cuda/bin/" + Name).str());
  append_range(Places, placesBeside(File, Name));
  return Places;
}

/// What the shell may take for Command.
static std::vector<std::string> placesOf(StringRef Command) {
  if (Command.empty())
    return {};
  return Command.contains('/') ? std::vector{Command.str()}
                               : placesOnPath(Command);
}

Expected<std::optional<std::string>> chooseStoodFor(const std::string &StandIn,
                                                    StringRef Command) {
  if (auto Stated = sys::Process::GetEnv("REGDEM_PTXAS");
      Stated && !Stated->empty()) {
    if (!isProgram(*Stated))
      return createStringError("no assembler at '" + *Stated + "'");
    if (isStandIn(*Stated))
      return createStringError("REGDEM_PTXAS names regdem-ptxas itself ('" +
                               *Stated + "'): set it to the path of ptxas");
    return *Stated;
  }
  std::vector<std::string> Places = placesOf(Command);
  append_range(Places, usualPlaces(StandIn, "ptxas"));
  for (const std::string &Place : Places)
    if (isProgram(Place) && !isStandIn(Place))
      return Place;
  return std::nullopt;
}

/// The toolkit's program Name: the one that clang takes, if this is clang, or
/// else the first of where toolkits are.
static std::optional<std::string> findCudaTool(StringRef Name) {
  const Invocation &I = readInvocation();
  std::vector<std::string> Places;
  if (isClang(I))
    Places = clangToolPaths(I, Name);
  append_range(
      Places,
      usualPlaces(fileOf(reinterpret_cast<const void *>(&isProgram)), Name));
  auto Found = find_if(Places, isProgram);
  return Found == Places.end() ? std::nullopt : std::optional(*Found);
}

Expected<std::optional<std::string>>
chooseCudaTool(StringRef Setting, StringRef Name, StringRef Role) {
  if (Setting == "off")
    return std::nullopt;
  if (Setting != "auto" && !isProgram(Setting))
    return createStringError("no " + Role + " at '" + Setting + "'");
  std::optional<std::string> Found =
      Setting == "auto" ? findCudaTool(Name) : Setting.str();
  return Found && isStandIn(*Found) ? chooseStoodFor(*Found) : Found;
}

/// The environment that tools run in.
static std::vector<std::string> toolEnvironment() {
  // What stands for ptxas may finish programs: not those that are tried.
  std::vector<std::string> List{"REGDEM_MODE=off"};
  // They take much memory for a short time; large pages save most of its cost.
  constexpr StringLiteral Tunables = "GLIBC_TUNABLES";
  if (!sys::Process::GetEnv(Tunables))
    List.push_back((Tunables + "=glibc.malloc.hugetlb=1:"
                               "glibc.malloc.top_pad=16777216")
                       .str());
  for (char **Variable = environ; *Variable; ++Variable)
    if (!StringRef(*Variable).starts_with("REGDEM_MODE="))
      List.push_back(*Variable);
  return List;
}

Expected<ToolRun> tryCudaTool(const CudaTool &Tool,
                              ArrayRef<std::string> Arguments) {
  using Clock = std::chrono::steady_clock;
  Expected<MemoryFile> Out = MemoryFile::create("");
  if (!Out)
    return Out.takeError();
  std::string OutPath = Out->path();
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(OutPath),
                                          StringRef(OutPath)};
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
    return ToolRun{Text, ""};
  StringRef Why = !Text.empty() ? Text : Problem;
  std::string Failure = ("ended with " + Twine(State.ReturnCode) + ": " +
                         Why.trim().split('\n').first)
                            .str();
  if (State.ReturnCode < 0) // By a signal.
    return createStringError("'" + Tool.Program + "' " + Failure);
  return ToolRun{Text, Failure};
}

Expected<std::string> runCudaTool(const CudaTool &Tool,
                                  ArrayRef<std::string> Arguments) {
  Expected<ToolRun> Run = tryCudaTool(Tool, Arguments);
  if (!Run)
    return Run.takeError();
  if (!Run->Failure.empty())
    return createStringError("'" + Tool.Program + "' " + Run->Failure);
  return std::move(Run->Output);
}

} // namespace regdem
