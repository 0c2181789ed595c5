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

/// The kernel Name of Cubin, where it is the only one and no run is needed to
/// read it.
std::optional<SassKernel> Disassembler::decode(StringRef Cubin, StringRef Name,
                                               StringRef Arch) const {
  if (ReadsAll)
    return std::nullopt;
  std::optional<RawCode> Code = rawCodeOf(Cubin);
  if (!Code || (!Name.empty() && Code->Kernel != Name))
    return std::nullopt;
  return decodeSass(*Code, Arch, slowPathTables(Cubin));
}

Expected<std::string> Disassembler::list(StringRef Cubin,
                                         const ToolLimits &Limits,
                                         bool Lines) const {
  Expected<MemoryFile> Input = MemoryFile::create(Cubin);
  if (!Input)
    return Input.takeError();
  std::vector<std::string> Args{"-c", "-hex", Input->path()};
  if (Lines)
    Args.push_back("-g");
  return runCudaTool({Path, Limits, /*ErrorsApart=*/true}, Args);
}

Expected<std::vector<SassKernel>>
Disassembler::disassemble(ArrayRef<StringRef> Cubins, StringRef Name,
                          const ToolLimits &Limits, StringRef Arch) const {
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
    Kernels.push_back(Arch.empty() ? std::nullopt : decode(Cubin, Name, Arch));
    if (!Kernels.back())
      ToRun.push_back(Place->second);
  }
  auto Read = [&](size_t N) -> Error {
    StringRef Cubin = Distinct[ToRun[N]];
    Expected<std::string> Text = list(Cubin, Limits);
    if (!Text)
      return Text.takeError();
    Expected<SassKernel> Kernel = parseSass(*Text, Name, slowPathTables(Cubin));
    if (!Kernel)
      return Kernel.takeError();
    Kernels[ToRun[N]] = std::move(*Kernel);
    return Error::success();
  };
  if (Error E = forEachRun(ToRun.size(), Limits, Read))
    return E;
  std::vector<SassKernel> Results;
  for (size_t Place : KernelOf)
    Results.push_back(*Kernels[Place]);
  return Results;
}

} // namespace regdem
