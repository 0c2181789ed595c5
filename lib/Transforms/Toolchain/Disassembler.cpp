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
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace regdem {

Expected<Disassembler> Disassembler::at(StringRef Path) {
  if (!isProgram(Path))
    return createStringError("no disassembler at '" + Path + "'");
  return Disassembler(Path.str());
}

std::optional<Disassembler> Disassembler::search() {
  if (std::optional<std::string> Found = findCudaTool("nvdisasm"))
    return Disassembler(*Found);
  return std::nullopt;
}

Expected<std::optional<Disassembler>> Disassembler::choose(StringRef Setting) {
  if (Setting == "off")
    return std::optional<Disassembler>();
  if (Setting == "auto")
    return search();
  Expected<Disassembler> Found = at(Setting);
  if (!Found)
    return Found.takeError();
  return std::optional<Disassembler>(std::move(*Found));
}

Expected<std::vector<SassKernel>>
Disassembler::disassemble(ArrayRef<StringRef> Cubins, StringRef Name,
                          unsigned Seconds, const SassGuesses &Guesses) const {
  // A run is slow, and candidates often come to the same code.
  std::vector<size_t> Distinct;
  std::vector<size_t> RunOf;
  StringMap<size_t> Runs;
  for (size_t N = 0; N != Cubins.size(); ++N) {
    auto [Place, New] = Runs.try_emplace(Cubins[N], Distinct.size());
    RunOf.push_back(Place->second);
    if (New)
      Distinct.push_back(N);
  }
  std::vector<SassKernel> Kernels(Distinct.size());
  std::vector<std::optional<MemoryFile>> Inputs(Distinct.size());
  auto Arguments = [&](size_t N) -> Expected<std::vector<std::string>> {
    Expected<MemoryFile> Input = MemoryFile::create(Cubins[Distinct[N]]);
    if (!Input)
      return Input.takeError();
    Inputs[N].emplace(std::move(*Input));
    return std::vector<std::string>{"-c", "-hex", Inputs[N]->path()};
  };
  auto Finished = [&](size_t N, StringRef Output) -> Error {
    Inputs[N].reset();
    Expected<SassKernel> Kernel = parseSass(Output, Name, Guesses);
    if (!Kernel)
      return Kernel.takeError();
    Kernels[N] = std::move(*Kernel);
    return Error::success();
  };
  if (Error E = runCudaTool({Path, Seconds, /*ErrorsApart=*/true},
                            Distinct.size(), Arguments, Finished))
    return E;
  std::vector<SassKernel> Results;
  for (size_t Run : RunOf)
    Results.push_back(Kernels[Run]);
  return Results;
}

} // namespace regdem
