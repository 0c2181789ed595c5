//===- KernelCode.cpp - machine code with its graph -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelCode.h"

#include "ValueHomes.h"
#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

/// Fills one KernelCode; the members are the maps needed on the way.
class Reader {
public:
  Reader(MachineFunction &MF, const CodeAnalyses &A, const NVPTXOpcodes &Ops)
      : MF(MF), MRI(MF.getRegInfo()), A(A), Ops(Ops), Homes(MF, Ops) {}

  KernelCode read() {
    readValues();
    readNegations();
    readLoops();
    for (MachineBasicBlock &MBB : MF)
      BlockIds[&MBB] = static_cast<BlockId>(BlockIds.size());
    for (MachineBasicBlock &MBB : MF)
      readBlock(MBB);
    for (BlockId B = 0; B != Code.Graph.Blocks.size(); ++B)
      for (BlockId S : Code.Graph.Blocks[B].Succs)
        Code.Graph.Blocks[S].Preds.push_back(B);
    readLiveIns();
    Code.Graph.EntryFrequency = A.MBFI.getEntryFreq().getFrequency();
    return std::move(Code);
  }

private:
  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  const CodeAnalyses &A;
  const NVPTXOpcodes &Ops;
  const ValueHomes Homes;
  KernelCode Code;
  /// ValueId by virtual register index; registers without code have none.
  std::vector<ValueId> ValueOf;
  DenseMap<const MachineBasicBlock *, BlockId> BlockIds;
  DenseMap<const MachineLoop *, unsigned> LoopIds;
  DenseMap<ValueId, SmallVector<ValueId, 1>> NegationsOf;

  ValueKind classify(Register Reg, RegKind Kind) const {
    if (Kind == RegKind::B1)
      return ValueKind::Predicate;
    if (Kind == RegKind::Other)
      return ValueKind::NoLoad;
    if (Homes.isFree(Reg))
      return ValueKind::Free;
    for (const MachineInstr &Use : MRI.use_nodbg_instructions(Reg))
      if (Use.isTerminator())
        return ValueKind::Terminator;
    for (const MachineInstr &Def : MRI.def_instructions(Reg))
      if (Def.isTerminator())
        return ValueKind::Terminator;
    return mayBeFused(Reg) ? ValueKind::Product : ValueKind::Demotable;
  }

  /// Whether I is a negation of whose readers none may fuse it.
  bool isNegatedAway(const MachineInstr &I) const {
    return Ops.isNegation(I) &&
           Homes.negatedBy(I.getOperand(0).getReg()).isValid();
  }

  bool mayBeFused(Register Reg) const {
    return any_of(MRI.use_nodbg_instructions(Reg),
                  [this](const MachineInstr &Use) {
                    return (Ops.mayFuseOperand(Use) && !isNegatedAway(Use)) ||
                           Ops.isScaling(Use);
                  }) &&
           mayHoldProduct(Reg, MRI, Ops);
  }

  /// Makes what ptxas negates in passing free, and what it is the negation of
  /// live in its place.
  void readNegations() {
    for (ValueId V = 0; V != Code.Graph.Values.size(); ++V) {
      ValueInfo &Info = Code.Graph.Values[V];
      Register Of = Homes.negatedBy(Register::index2VirtReg(Info.Register));
      if (!Of.isValid())
        continue;
      Info.Kind = ValueKind::Free;
      Info.Negated = ValueOf[Of.virtRegIndex()];
      NegationsOf[*Info.Negated].push_back(V);
    }
  }

  void readValues() {
    ValueOf.assign(MRI.getNumVirtRegs(), ~0u);
    for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
      Register Reg = Register::index2VirtReg(I);
      if (MRI.reg_nodbg_empty(Reg))
        continue;
      RegKind Kind = Ops.kindOf(*MRI.getRegClass(Reg));
      ValueOf[I] = static_cast<ValueId>(Code.Graph.Values.size());
      Code.Graph.Values.push_back(
          {I, wordsOf(Kind), classify(Reg, Kind), Homes.isRecomputable(Reg)});
    }
  }

  void readLoops() {
    for (MachineLoop *L : A.MLI.getLoopsInPreorder()) {
      LoopIds[L] = static_cast<unsigned>(Code.Graph.Loops.size());
      Code.Graph.Loops.push_back({});
    }
  }

  void readBlock(MachineBasicBlock &MBB) {
    KernelGraph &G = Code.Graph;
    BlockInfo Info;
    BlockId Id = BlockIds[&MBB];
    Info.Number = static_cast<unsigned>(MBB.getNumber());
    Info.Frequency = A.MBFI.getBlockFreq(&MBB).getFrequency();
    for (MachineBasicBlock *Succ : MBB.successors()) {
      Info.Succs.push_back(BlockIds[Succ]);
      Info.SuccProbability.push_back(
          A.MBPI.getEdgeProbability(&MBB, Succ).getNumerator());
    }
    if (const MachineLoop *L = A.MLI.getLoopFor(&MBB)) {
      Info.Loop = LoopIds[L];
      if (L->getHeader() == &MBB) {
        GraphLoop &LI = G.Loops[Info.Loop];
        LI.Header = Id;
        LI.Depth = L->getLoopDepth();
        if (const MachineLoop *Parent = L->getParentLoop())
          LI.Parent = LoopIds[Parent];
      }
    }
    MachineBasicBlock *True = nullptr, *False = nullptr;
    SmallVector<MachineOperand, 4> Condition;
    Info.UnsplittableEdges = MF.getSubtarget().getInstrInfo()->analyzeBranch(
        MBB, True, False, Condition);
    Info.Begin = G.numInsts();
    bool SeenTerminator = false;
    for (MachineInstr &MI : MBB) {
      if (MI.isDebugInstr())
        continue;
      if (MI.isTerminator() && !SeenTerminator) {
        SeenTerminator = true;
        Info.FirstTerminator = G.numInsts();
      }
      readInst(MI);
    }
    Info.End = G.numInsts();
    if (!SeenTerminator)
      Info.FirstTerminator = Info.End;
    G.Blocks.push_back(std::move(Info));
    Code.Blocks.push_back(&MBB);
  }

  /// Whether MI loads through L1 from L2 or DRAM: from the global space, or
  /// through a generic pointer, which mostly points there.
  bool isGlobalLoad(const MachineInstr &MI) const {
    if (Ops.isReadOnlyLoad(MI.getOpcode()))
      return true;
    return MI.mayLoad() && !MI.isCall() &&
           any_of(MI.memoperands(), [](const MachineMemOperand *MMO) {
             return MMO->isLoad() &&
                    (MMO->getAddrSpace() == AddressSpace::Global ||
                     MMO->getAddrSpace() == AddressSpace::Generic);
           });
  }

  void readInst(MachineInstr &MI) {
    SmallVector<ValueId, 8> Uses, Defs;
    for (const MachineOperand &MO : MI.operands()) {
      if (!MO.isReg() || !MO.getReg().isVirtual())
        continue;
      ValueId V = ValueOf[MO.getReg().virtRegIndex()];
      if (MO.isDef())
        Defs.push_back(V);
      else if (!MO.isUndef())
        Uses.push_back(V);
    }
    for (unsigned N = 0, Read = Uses.size(); N != Read; ++N)
      if (std::optional<ValueId> Of = Code.Graph.Values[Uses[N]].Negated)
        Uses.push_back(*Of);
    Code.Graph.addInst(Uses, Defs, isGlobalLoad(MI));
    Code.Insts.push_back(&MI);
  }

  /// Values are visited in ascending order, so each list comes out sorted.
  void readLiveIns() {
    for (ValueId V = 0; V != Code.Graph.Values.size(); ++V) {
      readLiveIns(V, V);
      for (ValueId Negation : NegationsOf.lookup(V))
        readLiveIns(V, Negation);
    }
  }

  /// Enters V, the last one so far, where Like is live.
  void readLiveIns(ValueId V, ValueId Like) {
    const SlotIndexes &Indexes = *A.LIS.getSlotIndexes();
    Register Reg = Register::index2VirtReg(Code.Graph.Values[Like].Register);
    if (!A.LIS.hasInterval(Reg))
      return;
    for (const LiveRange::Segment &S : A.LIS.getInterval(Reg)) {
      // The first block that starts at or after the segment's begin.
      auto It = Indexes.getMBBLowerBound(S.start);
      for (; It != Indexes.MBBIndexEnd() && It->first < S.end; ++It) {
        std::vector<ValueId> &List =
            Code.Graph.Blocks[BlockIds[It->second]].LiveIn;
        if (List.empty() || List.back() != V)
          List.push_back(V);
      }
    }
  }
};

} // namespace

KernelCode readKernelCode(MachineFunction &MF, const CodeAnalyses &A,
                          const NVPTXOpcodes &Opcodes) {
  return Reader(MF, A, Opcodes).read();
}

void printCandidates(raw_ostream &OS, const KernelGraph &Graph) {
  for (const ValueInfo &V : Graph.Values) {
    OS << "%" << V.Register << ": " << V.Words << " words, "
       << toString(V.Kind);
    if (V.Kind == ValueKind::Demotable && V.IsRecomputed)
      OS << ", recomputation";
    OS << "\n";
  }
}

} // namespace regdem
