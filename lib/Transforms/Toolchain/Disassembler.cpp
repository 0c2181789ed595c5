//===- Disassembler.cpp - read back what the assembler wrote --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuobjdump is no second choice: it runs nvdisasm itself.
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Disassembler.h"

#include "CudaTool.h"
#include "MemoryFile.h"
#include "regdem/MachineCode/RawCode.h"
#include "regdem/MachineCode/SlowPathTables.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace regdem {

Expected<std::optional<Disassembler>> Disassembler::choose(StringRef Setting) {
  Expected<std::optional<std::string>> Path =
      chooseCudaTool(Setting, "nvdisasm", "disassembler");
  if (!Path)
    return Path.takeError();
  if (!*Path)
    return std::nullopt;
  return Disassembler(std::move(**Path), /*ReadsAll=*/Setting != "auto");
}

/// Guesses with what Cubin itself tells.
static SassGuesses guessesFor(StringRef Cubin, const SassGuesses &Guesses) {
  SassGuesses Result = Guesses;
  Result.SlowPathTables = slowPathTables(Cubin);
  return Result;
}

/// K, read from the bytes of Code, with the names of its functions.
static SassKernel withNames(SassKernel K, const RawCode &Code) {
  for (SassFunction &F : K.Functions) {
    uint64_t Start = K.Blocks[F.Entry].Instructions.front().Address;
    auto Known = Code.Functions.find(Start);
    if (Known != Code.Functions.end())
      F.Name = Known->second.str();
  }
  return K;
}

/// The kernel of Cubin, which has Code, where no run is needed to read it.
std::optional<SassKernel>
Disassembler::decode(StringRef Cubin, const RawCode &Code, StringRef Arch,
                     const SassGuesses &Guesses) const {
  std::optional<SassKernel> Kernel;
  if (!ReadsAll)
    Kernel =
        decodeSass(Code.Bytes, Code.Kernel, Arch, guessesFor(Cubin, Guesses));
  if (Kernel)
    Kernel = withNames(std::move(*Kernel), Code);
  return Kernel;
}

std::optional<std::vector<SassKernel>>
Disassembler::readWithoutRun(ArrayRef<StringRef> Cubins, StringRef Arch) const {
  std::vector<SassKernel> Kernels;
  for (StringRef Cubin : Cubins) {
    std::optional<RawCode> Code = rawCodeOf(Cubin);
    std::optional<SassKernel> Kernel;
    if (Code)
      Kernel = decode(Cubin, *Code, Arch, SassGuesses());
    if (!Kernel)
      return std::nullopt;
    Kernels.push_back(std::move(*Kernel));
  }
  return Kernels;
}

/// The kernels of Cubins, all different: those that need no disassembler, and
/// the others by one run over their bare code; none for those that take a run
/// each, and for all others where that one fails. Without
/// headers and without the analysis of indirect branches, which such code does
/// not have, nvdisasm takes a third less time to read one program, too.
std::vector<std::optional<SassKernel>>
Disassembler::disassembleTogether(ArrayRef<StringRef> Cubins, StringRef Arch,
                                  const ToolLimits &Limits,
                                  const SassGuesses &Guesses) const {
  std::vector<std::optional<SassKernel>> Kernels(Cubins.size());
  std::vector<RawCode> Codes;
  std::vector<size_t> Places; // Of Codes among Cubins.
  std::string All;
  for (size_t I = 0; I != Cubins.size(); ++I)
    if (std::optional<RawCode> Code = rawCodeOf(Cubins[I])) {
      Kernels[I] = decode(Cubins[I], *Code, Arch, Guesses);
      if (Kernels[I])
        continue;
      Codes.push_back(*Code);
      Places.push_back(I);
      All += Code->Bytes;
    }
  if (Codes.empty())
    return Kernels;
  Expected<MemoryFile> Input = MemoryFile::create(All);
  if (!Input) {
    consumeError(Input.takeError());
    return Kernels;
  }
  // nvdisasm calls "sm_90a" SM90a.
  std::string Target = ("SM" + Arch.split('_').second).str();
  auto Arguments = [&](size_t) -> Expected<std::vector<std::string>> {
    return std::vector<std::string>{"-b", Target, "-hex", "-ndf",
                                    Input->path()};
  };
  auto Finished = [&](size_t, StringRef Output) -> Error {
    auto Texts = splitRawListing(Output, Codes);
    if (!Texts)
      return createStringError("no listing");
    for (auto [Text, Place, Code] : zip_equal(*Texts, Places, Codes)) {
      if (Text.empty())
        continue;
      Expected<SassKernel> Kernel =
          parseSass(Text, "", guessesFor(Cubins[Place], Guesses));
      if (Kernel)
        Kernels[Place] = withNames(std::move(*Kernel), Code);
      else
        consumeError(Kernel.takeError());
    }
    return Error::success();
  };
  consumeError(runCudaTool({Path, Limits, /*ErrorsApart=*/true}, 1, Arguments,
                           Finished));
  return Kernels;
}

/// Bytes of cubins that take nvdisasm about as long to read as it takes to
/// start: a hundred of small kernels.
static constexpr size_t BytesWorthARun = 256 << 10;

std::vector<std::optional<SassKernel>>
Disassembler::disassembleBare(ArrayRef<StringRef> Cubins, StringRef Arch,
                              const ToolLimits &Limits) const {
  std::vector<size_t> Starts; // Of each run's cubins.
  size_t Bytes = BytesWorthARun;
  for (size_t I = 0; I != Cubins.size(); ++I) {
    if (Bytes >= BytesWorthARun) {
      Starts.push_back(I);
      Bytes = 0;
    }
    Bytes += Cubins[I].size();
  }
  std::vector<std::optional<SassKernel>> Kernels(Cubins.size());
  forEachInParallel(Starts.size(), Limits.Jobs, [&](size_t N) {
    size_t End = N + 1 == Starts.size() ? Cubins.size() : Starts[N + 1];
    auto OfRun = disassembleTogether(Cubins.slice(Starts[N], End - Starts[N]),
                                     Arch, Limits, SassGuesses());
    std::move(OfRun.begin(), OfRun.end(), Kernels.begin() + Starts[N]);
  });
  return Kernels;
}

Expected<std::string> Disassembler::list(StringRef Cubin,
                                         const ToolLimits &Limits,
                                         bool Lines) const {
  Expected<MemoryFile> Input = MemoryFile::create(Cubin);
  if (!Input)
    return Input.takeError();
  std::string Text;
  auto Arguments = [&](size_t) -> Expected<std::vector<std::string>> {
    std::vector<std::string> Args{"-c", "-hex", Input->path()};
    if (Lines)
      Args.push_back("-g");
    return Args;
  };
  auto Finished = [&](size_t, StringRef Output) -> Error {
    Text = Output.str();
    return Error::success();
  };
  if (Error E = runCudaTool({Path, Limits, /*ErrorsApart=*/true}, 1, Arguments,
                            Finished))
    return E;
  return Text;
}

Expected<std::vector<SassKernel>>
Disassembler::disassemble(ArrayRef<StringRef> Cubins, StringRef Name,
                          const ToolLimits &Limits, const SassGuesses &Guesses,
                          StringRef Arch) const {
  // A run is slow, and candidates often come to the same code.
  std::vector<StringRef> Distinct;
  std::vector<size_t> RunOf;
  StringMap<size_t> Runs;
  for (StringRef Cubin : Cubins) {
    auto [Place, New] = Runs.try_emplace(Cubin, Distinct.size());
    RunOf.push_back(Place->second);
    if (New)
      Distinct.push_back(Cubin);
  }
  auto InOrder = [&RunOf](ArrayRef<SassKernel> Kernels) {
    std::vector<SassKernel> Results;
    for (size_t Run : RunOf)
      Results.push_back(Kernels[Run]);
    return Results;
  };
  std::vector<SassKernel> Kernels(Distinct.size());
  auto IsBare = [](StringRef C) { return rawCodeOf(C).has_value(); };
  if (Name.empty() && !Arch.empty() && all_of(Distinct, IsBare)) {
    auto Together = disassembleTogether(Distinct, Arch, Limits, Guesses);
    if (all_of(Together, [](const auto &K) { return K.has_value(); })) {
      for (auto [Kernel, Read] : zip_equal(Kernels, Together))
        Kernel = std::move(*Read);
      return InOrder(Kernels);
    }
  }
  std::vector<std::optional<MemoryFile>> Inputs(Distinct.size());
  auto Arguments = [&](size_t N) -> Expected<std::vector<std::string>> {
    Expected<MemoryFile> Input = MemoryFile::create(Distinct[N]);
    if (!Input)
      return Input.takeError();
    Inputs[N].emplace(std::move(*Input));
    return std::vector<std::string>{"-c", "-hex", Inputs[N]->path()};
  };
  auto Finished = [&](size_t N, StringRef Output) -> Error {
    Inputs[N].reset();
    Expected<SassKernel> Kernel =
        parseSass(Output, Name, guessesFor(Distinct[N], Guesses));
    if (!Kernel)
      return Kernel.takeError();
    Kernels[N] = std::move(*Kernel);
    return Error::success();
  };
  if (Error E = runCudaTool({Path, Limits, /*ErrorsApart=*/true},
                            Distinct.size(), Arguments, Finished))
    return E;
  return InOrder(Kernels);
}

} // namespace regdem
