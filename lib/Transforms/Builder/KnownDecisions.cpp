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
  const Invocation &I = readInvocation();
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

/// The alignment of M's dynamic shared memory. In a whole program ptxas rounds
/// the shared memory of each kernel up to it, also of those that use none.
static Align alignmentOfDynamicShared(const Module &M) {
  Align Most;
  for (const GlobalVariable &G : M.globals())
    if (isDynamicShared(G))
      Most = std::max(Most, G.getAlign().valueOrOne());
  return Most;
}

KnownDecisions::KnownDecisions(DecisionCache Its, const Module &M,
                               const TargetMachine &TM, const Ptxas &Assembler)
    : Cache(std::move(Its)) {
  if (!Cache.refusal().empty())
    return;
  Common = keyOfPrograms(Cache, Assembler);
  raw_string_ostream Text(Common);
  if (Common.empty() || !addOtherOptions(Text))
    return;
  add(Text, TM);
  Text << "linked " << runIsRelocatable() << "\n"; // How trials are assembled.
  Text << "aligned " << alignmentOfDynamicShared(M).value() << "\n";
  // ptxas makes other code of the same instructions where there are lines.
  for (const DICompileUnit *Unit : M.debug_compile_units())
    Text << "lines " << int(Unit->getEmissionKind()) << "\n";
  Hasher.emplace(M);
}

std::string KnownDecisions::hashOf(const Candidate &C) const {
  return Hasher ? Hasher->exactHash(*C.Kernel) : "";
}

/// The key of What is found of C.
std::string KnownDecisions::keyOf(const Candidate &C, StringRef What) const {
  if (C.Hash.empty())
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  const KernelFacts &Facts = C.Facts;
  OS << What << "\n"
     << Common << C.Hash << " " << Facts.ArchName << " "
     << C.Kernel->getFnAttribute("target-features").getValueAsString() << "\n"
     << Facts.StaticShared << " " << Facts.UsesDynamicShared
     << Facts.IsForDebugger << C.MaySpillToShared << C.MovesFrames
     << (Facts.HasCalls && endsInWholeProgram(C.O)) << C.IsToldOf
     << C.IsForAnyLaunch << C.Fixed.has_value() << "\n";
  OS << encodeDecision(*C.Kernel) << "\n"; // What is settled ahead.
  addOptions(OS, C.O);
  return digest(Text);
}

std::string KnownDecisions::keyOfStock(const Candidate &C) const {
  return keyOf(C, "stock 2");
}

std::string KnownDecisions::keyOf(const Candidate &C,
                                  ArrayRef<Candidate *> Group) const {
  std::string What;
  raw_string_ostream OS(What);
  OS << "decision 4\nlimit " << C.Limit << " "
     << (C.InPlace ? toText(*C.InPlace) : "") << "\n";
  for (const Candidate *Other : Group)
    OS << Other->Facts.Threads << " ";
  return keyOf(C, What);
}

std::optional<std::string> KnownDecisions::find(StringRef Key) const {
  return Key.empty() ? std::nullopt : Cache.find(Key);
}

bool KnownDecisions::apply(ArrayRef<Candidate *> Group) const {
  std::vector<std::string> Known;
  DenseMap<Candidate *, AttributeList> Before;
  for (Candidate *C : Group) {
    Before[C] = C->Kernel->getAttributes();
    C->Key = keyOf(*C, Group);
    if (std::optional<std::string> Its = find(C->Key))
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

void KnownDecisions::keep(const Function &Kernel, StringRef Key,
                          StringRef Text) {
  if (Key.empty() || Fails || !Cache.refusal().empty())
    return;
  if (Error E = Cache.store(Key, Text)) {
    emitMissed(Kernel, Missed::Cache, toString(std::move(E)));
    Fails = true;
    return;
  }
  Cache.prune();
}

} // namespace regdem
