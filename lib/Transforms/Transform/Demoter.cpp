//===- Demoter.cpp - carry out a demotion plan ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Demoter.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

static std::string regionName(const Function &Kernel) {
  return ("__regdem_slots_" + Kernel.getName()).str();
}

GlobalVariable &createSpillRegion(Function &Kernel, uint64_t Bytes) {
  Module &M = *Kernel.getParent();
  auto *Type = ArrayType::get(Type::getInt32Ty(M.getContext()), Bytes / 4);
  auto *Region = new GlobalVariable(
      M, Type, /*isConstant=*/false,
      Bytes ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage,
      Bytes ? UndefValue::get(Type) : nullptr, regionName(Kernel),
      /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal,
      static_cast<unsigned>(AddressSpace::Shared));
  Region->setAlignment(Align(Bytes ? 8 : 16));
  return *Region;
}

const GlobalVariable *findSpillRegion(const Function &Kernel) {
  return Kernel.getParent()->getGlobalVariable(regionName(Kernel),
                                               /*AllowInternal=*/true);
}

namespace {

/// Builds the base address, the stores and the reloads.
class SlotAccess {
public:
  /// Where the next instruction is built: before At.
  struct Place {
    MachineBasicBlock &MBB;
    MachineBasicBlock::iterator At;
  };

  SlotAccess(MachineFunction &MF, const SlotLayout &Layout,
             GlobalVariable *Region, const NVPTXOpcodes &Opcodes)
      : MF(MF), Layout(Layout), Region(Region), Ops(Opcodes) {}

  /// Computes the address of the thread's slots, if there are any, at the top
  /// of the entry block. Dims: as demote() has them.
  void insertBase(const unsigned (&Dims)[3]) {
    if (!Layout.Words)
      return;
    MachineBasicBlock &Entry = MF.front();
    Place P{Entry, Entry.SkipPHIsAndLabels(Entry.begin())};
    Register Index = linearThread(P, Dims);
    if (Layout.ThreadBytes)
      Index = fromEnd(P, Index);
    Register Start = create(RegKind::B64);
    build(P, Op::MOV_B64_sym, Start).addGlobalAddress(Region);
    Register Offset = create(RegKind::B64);
    build(P, Op::MUL_WIDEu32_ri, Offset)
        .addReg(Index)
        .addImm(Layout.ThreadBytes ? 1 : Layout.Unit);
    Base = create(RegKind::B64);
    build(P, Op::ADD64rr, Base).addReg(Start).addReg(Offset);
  }

  /// Stores Value in the slot that starts at word Slot, or reloads it.
  void insert(const Place &P, bool IsStore, Register Value,
              unsigned Slot) const {
    RegKind Kind = Ops.kindOf(*MF.getRegInfo().getRegClass(Value));
    if (unsigned Bits = bitsAtOnce(Kind))
      return access(P, IsStore, Value, Slot, Bits);
    bool IsQuad = Kind == RegKind::B128;
    RegKind Half = IsQuad ? RegKind::B64 : RegKind::B32;
    Register Low = create(Half), High = create(Half);
    if (IsStore)
      build(P, IsQuad ? Op::I128toV2I64 : Op::I64toV2I32, Low)
          .addDef(High)
          .addReg(Value);
    insert(P, IsStore, Low, Slot);
    insert(P, IsStore, High, Slot + wordsOf(Half));
    if (!IsStore)
      build(P, IsQuad ? Op::V2I64toI128 : Op::V2I32toI64, Value)
          .addReg(Low)
          .addReg(High);
  }

private:
  MachineFunction &MF;
  const SlotLayout Layout;
  GlobalVariable *Region;
  const NVPTXOpcodes &Ops;
  Register Base;

  // New instructions carry no source line: they belong to none.
  MachineInstrBuilder build(const Place &P, Op O) const {
    const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
    return BuildMI(P.MBB, P.At, DebugLoc(), TII.get(Ops[O]));
  }
  MachineInstrBuilder build(const Place &P, Op O, Register Dst) const {
    return build(P, O).addDef(Dst);
  }
  Register create(RegKind Kind) const {
    return MF.getRegInfo().createVirtualRegister(Ops.classOf(Kind));
  }

  /// tid.x + ntid.x * (tid.y + ntid.y * tid.z), leaving out the dimensions that
  /// are known to have one thread.
  Register linearThread(const Place &P, const unsigned (&Dims)[3]) const {
    auto Special = [&](Op O) {
      Register R = create(RegKind::B32);
      build(P, O, R);
      return R;
    };
    // Outer + Extent * Inner, with Extent folded where it is known.
    auto MulAdd = [&](unsigned Known, Op Extent, Register Inner,
                      Register Outer) {
      Register R = create(RegKind::B32);
      if (Known) {
        build(P, Op::MAD_LO_S32rir, R)
            .addReg(Inner)
            .addImm(Known)
            .addReg(Outer);
        return R;
      }
      Register Factor = Special(Extent);
      build(P, Op::MAD_LO_S32rrr, R).addReg(Inner).addReg(Factor).addReg(Outer);
      return R;
    };
    Register X = Special(Op::INT_PTX_SREG_TID_x);
    if (Dims[1] == 1 && Dims[2] == 1)
      return X;
    Register Y = Special(Op::INT_PTX_SREG_TID_y);
    if (Dims[2] != 1) {
      Register Z = Special(Op::INT_PTX_SREG_TID_z);
      Y = MulAdd(Dims[1], Op::INT_PTX_SREG_NTID_y, Z, Y);
    }
    return MulAdd(Dims[0], Op::INT_PTX_SREG_NTID_x, Y, X);
  }

  /// The end of dynamic shared memory less ThreadBytes * t, from its start.
  Register fromEnd(const Place &P, Register Thread) const {
    Register Size = create(RegKind::B32), Offset = create(RegKind::B32);
    build(P, Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE, Size);
    build(P, Op::MAD_LO_S32rir, Offset)
        .addReg(Thread)
        .addImm(-int64_t(Layout.ThreadBytes))
        .addReg(Size);
    return Offset;
  }

  /// Bits of a value that one access moves; 0 where it moves in halves.
  unsigned bitsAtOnce(RegKind Kind) const {
    switch (Kind) {
    case RegKind::B16:
      return 16;
    case RegKind::B32:
      return 32;
    case RegKind::B64:
      return Layout.Unit == 8 ? 64 : 0;
    case RegKind::B128:
      return 0;
    case RegKind::B1:
    case RegKind::Other:
      break;
    }
    llvm_unreachable("the plan holds a value that no access fits");
  }

  void access(const Place &P, bool IsStore, Register Value, unsigned Slot,
              unsigned Bits) const {
    static constexpr Op Loads[] = {Op::LD_i16, Op::LD_i32, Op::LD_i64},
                        Stores[] = {Op::ST_i16, Op::ST_i32, Op::ST_i64};
    constexpr int64_t Untyped = 3; // NVPTX::PTXLdStInstCode::Untyped
    constexpr int64_t NoMask = -1;
    MachineInstrBuilder MI = IsStore ? build(P, Stores[Bits / 32]).addReg(Value)
                                     : build(P, Loads[Bits / 32], Value);
    MI.addImm(NotAtomic)
        .addImm(0) // scope: thread
        .addImm(AddressSpace::Shared);
    if (!IsStore)
      MI.addImm(Untyped);
    MI.addImm(Bits);
    if (!IsStore)
      MI.addImm(NoMask);
    // The address depends on the thread, so the address space is all that can
    // be said of it.
    MI.addReg(Base)
        .addImm(Layout.offset(Slot))
        .addMemOperand(MF.getMachineMemOperand(
            MachinePointerInfo(static_cast<unsigned>(AddressSpace::Shared)),
            IsStore ? MachineMemOperand::MOStore : MachineMemOperand::MOLoad,
            LLT::scalar(Bits), Align(Bits / 8)));
  }
};

} // namespace

/// Gives the edge From -> To a block of its own that only jumps on.
static MachineBasicBlock &splitEdge(MachineFunction &MF,
                                    MachineBasicBlock &From,
                                    MachineBasicBlock &To,
                                    const NVPTXOpcodes &Opcodes) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineBasicBlock *New = MF.CreateMachineBasicBlock(To.getBasicBlock());
  // Where From falls through to To, the new block has to be what follows;
  // elsewhere it must not come between From and what follows.
  bool Branches = any_of(From.terminators(), [&](const MachineInstr &MI) {
    return any_of(MI.operands(), [&](const MachineOperand &MO) {
      return MO.isMBB() && MO.getMBB() == &To;
    });
  });
  MF.insert(Branches ? MF.end() : std::next(From.getIterator()), New);
  From.ReplaceUsesOfBlockWith(&To, New);
  New->addSuccessor(&To);
  BuildMI(New, DebugLoc(), TII.get(Opcodes[Op::GOTO])).addMBB(&To);
  return *New;
}

/// Repeats the definition of Reg. Where there are several, they are copies of
/// one another.
static void rematerialise(MachineBasicBlock &MBB,
                          MachineBasicBlock::iterator At, Register Reg) {
  MachineFunction &MF = *MBB.getParent();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineInstr *Again = MF.CloneMachineInstr(&*MRI.def_instr_begin(Reg));
  Again->setDebugLoc(DebugLoc()); // It belongs to no source line.
  MBB.insert(At, Again);
  // The operands live longer now.
  for (const MachineOperand &MO : Again->all_uses())
    MRI.clearKillFlags(MO.getReg());
}

void demote(MachineFunction &MF, const KernelCode &Code,
            const DemotionPlan &Plan, const SlotLayout &Layout,
            const unsigned (&Dims)[3], GlobalVariable *Region,
            const NVPTXOpcodes &Opcodes) {
  const KernelGraph &Graph = Code.Graph;
  std::vector<MachineBasicBlock *> Splits;
  for (const SplitEdge &E : Plan.Edges)
    Splits.push_back(
        &splitEdge(MF, *Code.Blocks[E.Pred], *Code.Blocks[E.Succ], Opcodes));

  SlotAccess Access(MF, Layout, Region, Opcodes);
  // First, so that what the plan puts at the top of the entry comes after it.
  Access.insertBase(Dims);
  for (const PlanAction &A : Plan.Actions) {
    bool OnEdge = A.Where.Block >= Graph.Blocks.size();
    MachineBasicBlock &MBB = OnEdge
                                 ? *Splits[A.Where.Block - Graph.Blocks.size()]
                                 : *Code.Blocks[A.Where.Block];
    MachineBasicBlock::iterator At =
        OnEdge || A.Where.Before == Graph.Blocks[A.Where.Block].End
            ? MBB.getFirstTerminator()
            : MachineBasicBlock::iterator(Code.Insts[A.Where.Before]);
    Register Value = Code.registerOf(A.Value);
    if (A.What == PlanAction::Recompute)
      rematerialise(MBB, At, Value);
    else
      Access.insert({MBB, At}, A.What == PlanAction::Store, Value, A.Slot);
  }
  MF.RenumberBlocks();
}

} // namespace regdem
