//===- SmemSpilling.cpp - may ptxas spill to shared memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/SmemSpilling.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

bool knowsSmemSpilling(unsigned PtxVersion) {
  // PTX ISA; ptxas 13.0 says so too.
  constexpr unsigned LeastVersion = 87;
  return PtxVersion >= LeastVersion;
}

unsigned ptxVersion(StringRef Features) {
  unsigned Lowest = 0;
  SmallVector<StringRef, 8> List;
  Features.split(List, ',');
  for (StringRef Feature : List) {
    unsigned Version = 0;
    if (Feature.consume_front("+ptx") && !Feature.getAsInteger(10, Version))
      Lowest = Lowest ? std::min(Lowest, Version) : Version;
  }
  return Lowest;
}

/// Whether the PTX of M gets DWARF sections and `.target …, debug`.
static bool hasDebugSections(const Module &M) {
  return any_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::FullDebug ||
           Unit->getEmissionKind() == DICompileUnit::LineTablesOnly;
  });
}

/// Whether something in M has F's address, or calls F, which M only declares:
/// printf of the runtime, for example.
static bool keepsToABI(const Function &F) {
  if (F.isIntrinsic() || F.getName().starts_with("__nvvm_reflect"))
    return false;
  return F.hasAddressTaken() || (F.isDeclaration() && !F.use_empty());
}

bool allowsSmemSpilling(const Function &Kernel, const KernelFacts &Facts,
                        const Options &O, StringRef Features) {
  return knowsSmemSpilling(ptxVersion(Features)) && !Facts.UsesDynamicShared &&
         !O.DynamicSmem.value_or(0) &&
         !(Facts.HasCalls && (Facts.HasIndirectCalls ||
                              any_of(*Kernel.getParent(), keepsToABI))) &&
         !hasDebugSections(*Kernel.getParent());
}

} // namespace regdem
