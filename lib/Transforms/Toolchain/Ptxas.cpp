//===- Ptxas.cpp - run the assembler and read its figures -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Ptxas.h"

#include "CudaTool.h"
#include "MemoryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

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

/// All that tells J for Arch from other jobs.
static std::string keyOf(const Ptxas::Job &J, StringRef Arch) {
  return formatv("{0} {1}{2}{3} {4:$[ ]}\n{5}", Arch, J.Relocatable,
                 J.KeepCubin, J.LineTable,
                 make_range(J.Flags.begin(), J.Flags.end()), J.PTX);
}

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
  return runAll<PtxasFigures>(Jobs.size(), Limits, [&](size_t N) {
    const Job &J = Jobs[N];
    return Done->get(keyOf(J, Arch), [&] { return run(J, Arch, Limits); });
  });
}

Expected<PtxasFigures> Ptxas::run(const Job &J, StringRef Arch,
                                  const ToolLimits &Limits) const {
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
  Expected<ToolRun> Run = tryCudaTool({Path, Limits}, Args);
  if (!Run)
    return Run.takeError();
  auto Figures = parsePtxasFigures(Run->Output);
  if (!Figures && Run->Failure.empty())
    return createStringError("'" + Path + "' printed no figures");
  PtxasFigures Result = Figures.value_or(PtxasFigures());
  Result.Refusal = explain(Run->Failure);
  if (Run->Failure.empty())
    Result.Cubin = Cubin->contents();
  return Result;
}

Expected<Ptxas> needPtxas(StringRef Setting, StringRef Missing) {
  auto Chosen = Ptxas::choose(Setting);
  if (!Chosen)
    return Chosen.takeError();
  if (!*Chosen)
    return createStringError(Missing);
  return std::move(**Chosen);
}

} // namespace regdem
