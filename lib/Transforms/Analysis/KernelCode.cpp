//===- KernelCode.cpp - machine code with its graph -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelCode.h"

#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

/// Tells of each register what it takes to have its value again: nothing,
/// because ptxas does not keep it in a register; the instruction that computes
/// it; or memory. Legality only.
class ValueHomes {
public:
  /// MF must stay as it is while this is used.
  ValueHomes(MachineFunction &MF, const NVPTXOpcodes &Opcodes);

  /// Whether the register's only definition is something that ptxas reads
  /// without a register of its own: an immediate, a symbol's address, or a
  /// word of the constant bank at a known place, as kernel parameters are.
  bool isFree(Register Reg) const;

  /// The register whose value Reg holds with the other sign, where ptxas needs
  /// no register for that: all that read Reg take their operands with either
  /// sign. None where it does, or where a product might be fused. Such a
  /// register has one definition, which gives the same again wherever it is
  /// read.
  Register negatedBy(Register Reg) const;

  /// Whether Reg's only definition gives the same again, from operands that
  /// take no register.
  bool isRecomputable(Register Reg) const;

private:
  const MachineRegisterInfo &MRI;
  const NVPTXOpcodes &Ops;
  const MachineDominatorTree Dominators;

  /// By block: whether it, or what can run after it, may change shared memory.
  BitVector ChangesShared, SharedChanges;

  bool isFinalRead(const MachineInstr &MI) const;
  bool isDefinedBefore(Register Reg, const MachineInstr &MI) const;
};

} // namespace

/// Whether MI, which accesses memory, does no more than store to memory that is
/// not shared.
static bool isStoreElsewhere(const MachineInstr &MI) {
  return MI.mayStore() && !MI.mayLoad() && !MI.memoperands_empty() &&
         all_of(MI.memoperands(), [](const MachineMemOperand *MMO) {
           return (MMO->getAddrSpace() == AddressSpace::Global ||
                   MMO->getAddrSpace() == AddressSpace::Local) &&
                  !MMO->isVolatile() && !MMO->isAtomic();
         });
}

/// Whether shared memory may hold something else after MI: it may be written,
/// or MI may be what keeps other threads from writing to it.
static bool mayChangeShared(const MachineInstr &MI, const NVPTXOpcodes &Ops) {
  if (MI.isDebugInstr() || Ops.isReadOnlyLoad(MI.getOpcode()) ||
      Ops.classify(MI.getOpcode()) == Op::cvta_to_global_64)
    return false;
  return MI.isCall() || MI.isInlineAsm() || MI.isConvergent() ||
         MI.isPosition() || MI.hasUnmodeledSideEffects() ||
         ((MI.mayStore() || MI.hasOrderedMemoryRef()) && !isStoreElsewhere(MI));
}

ValueHomes::ValueHomes(MachineFunction &MF, const NVPTXOpcodes &Opcodes)
    : MRI(MF.getRegInfo()), Ops(Opcodes), Dominators(MF) {
  // From the blocks that change shared memory up to where they are reached.
  ChangesShared.resize(MF.getNumBlockIDs());
  SharedChanges.resize(MF.getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 8> Worklist;
  for (const MachineBasicBlock &MBB : MF)
    if (any_of(MBB, [&](const MachineInstr &MI) {
          return mayChangeShared(MI, Ops);
        })) {
      ChangesShared.set(MBB.getNumber());
      Worklist.push_back(&MBB);
    }
  while (!Worklist.empty())
    for (const MachineBasicBlock *Pred :
         Worklist.pop_back_val()->predecessors())
      if (!SharedChanges.test(Pred->getNumber())) {
        SharedChanges.set(Pred->getNumber());
        Worklist.push_back(Pred);
      }
}

/// Whether MI, a scalar load, reads a place in the constant bank that is known
/// before launch: instructions have such words as operands, or uniform
/// registers hold them. (A loop that reads 48 of them, which LLVM loads ahead
/// of it, takes 8 registers of ptxas 13.0.)
static bool readsConstantBank(const MachineInstr &MI) {
  int64_t Space = MI.getOperand(LoadOperand::Space).getImm();
  return (Space == AddressSpace::Param || Space == AddressSpace::Const) &&
         !MI.getOperand(LoadOperand::Base).isReg() &&
         MI.isDereferenceableInvariantLoad();
}

bool ValueHomes::isFree(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def)
    return false;
  switch (Ops.classify(Def->getOpcode())) {
  case Op::MOV_B16_i:
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_F16_i:
  case Op::MOV_BF16_i:
  case Op::MOV_F32_i:
  case Op::MOV_F64_i:
  case Op::MOV_B32_sym:
  case Op::MOV_B64_sym:
    return true;
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return readsConstantBank(*Def);
  case Op::cvta_to_global_64:
    return Def->getOperand(1).isReg() &&
           Def->getOperand(1).getReg().isVirtual() &&
           isFree(Def->getOperand(1).getReg());
  default:
    return false;
  }
}

/// Whether Reg holds its only definition's value wherever MI runs.
bool ValueHomes::isDefinedBefore(Register Reg, const MachineInstr &MI) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  return Def && Def != &MI && Dominators.dominates(Def, &MI);
}

Register ValueHomes::negatedBy(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def || !Ops.isNegation(*Def))
    return Register();
  const MachineOperand &Operand = Def->getOperand(1);
  if (!Operand.isReg() || !Operand.getReg().isVirtual() ||
      Operand.getSubReg() || Operand.isUndef() ||
      !isDefinedBefore(Operand.getReg(), *Def) ||
      Ops.isNegation(*MRI.getUniqueVRegDef(Operand.getReg())))
    return Register();
  bool IsProduct = mayHoldProduct(Reg, MRI, Ops);
  bool IsFolded =
      all_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
        const MachineInstr &Use = *MO.getParent();
        return Ops.takesEitherSign(Use.getOpcode()) && !MO.getSubReg() &&
               !MO.isUndef() && isDefinedBefore(Reg, Use) &&
               !(IsProduct && (Ops.isFusingSum(Use) || Ops.isScaling(Use)));
      });
  return IsFolded ? Operand.getReg() : Register();
}

/// Whether MI reads a place in shared memory that is known before launch, and
/// nothing that may run later can change what stands there.
bool ValueHomes::isFinalRead(const MachineInstr &MI) const {
  switch (Ops.classify(MI.getOpcode())) {
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    break;
  default:
    return false;
  }
  if (MI.getOperand(LoadOperand::Space).getImm() != AddressSpace::Shared ||
      MI.getOperand(LoadOperand::Ordering).getImm() ||
      MI.getOperand(LoadOperand::Base).isReg() || !MI.hasOneMemOperand() ||
      MI.hasOrderedMemoryRef() ||
      SharedChanges.test(MI.getParent()->getNumber()))
    return false;
  if (!ChangesShared.test(MI.getParent()->getNumber()))
    return true;
  return none_of(
      make_range(std::next(MI.getIterator()), MI.getParent()->instr_end()),
      [&](const MachineInstr &I) { return mayChangeShared(I, Ops); });
}

/// Whether repeating the only definition of Reg gives the same wherever that
/// has been executed, costs less than a reload and reads nothing that takes a
/// register.
bool ValueHomes::isRecomputable(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (Def && isFinalRead(*Def))
    return true;
  if (!Def || Def->getNumDefs() != 1 ||
      !(Ops.isSimpleArithmetic(Def->getOpcode()) ||
        Ops.readsConstantRegister(Def->getOpcode())))
    return false;
  return all_of(Def->operands(), [&](const MachineOperand &MO) {
    if (!MO.isReg())
      return MO.isImm() || MO.isFPImm() || MO.isGlobal();
    if (!MO.getReg().isVirtual() || MO.getSubReg() || MO.isUndef())
      return false;
    return MO.isDef() ||
           (isFree(MO.getReg()) && isDefinedBefore(MO.getReg(), *Def));
  });
}

namespace {

/// Fills one KernelCode; the members are the maps needed on the way.
class Reader {
public:
  Reader(MachineFunction &MF, const NVPTXOpcodes &Ops, const Pass &P)
      : MF(MF), MRI(MF.getRegInfo()),
        LIS(P.getAnalysis<LiveIntervalsWrapperPass>().getLIS()),
        MLI(P.getAnalysis<MachineLoopInfoWrapperPass>().getLI()),
        MBFI(P.getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI()),
        MBPI(
            P.getAnalysis<MachineBranchProbabilityInfoWrapperPass>().getMBPI()),
        Ops(Ops), Homes(MF, Ops) {}

  KernelCode read() {
    readValues();
    readNegations();
    for (MachineBasicBlock &MBB : MF)
      BlockIds[&MBB] = static_cast<BlockId>(BlockIds.size());
    readLoops();
    for (MachineBasicBlock &MBB : MF)
      readBlock(MBB);
    for (BlockId B = 0; B != Code.Graph.Blocks.size(); ++B)
      for (BlockId S : Code.Graph.Blocks[B].Succs)
        Code.Graph.Blocks[S].Preds.push_back(B);
    readLiveIns();
    Code.Graph.EntryFrequency = MBFI.getEntryFreq().getFrequency();
    return std::move(Code);
  }

private:
  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  const LiveIntervals &LIS;
  const MachineLoopInfo &MLI;
  const MachineBlockFrequencyInfo &MBFI;
  const MachineBranchProbabilityInfo &MBPI;
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
    // Parents come before what is in them.
    for (const MachineLoop *L : MLI.getLoopsInPreorder()) {
      LoopIds[L] = static_cast<unsigned>(Code.Graph.Loops.size());
      const MachineLoop *Parent = L->getParentLoop();
      Code.Graph.Loops.push_back({BlockIds.lookup(L->getHeader()),
                                  Parent ? LoopIds.lookup(Parent) : NoLoop});
    }
  }

  void readBlock(MachineBasicBlock &MBB) {
    KernelGraph &G = Code.Graph;
    BlockInfo Info;
    Info.Number = static_cast<unsigned>(MBB.getNumber());
    Info.Frequency = MBFI.getBlockFreq(&MBB).getFrequency();
    for (MachineBasicBlock *Succ : MBB.successors()) {
      Info.Succs.push_back(BlockIds[Succ]);
      Info.SuccProbability.push_back(
          MBPI.getEdgeProbability(&MBB, Succ).getNumerator());
    }
    if (const MachineLoop *L = MLI.getLoopFor(&MBB))
      Info.Loop = LoopIds[L];
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
    Code.Graph.addInst(Uses, Defs);
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
    const SlotIndexes &Indexes = *LIS.getSlotIndexes();
    Register Reg = Register::index2VirtReg(Code.Graph.Values[Like].Register);
    if (!LIS.hasInterval(Reg))
      return;
    for (const LiveRange::Segment &S : LIS.getInterval(Reg)) {
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

void requireCodeAnalyses(AnalysisUsage &AU) {
  AU.addRequired<LiveIntervalsWrapperPass>();
  AU.addRequired<MachineLoopInfoWrapperPass>();
  AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
  AU.addRequired<MachineBranchProbabilityInfoWrapperPass>();
}

KernelCode readKernelCode(MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                          const Pass &P) {
  return Reader(MF, Opcodes, P).read();
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
