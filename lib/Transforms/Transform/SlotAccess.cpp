//===- SlotAccess.cpp - instructions that reach the slots -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotAccess.h"

#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace regdem {

SlotAccess::SlotAccess(MachineFunction &MF, const SlotLayout &Layout,
                       GlobalVariable *Region, const NVPTXOpcodes &Opcodes)
    : MF(MF), Layout(Layout), Region(Region), Ops(Opcodes) {}

// New instructions carry no source line: they belong to none.
MachineInstrBuilder SlotAccess::build(const Place &P, Op O) const {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  return BuildMI(P.MBB, P.At, DebugLoc(), TII.get(Ops[O]));
}

MachineInstrBuilder SlotAccess::build(const Place &P, Op O,
                                      Register Dst) const {
  return build(P, O).addDef(Dst);
}

Register SlotAccess::create(RegKind Kind) const {
  return MF.getRegInfo().createVirtualRegister(Ops.classOf(Kind));
}

RegKind SlotAccess::kindOf(Register Reg) const {
  return Ops.kindOf(*MF.getRegInfo().getRegClass(Reg));
}

/// tid.x + ntid.x * (tid.y + ntid.y * tid.z), leaving out the dimensions that
/// are known to have one thread.
Register SlotAccess::linearThread(const Place &P,
                                  const unsigned (&Dims)[3]) const {
  auto Special = [&](Op O) {
    Register R = create(RegKind::B32);
    build(P, O, R);
    return R;
  };
  // Outer + Extent * Inner, with Extent folded where it is known.
  auto MulAdd = [&](unsigned Known, Op Extent, Register Inner, Register Outer) {
    Register R = create(RegKind::B32);
    if (Known) {
      build(P, Op::MAD_LO_S32rir, R).addReg(Inner).addImm(Known).addReg(Outer);
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
Register SlotAccess::fromEnd(const Place &P, Register Thread) const {
  Register Size = create(RegKind::B32), Offset = create(RegKind::B32);
  build(P, Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE, Size);
  build(P, Op::MAD_LO_S32rir, Offset)
      .addReg(Thread)
      .addImm(-int64_t(Layout.ThreadBytes))
      .addReg(Size);
  return Offset;
}

void SlotAccess::insertBase(const unsigned (&Dims)[3]) {
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

MachineMemOperand *SlotAccess::memOperand(unsigned Bits, bool IsStore) const {
  MachineMemOperand::Flags Flags =
      IsStore ? MachineMemOperand::MOStore : MachineMemOperand::MOLoad;
  // The address depends on the thread, so the address space is all that can be
  // said of it.
  return MF.getMachineMemOperand(
      MachinePointerInfo(static_cast<unsigned>(AddressSpace::Shared)), Flags,
      LLT::scalar(Bits), Align(Bits / 8));
}

/// Bits of a value that one access moves; 0 where it moves in halves.
unsigned SlotAccess::bitsAtOnce(RegKind Kind) const {
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

void SlotAccess::insertStore(const Place &P, Register Value,
                             unsigned To) const {
  RegKind Kind = kindOf(Value);
  if (unsigned Bits = bitsAtOnce(Kind)) {
    Op O = Bits == 16 ? Op::ST_i16 : Bits == 32 ? Op::ST_i32 : Op::ST_i64;
    build(P, O)
        .addReg(Value)
        .addImm(NotAtomic)
        .addImm(0) // scope: thread
        .addImm(AddressSpace::Shared)
        .addImm(Bits)
        .addReg(Base)
        .addImm(Layout.offset(To))
        .addMemOperand(memOperand(Bits, /*IsStore=*/true));
    return;
  }
  bool IsQuad = Kind == RegKind::B128;
  RegKind Half = IsQuad ? RegKind::B64 : RegKind::B32;
  Register Low = create(Half), High = create(Half);
  build(P, IsQuad ? Op::I128toV2I64 : Op::I64toV2I32, Low)
      .addDef(High)
      .addReg(Value);
  insertStore(P, Low, To);
  insertStore(P, High, To + wordsOf(Half));
}

void SlotAccess::insertReload(const Place &P, Register Value,
                              unsigned From) const {
  RegKind Kind = kindOf(Value);
  if (unsigned Bits = bitsAtOnce(Kind)) {
    Op O = Bits == 16 ? Op::LD_i16 : Bits == 32 ? Op::LD_i32 : Op::LD_i64;
    constexpr int64_t Untyped = 3; // NVPTX::PTXLdStInstCode::Untyped
    constexpr int64_t NoMask = -1;
    build(P, O, Value)
        .addImm(NotAtomic)
        .addImm(0) // scope: thread
        .addImm(AddressSpace::Shared)
        .addImm(Untyped)
        .addImm(Bits)
        .addImm(NoMask)
        .addReg(Base)
        .addImm(Layout.offset(From))
        .addMemOperand(memOperand(Bits, /*IsStore=*/false));
    return;
  }
  bool IsQuad = Kind == RegKind::B128;
  RegKind Half = IsQuad ? RegKind::B64 : RegKind::B32;
  Register Low = create(Half), High = create(Half);
  insertReload(P, Low, From);
  insertReload(P, High, From + wordsOf(Half));
  build(P, IsQuad ? Op::V2I64toI128 : Op::V2I32toI64, Value)
      .addReg(Low)
      .addReg(High);
}

} // namespace regdem
