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
#include "RawCode.h"
#include "SlowPathTables.h"
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
  return Disassembler(std::move(**Path));
}

/// Guesses with what Cubin itself tells.
static SassGuesses guessesFor(StringRef Cubin, const SassGuesses &Guesses) {
  SassGuesses Result = Guesses;
  Result.SlowPathTables = slowPathTables(Cubin);
  return Result;
}

/// The kernels of Cubins, all different, by one run over their bare code; none
/// where it takes one each, for whatever reason. Without headers and without
/// the analysis of indirect branches, which such code does not have, nvdisasm
/// takes a third less time to read one program, too.
std::optional<std::vector<SassKernel>>
Disassembler::disassembleTogether(ArrayRef<StringRef> Cubins, StringRef Arch,
                                  const ToolLimits &Limits,
                                  const SassGuesses &Guesses) const {
  std::vector<RawCode> Codes;
  std::string All;
  for (StringRef Cubin : Cubins) {
    std::optional<RawCode> Code = rawCodeOf(Cubin);
    if (!Code)
      return std::nullopt;
    Codes.push_back(*Code);
    All += Code->Bytes;
  }
  Expected<MemoryFile> Input = MemoryFile::create(All);
  if (!Input) {
    consumeError(Input.takeError());
    return std::nullopt;
  }
  // nvdisasm calls "sm_90a" SM90a.
  std::string Target = ("SM" + Arch.split('_').second).str();
  auto Arguments = [&](size_t) -> Expected<std::vector<std::string>> {
    return std::vector<std::string>{"-b", Target, "-hex", "-ndf",
                                    Input->path()};
  };
  std::vector<SassKernel> Kernels;
  auto Finished = [&](size_t, StringRef Output) -> Error {
    auto Texts = splitRawListing(Output, Codes);
    if (!Texts)
      return createStringError("code that needs symbols");
    for (auto [Text, Cubin] : zip_equal(*Texts, Cubins)) {
      Expected<SassKernel> Kernel =
          parseSass(Text, "", guessesFor(Cubin, Guesses));
      if (!Kernel)
        return Kernel.takeError();
      Kernels.push_back(std::move(*Kernel));
    }
    return Error::success();
  };
  if (Error E = runCudaTool({Path, Limits, /*ErrorsApart=*/true}, 1, Arguments,
                            Finished)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Kernels;
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
  if (!Distinct.empty() && Name.empty() && !Arch.empty())
    if (auto Together = disassembleTogether(Distinct, Arch, Limits, Guesses))
      return InOrder(*Together);
  std::vector<SassKernel> Kernels(Distinct.size());
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
