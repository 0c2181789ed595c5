//===- PtxGraph.cpp - a kernel's PTX with its graph -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/PtxGraph.h"

#include "PtxRegisters.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

/// Whether I is one after which control may go elsewhere.
static bool isTerminator(const PtxInstruction &I) {
  return is_contained({"bra", "brx", "ret", "exit"}, I.root());
}

/// Whether I reads a register of the GPU that stays as it is for a thread.
static bool readsConstantRegister(const PtxInstruction &I) {
  StringRef From = I.Operands.split(',').second.trim();
  return I.root() == "mov" &&
         any_of(ArrayRef({"%tid.", "%ntid.", "%ctaid.", "%nctaid."}),
                [&](StringRef Name) { return From.starts_with(Name); });
}

namespace {

/// Fills one PtxGraph.
class Reader {
public:
  explicit Reader(StringRef Body) { G.Code = readPtxCode(Body); }
  Expected<PtxGraph> run();

private:
  Error readInstructions();
  void classify();
  bool isFree(ValueId V) const;
  void readBlocks();
  void readFrequencies();

  PtxGraph G;
  PtxConstants Constants;
  RegisterTable Table;
  std::vector<SmallVector<InstId, 1>> Defs; ///< By value.
  BitVector ReadByEnd;                      ///< A terminator reads the value.
};

/// The registers that each instruction reads and writes. One that is guarded
/// may leave what it writes as it was.
Error Reader::readInstructions() {
  for (const PtxInstruction &I : G.Code.Instructions) {
    auto Named = Table.registersOf(I);
    if (!Named)
      return Named.takeError();
    if (I.isGuarded())
      append_range(Named->Read, Named->Written);
    G.Graph.addInst(Named->Read, Named->Written);
  }
  G.Registers = Table.take();
  Defs.resize(G.Registers.size());
  ReadByEnd.resize(static_cast<unsigned>(G.Registers.size()));
  for (InstId I = 0; I != G.Graph.numInsts(); ++I) {
    for (ValueId V : G.Graph.defs(I))
      Defs[V].push_back(I);
    if (isTerminator(G.Code.Instructions[I]))
      for (ValueId V : G.Graph.uses(I))
        ReadByEnd.set(V);
  }
  return Error::success();
}

/// Whether ptxas reads V's only definition without a register of its own: an
/// immediate, a symbol's address, a parameter of the kernel.
bool Reader::isFree(ValueId V) const {
  if (Defs[V].size() != 1)
    return false;
  const PtxInstruction &I = G.Code.Instructions[Defs[V].front()];
  StringRef From = I.Operands.split(',').second.trim();
  ArrayRef<ValueId> Uses = G.Graph.uses(Defs[V].front());
  if (I.isGuarded() || I.Operands.starts_with("{"))
    return false;
  if (I.root() == "cvta")
    return Uses.size() == 1 && isFree(Uses.front());
  if (I.root() == "mov")
    return Uses.empty() && !From.starts_with("%");
  // What a call returns is declared among the instructions.
  StringRef Name =
      From.drop_front(From.starts_with("[")).take_while(isPtxNameChar);
  return I.root() == "ld" && I.has(".param") && Uses.empty() &&
         none_of(G.Code.Declarations, [&](const PtxDeclaration &D) {
           return D.Text.starts_with(".param") && D.Text.contains(Name);
         });
}

/// What may become of each register.
void Reader::classify() {
  StringSet<> Products;
  for (StringRef Name : fusibleProducts(G.Code))
    Products.insert(Name);
  // ptxas does not know what a slot holds.
  for (StringRef Name : Constants.Registers)
    Products.insert(Name);
  for (auto [V, R] : enumerate(G.Registers)) {
    auto Id = static_cast<ValueId>(V);
    ValueInfo Info;
    Info.Register = Id;
    Info.Words = R.Bits == 1 ? 0 : std::max(R.Bits / 32, 1u);
    bool HasAccess = R.Bits == 16 || R.Bits == 32 || R.Bits == 64;
    Info.Kind = R.Bits == 1                       ? ValueKind::Predicate
                : !HasAccess || Table.isInner(Id) ? ValueKind::NoLoad
                : isFree(Id)                      ? ValueKind::Free
                : ReadByEnd.test(Id)              ? ValueKind::Terminator
                : Products.contains(R.Name)       ? ValueKind::Product
                                                  : ValueKind::Demotable;
    if (Defs[V].size() == 1) {
      const PtxInstruction &I = G.Code.Instructions[Defs[V].front()];
      Info.IsRecomputed =
          R.Bits == 32 && !I.isGuarded() && readsConstantRegister(I);
    }
    G.Graph.Values.push_back(Info);
  }
}

void Reader::readBlocks() {
  ArrayRef<PtxInstruction> Insts = G.Code.Instructions;
  InstId At = 0;
  for (unsigned B = 0; B != G.Code.Successors.size(); ++B) {
    BlockInfo Info;
    Info.Number = B;
    Info.Begin = At;
    while (At != Insts.size() && Insts[At].Block == B)
      ++At;
    Info.End = Info.FirstTerminator = At;
    if (At != Info.Begin && isTerminator(Insts[At - 1])) {
      --Info.FirstTerminator;
      Info.UnsplittableEdges = Insts[At - 1].root() == "brx";
    }
    for (unsigned S : G.Code.Successors[B])
      if (!is_contained(Info.Succs, S))
        Info.Succs.push_back(S);
    G.Graph.Blocks.push_back(std::move(Info));
  }
  for (BlockId B = 0; B != G.Graph.Blocks.size(); ++B)
    for (BlockId S : G.Graph.Blocks[B].Succs)
      G.Graph.Blocks[S].Preds.push_back(B);
}

/// Loops and frequencies as LLVM sees them in a function with the same blocks.
void Reader::readFrequencies() {
  LLVMContext Context;
  Module M("ptx", Context);
  Type *Void = Type::getVoidTy(Context);
  Function *F = Function::Create(FunctionType::get(Void, false),
                                 GlobalValue::ExternalLinkage, "kernel", M);
  std::vector<BasicBlock *> Blocks;
  DenseMap<const BasicBlock *, BlockId> Ids;
  for (BlockId B = 0; B != G.Graph.Blocks.size(); ++B) {
    Blocks.push_back(BasicBlock::Create(Context, "", F));
    Ids[Blocks.back()] = B;
  }
  for (auto [BB, Info] : zip_equal(Blocks, G.Graph.Blocks)) {
    IRBuilder<> Builder(BB);
    if (Info.Succs.empty()) {
      Builder.CreateRetVoid();
      continue;
    }
    SwitchInst *End = Builder.CreateSwitch(
        PoisonValue::get(Builder.getInt32Ty()), Blocks[Info.Succs.front()],
        static_cast<unsigned>(Info.Succs.size()));
    for (auto [I, S] : drop_begin(enumerate(Info.Succs)))
      End->addCase(Builder.getInt32(static_cast<uint32_t>(I)), Blocks[S]);
  }
  DominatorTree Dominators(*F);
  LoopInfo Loops(Dominators);
  BranchProbabilityInfo Probabilities(*F, Loops);
  BlockFrequencyInfo Frequencies(*F, Probabilities, Loops);
  DenseMap<const Loop *, unsigned> LoopIds;
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    LoopIds[L] = static_cast<unsigned>(G.Graph.Loops.size());
    const Loop *Parent = L->getParentLoop();
    G.Graph.Loops.push_back(
        {Ids.lookup(L->getHeader()), Parent ? LoopIds.lookup(Parent) : NoLoop});
  }
  G.Graph.EntryFrequency = Frequencies.getEntryFreq().getFrequency();
  for (auto [BB, Info] : zip_equal(Blocks, G.Graph.Blocks)) {
    Info.Frequency = Frequencies.getBlockFreq(BB).getFrequency();
    if (const Loop *L = Loops.getLoopFor(BB))
      Info.Loop = LoopIds.lookup(L);
    for (unsigned S = 0; S != Info.Succs.size(); ++S)
      Info.SuccProbability.push_back(
          Probabilities.getEdgeProbability(BB, S).getNumerator());
  }
}

Expected<PtxGraph> Reader::run() {
  if (G.Code.IsUnclear || hasIrreducibleFlow(G.Code) || G.Code.HasInnerLabels)
    return createStringError("where control goes is not known");
  if (Error E = Table.declare(G.Code))
    return E;
  if (Error E = readInstructions())
    return E;
  Constants = findConstants(G.Code);
  if (Constants.MayBeFolded)
    return createStringError("it computes with a loop's counter, of which "
                             "ptxas knows the values if it unrolls");
  classify();
  readBlocks();
  readFrequencies();
  G.Graph.solveLiveness();
  return std::move(G);
}

} // namespace

Expected<PtxGraph> readPtxGraph(StringRef Body) { return Reader(Body).run(); }

} // namespace regdem
