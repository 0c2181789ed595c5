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
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem {

Expected<Disassembler> Disassembler::choose(StringRef Setting) {
  Expected<std::optional<std::string>> Path =
      chooseCudaTool(Setting, "nvdisasm", "disassembler");
  if (!Path)
    return Path.takeError();
  return Disassembler(Path->value_or(""));
}

Expected<std::string> Disassembler::list(StringRef Cubin,
                                         const ToolLimits &Limits,
                                         bool Lines) const {
  if (Path.empty())
    return createStringError("it takes nvdisasm to read this machine code, and "
                             "none was found");
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
  if (auto Code = decodeListing(Cubin, Name)) {
    auto K = expectedToOptional(
        readKernel(*Code, Code->Kernels.front(), slowPathTables(Cubin)));
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
  MadeOnce<StringRef, SassKernel> Kernels;
  return runAll<SassKernel>(Cubins.size(), Limits, [&](size_t I) {
    return Kernels.get(Cubins[I], [&] {
      return read(Cubins[I], Name, Limits, /*Lines=*/false);
    });
  });
}

} // namespace regdem
