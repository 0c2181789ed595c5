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
#include "regdem/MachineCode/Cubin.h"
#include "regdem/MachineCode/RawCode.h"
#include "regdem/MachineCode/SassListing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

Expected<std::string> Disassembler::list(StringRef Cubin,
                                         const ToolLimits &Limits,
                                         bool Lines) const {
  Expected<MemoryFile> Input = MemoryFile::create(Cubin);
  if (!Input)
    return Input.takeError();
  std::vector<std::string> Args{"-c", "-hex"};
  if (Lines)
    Args.push_back("-g");
  Args.push_back(Input->path());
  return runCudaTool({Path, Limits, /*ErrorsApart=*/true}, Args);
}

Expected<SassKernel> Disassembler::read(StringRef Cubin, StringRef Name,
                                        const ToolLimits &Limits,
                                        bool Lines) const {
  if (auto Raw = rawCodeOf(Cubin, Name))
    if (auto Code = decodeListing(*Raw)) {
      auto K = expectedToOptional(
          readKernel(*Code, Raw->Kernel, slowPathTables(Cubin)));
      if (K && (!Lines || readSourceLines(Cubin, *K)))
        return std::move(*K);
    }
  Expected<std::string> Text = list(Cubin, Limits, Lines);
  if (!Text)
    return Text.takeError();
  return parseSass(*Text, Name, slowPathTables(Cubin));
}

Expected<std::vector<SassKernel>>
Disassembler::disassemble(ArrayRef<StringRef> Cubins, StringRef Name,
                          const ToolLimits &Limits) const {
  // A run is slow, and candidates often come to the same code.
  MapVector<StringRef, std::optional<SassKernel>> Kernels;
  for (StringRef Cubin : Cubins)
    Kernels.try_emplace(Cubin);
  auto Read = [&](size_t I) -> Error {
    auto &[Cubin, Kernel] = Kernels.begin()[I];
    Expected<SassKernel> Its = read(Cubin, Name, Limits, /*Lines=*/false);
    if (!Its)
      return Its.takeError();
    Kernel = std::move(*Its);
    return Error::success();
  };
  if (Error E = forEachRun(Kernels.size(), Limits, Read))
    return E;
  std::vector<SassKernel> Results;
  for (StringRef Cubin : Cubins)
    Results.push_back(*Kernels.find(Cubin)->second);
  return Results;
}

} // namespace regdem
