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

/// The kernel Name of Cubin, where it is the only one and no run is needed to
/// read it.
std::optional<SassKernel>
Disassembler::decode(StringRef Cubin, StringRef Name, StringRef Arch,
                     const SassGuesses &Guesses) const {
  if (ReadsAll)
    return std::nullopt;
  std::optional<RawCode> Code = rawCodeOf(Cubin);
  if (!Code || (!Name.empty() && Code->Kernel != Name))
    return std::nullopt;
  return decodeSass(*Code, Arch, guessesFor(Cubin, Guesses));
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
  std::vector<std::optional<SassKernel>> Kernels;
  std::vector<size_t> KernelOf; // By cubin.
  std::vector<size_t> ToRun;    // Of Kernels.
  std::vector<StringRef> Distinct;
  StringMap<size_t> Places;
  for (StringRef Cubin : Cubins) {
    auto [Place, IsNew] = Places.try_emplace(Cubin, Kernels.size());
    KernelOf.push_back(Place->second);
    if (!IsNew)
      continue;
    Distinct.push_back(Cubin);
    Kernels.push_back(Arch.empty() ? std::nullopt
                                   : decode(Cubin, Name, Arch, Guesses));
    if (!Kernels.back())
      ToRun.push_back(Place->second);
  }
  std::vector<std::optional<MemoryFile>> Inputs(ToRun.size());
  auto Arguments = [&](size_t N) -> Expected<std::vector<std::string>> {
    Expected<MemoryFile> Input = MemoryFile::create(Distinct[ToRun[N]]);
    if (!Input)
      return Input.takeError();
    Inputs[N].emplace(std::move(*Input));
    return std::vector<std::string>{"-c", "-hex", Inputs[N]->path()};
  };
  auto Finished = [&](size_t N, StringRef Output) -> Error {
    Inputs[N].reset();
    Expected<SassKernel> Kernel =
        parseSass(Output, Name, guessesFor(Distinct[ToRun[N]], Guesses));
    if (!Kernel)
      return Kernel.takeError();
    Kernels[ToRun[N]] = std::move(*Kernel);
    return Error::success();
  };
  if (Error E = runCudaTool({Path, Limits, /*ErrorsApart=*/true}, ToRun.size(),
                            Arguments, Finished))
    return E;
  std::vector<SassKernel> Results;
  for (size_t Place : KernelOf)
    Results.push_back(*Kernels[Place]);
  return Results;
}

} // namespace regdem
