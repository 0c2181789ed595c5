//===- KnownDecisions.cpp - settle kernels by the cache -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownDecisions.h"

#include "Settling.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

/// Adds the options of LLVM that the program was started with, which may have
/// an influence on code generation; false where they are not known. RegDem's
/// own are in Options.
static bool addOtherOptions(raw_ostream &Text) {
  Invocation I = readInvocation();
  std::optional<std::vector<std::string>> Flags = llvmOptions(I);
  if (!Flags)
    return false;
  for (StringRef Flag : *Flags)
    if (!Flag.ltrim('-').starts_with("regdem-"))
      Text << Flag << "\n";
  return true;
}

static void add(raw_ostream &Text, const TargetMachine &TM) {
  Text << TM.getTargetTriple().str() << " " << TM.getTargetCPU() << " "
       << TM.getTargetFeatureString() << " " << int(TM.getOptLevel()) << " "
       << int(TM.getRelocationModel()) << " " << int(TM.getCodeModel()) << " "
       << int(TM.Options.AllowFPOpFusion) << TM.Options.NoTrappingFPMath
       << TM.Options.NoZerosInBSS << TM.Options.EnableFastISel
       << TM.Options.EnableGlobalISel << TM.Options.TrapUnreachable
       << TM.Options.NoTrapAfterNoreturn << "\n";
}

KnownDecisions::KnownDecisions(const Module &M, const TargetMachine &TM,
                               const Tools &T)
    : Cache(T.Cache) {
  if (!Cache || !Cache->refusal().empty())
    return;
  raw_string_ostream Text(Common);
  Text << "decision 3\n";
  if (!addPrograms(Text, *Cache, T.Assembler, T.Reader) ||
      !addOtherOptions(Text))
    return;
  add(Text, TM);
  // ptxas makes other code of the same instructions where there are lines.
  for (const DICompileUnit *Unit : M.debug_compile_units())
    Text << "lines " << int(Unit->getEmissionKind()) << "\n";
  Hasher.emplace(M);
}

std::string KnownDecisions::keyOf(const Candidate &C,
                                  ArrayRef<Candidate *> Group) const {
  if (!Hasher)
    return "";
  std::string Text = Common;
  raw_string_ostream OS(Text);
  const KernelFacts &Facts = C.Facts;
  OS << Hasher->exactHash(*C.Kernel) << " " << Facts.ArchName << " "
     << C.Kernel->getFnAttribute("target-features").getValueAsString() << "\n"
     << Facts.StaticShared << " " << Facts.UsesDynamicShared
     << Facts.IsForDebugger << C.MaySpillToShared << C.MovesFrames << int(C.Is)
     << C.IsToldOf << C.IsForAnyLaunch << C.Fixed.has_value() << "\n";
  OS << encodeDecision(*C.Kernel) << "\n"; // What is settled ahead.
  addOptions(OS, C.O);
  OS << "limit " << C.Limit.Builds.value_or(0) << " "
     << (C.InPlace ? toText(*C.InPlace) : "") << "\n";
  for (const Candidate *Other : Group)
    OS << Other->Facts.Threads << " ";
  return digest(Text);
}

bool KnownDecisions::apply(ArrayRef<Candidate *> Group) const {
  std::vector<std::string> Known;
  DenseMap<Candidate *, AttributeList> Before;
  for (Candidate *C : Group) {
    Before[C] = C->Kernel->getAttributes();
    C->Key = keyOf(*C, Group);
    if (!C->Key.empty())
      if (std::optional<std::string> Its = Cache->find(C->Key))
        Known.push_back(std::move(*Its));
  }
  if (Known.size() != Group.size())
    return false;
  for (size_t I = 0; I != Group.size(); ++I)
    if (!decodeDecision(*Group[I]->Kernel, Known[I])) {
      for (Candidate *C : Group.take_front(I)) // All are settled anew.
        C->Kernel->setAttributes(Before[C]);
      return false;
    }
  return true;
}

void KnownDecisions::keep(const Candidate &C) {
  if (!Cache || C.Key.empty() || !Cache->refusal().empty())
    return;
  if (Error E = Cache->store(C.Key, encodeDecision(*C.Kernel))) {
    emitCacheFault(*C.Kernel, toString(std::move(E)));
    Cache.reset();
    return;
  }
  Cache->prune();
}

} // namespace regdem
