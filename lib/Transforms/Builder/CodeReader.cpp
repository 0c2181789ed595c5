//===- CodeReader.cpp - read the code of several kernels' builds ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeReader.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <utility>

using namespace llvm;

namespace regdem {

Expected<std::vector<SassKernel>> CodeReader::read(ArrayRef<StringRef> Cubins,
                                                   StringRef Arch,
                                                   const ToolLimits &Limits) {
  if (std::exchange(PutsOff, false)) {
    if (auto Kernels = Program.readWithoutRun(Cubins, Arch))
      return std::move(*Kernels);
    Awaited = Cubins.vec();
    AwaitedFor = Arch.str();
    return createStringError("put off");
  }
  // All or none, so that a kernel is read in the same way in any company.
  if (all_of(Cubins, [this](StringRef C) { return Known.contains(C); })) {
    std::vector<SassKernel> Kernels;
    for (StringRef Cubin : Cubins)
      Kernels.push_back(Known[Cubin]);
    Known.clear();
    return Kernels;
  }
  Known.clear();
  bool MayShareRun = !std::exchange(NeedsOwnRuns, false);
  return Program.disassemble(Cubins, /*Name=*/"", Limits, SassGuesses(),
                             MayShareRun ? Arch : "");
}

void CodeReader::readTogether(ArrayRef<CodeReader *> Readers,
                              const ToolLimits &Limits) {
  struct Batch {
    std::vector<StringRef> Cubins;     ///< All different.
    std::vector<CodeReader *> Readers; ///< Who asks for each.
  };
  std::map<StringRef, Batch> Batches; // By architecture.
  for (CodeReader *R : Readers) {
    Batch &Wanted = Batches[R->AwaitedFor];
    for (StringRef Cubin : R->Awaited)
      if (R->Known.try_emplace(Cubin).second) {
        Wanted.Cubins.push_back(Cubin);
        Wanted.Readers.push_back(R);
      }
    R->Awaited.clear();
  }
  for (auto &[Arch, Wanted] : Batches) {
    auto Kernels = Wanted.Readers.front()->Program.disassembleBare(
        Wanted.Cubins, Arch, Limits);
    for (auto [Cubin, Reader, Kernel] :
         zip_equal(Wanted.Cubins, Wanted.Readers, Kernels)) {
      if (Kernel) {
        Reader->Known[Cubin] = std::move(*Kernel);
      } else {
        Reader->Known.erase(Cubin);
        Reader->NeedsOwnRuns = true;
      }
    }
  }
}

} // namespace regdem
