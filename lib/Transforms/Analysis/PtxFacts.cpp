//===- PtxFacts.cpp - what a kernel's PTX states about it -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/PtxFacts.h"

#include "regdem/MachineCode/PtxCode.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace regdem {

namespace {

/// Whether Code has the word Name, and not as a part of another.
bool names(StringRef Code, StringRef Name) {
  for (size_t At = 0; (At = Code.find(Name, At)) != StringRef::npos; ++At) {
    StringRef After = Code.substr(At + Name.size());
    if ((!At || !isPtxNameChar(Code[At - 1])) &&
        (After.empty() || !isPtxNameChar(After.front())))
      return true;
  }
  return false;
}

/// What I, a call, calls: a name, or a register.
StringRef calleeOf(const PtxInstruction &I) {
  StringRef Rest = I.Operands;
  if (Rest.starts_with("("))
    Rest = Rest.split(')').second.ltrim(" \t\r\n,");
  return Rest.take_while(isPtxNameChar);
}

class FactReader {
public:
  FactReader(const PtxFile &File, PtxFacts &Facts) : File(File), Facts(Facts) {}

  /// Adds what F and all that it may call show.
  void read(const PtxFunction &F);

private:
  void readCalls(const PtxFunction &F, const PtxCode &Code);

  void readRoundings(const PtxCode &Code, ArrayRef<PtxInstruction> Open);

  bool callsItself(const PtxFunction &F) const;

  const PtxFile &File;
  PtxFacts &Facts;
  SmallSetVector<const PtxFunction *, 8> Reached;
  DenseMap<const PtxFunction *, SmallSetVector<const PtxFunction *, 4>> Called;
};

void FactReader::readCalls(const PtxFunction &F, const PtxCode &Code) {
  for (const PtxInstruction &I : Code.Instructions) {
    if (I.root() != "call")
      continue;
    Facts.HasCalls = true;
    StringRef Name = calleeOf(I);
    if (Name.starts_with("%") || Name.empty()) {
      Facts.HasIndirectCalls = true;
      continue;
    }
    if (const PtxFunction *Callee = File.find(Name)) {
      Reached.insert(Callee);
      Called[&F].insert(Callee);
    } else if (!isRuntimeCall(Name)) {
      Facts.HasExternalCalls = true;
      Facts.ExternalCallee = Name.str();
    }
  }
}

bool FactReader::callsItself(const PtxFunction &F) const {
  SmallSetVector<const PtxFunction *, 8> Below;
  Below.insert(&F);
  for (size_t N = 0; N != Below.size(); ++N)
    if (auto Its = Called.find(Below[N]); Its != Called.end()) {
      if (Its->second.contains(&F))
        return true;
      Below.insert(Its->second.begin(), Its->second.end());
    }
  return false;
}

void FactReader::readRoundings(const PtxCode &Code,
                               ArrayRef<PtxInstruction> Open) {
  auto PlaceOf = [this](const char *At) {
    return static_cast<size_t>(At - File.code().data());
  };
  if (any_of(Open, [](const PtxInstruction &I) {
        return I.root() != "mul" || I.has(".f32x2");
      })) {
    Facts.HasUnstatedProducts = true;
    return;
  }
  for (const PtxInstruction &I : Open)
    Facts.RoundedApart.push_back(File.rounded(PlaceOf(I.Opcode.data())));
  Facts.RoundedFused = Facts.RoundedApart;
  for (const PtxFusedSum &F : fusedSums(Code, Open))
    Facts.RoundedFused.push_back(
        {PlaceOf(F.Sum.Opcode.begin()), PlaceOf(F.Sum.Operands.end()), F.Text});
}

void FactReader::read(const PtxFunction &Kernel) {
  Reached.insert(&Kernel);
  for (size_t N = 0; N != Reached.size(); ++N) {
    const PtxFunction &F = *Reached[N];
    StringRef Body = File.bodyOf(F);
    PtxCode Code = readPtxCode(Body);
    readCalls(F, Code);
    if (Facts.HasIndirectCalls)
      for (const PtxFunction &Other : File.functions())
        if (!Other.IsEntry)
          Reached.insert(&Other);
    noteAssembly(Body, Facts);
    Facts.UsesDynamicShared |=
        any_of(File.dynamicVariables(),
               [&](StringRef Name) { return names(Body, Name); });
    Facts.HasUnclearPtx |= Code.IsUnclear || F.IsUnclear;
    Facts.HasIrreducibleFlow |= hasIrreducibleFlow(Code);
    std::vector<PtxInstruction> Open = openProducts(Code);
    if (&F != &Kernel)
      Facts.HasUnstatedProducts |= !Open.empty();
    else
      readRoundings(Code, Open);
    Facts.HasJumpTable |= Body.contains("brx.idx");
  }
  Facts.HasRecursion =
      any_of(Reached, [&](const PtxFunction *F) { return callsItself(*F); });
}

/// Bytes of the arrays of bytes in local memory that Body declares, which is
/// how compilers declare all that is there.
uint64_t localBytes(StringRef Body) {
  uint64_t Bytes = 0;
  for (size_t At; (At = Body.find(".local ")) != StringRef::npos;) {
    Body = Body.substr(At);
    StringRef Declared = Body.take_until([](char C) { return C == ';'; });
    Body = Body.drop_front(Declared.size());
    unsigned Size = 0;
    if (Declared.contains(".b8") &&
        !Declared.split('[').second.split(']').first.getAsInteger(10, Size))
      Bytes += Size;
  }
  return Bytes;
}

void readBlockSize(const PtxFunction &Kernel, const Options &O,
                   KernelFacts &Facts) {
  const PtxDirective *Exact = Kernel.find(".reqntid");
  const PtxDirective *Bound = Exact ? Exact : Kernel.find(".maxntid");
  if (Bound && !Bound->Numbers.empty()) {
    Facts.Threads = 1;
    for (unsigned Extent : Bound->Numbers)
      Facts.Threads *= Extent;
    Facts.ThreadsFrom =
        Exact ? BlockSizeSource::ReqNTID : BlockSizeSource::MaxNTID;
    for (unsigned I = 0; Exact && I != 3; ++I)
      Facts.Dims[I] = I < Exact->Numbers.size() ? Exact->Numbers[I] : 1;
  }
  if (Facts.Threads)
    return;
  Facts.Threads = O.BlockSize ? O.BlockSize : AssumedThreads;
  Facts.ThreadsFrom =
      O.BlockSize ? BlockSizeSource::Option : BlockSizeSource::Assumed;
}

} // namespace

PtxFacts collectPtxFacts(const PtxFile &File, const PtxFunction &Kernel,
                         StringRef ArchName, const Options &O) {
  PtxFacts Facts;
  Facts.Name = Kernel.Name;
  Facts.ArchName = ArchName.str();
  Facts.Arch = parseArch(ArchName);
  readBlockSize(Kernel, O, Facts);
  if (Kernel.find(".maxntid") || Kernel.find(".reqntid"))
    Facts.MinBlocks = std::max(Kernel.numberOf(".minnctapersm"),
                               Kernel.numberOf(".maxnctapersm"));
  Facts.MaxRegs = Kernel.numberOf(".maxnreg");
  Facts.StatedDynamicShared = O.DynamicSmem;
  const PtxDirective *Cluster = Kernel.find(".reqnctapercluster");
  Facts.IsCooperative =
      Kernel.find(".blocksareclusters") || Kernel.find(".explicitcluster") ||
      (Cluster && any_of(Cluster->Numbers, [](unsigned N) { return N > 1; }));
  StringRef Target = File.code().split(".target").second;
  Facts.IsForDebugger =
      Target.take_until([](char C) { return C == '\n'; }).contains("debug");
  Facts.AsksForSmemSpilling = File.text()
                                  .slice(Kernel.Open, Kernel.End)
                                  .contains("enable_smem_spilling");
  Facts.LocalBytes = localBytes(File.bodyOf(Kernel));
  FactReader(File, Facts).read(Kernel);
  return Facts;
}

} // namespace regdem
