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
                       bool Volatile, GlobalVariable *Region,
                       const NVPTXOpcodes &Opcodes)
    : MF(MF), Layout(Layout), Volatile(Volatile), Region(Region), Ops(Opcodes) {
}

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
                                  const BlockShape &Shape) const {
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
  const unsigned (&Dims)[3] = Shape.Dims;
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

void SlotAccess::insertBase(const BlockShape &Shape) {
  if (!Layout.Words)
    return;
  MachineBasicBlock &Entry = MF.front();
  Place P{Entry, Entry.SkipPHIsAndLabels(Entry.begin())};
  Register Index = linearThread(P, Shape);
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
  if (Volatile)
    Flags |= MachineMemOperand::MOVolatile;

  // The address depends on the thread, so the address space is all that can be
  // said of it.
  return MF.getMachineMemOperand(
      MachinePointerInfo(static_cast<unsigned>(AddressSpace::Shared)), Flags,
      LLT::scalar(Bits), Align(Bits / 8));
}

void SlotAccess::storeScalar(const Place &P, Register Value, unsigned Bits,
                             unsigned To) const {
  Op O = Bits == 16 ? Op::ST_i16 : Bits == 32 ? Op::ST_i32 : Op::ST_i64;
  build(P, O)
      .addReg(Value)
      .addImm(ordering())
      .addImm(0) // scope: thread
      .addImm(AddressSpace::Shared)
      .addImm(Bits)
      .addReg(Base)
      .addImm(Layout.offset(To))
      .addMemOperand(memOperand(Bits, /*IsStore=*/true));
}

void SlotAccess::loadScalar(const Place &P, Register Value, unsigned Bits,
                            unsigned From) const {
  Op O = Bits == 16 ? Op::LD_i16 : Bits == 32 ? Op::LD_i32 : Op::LD_i64;
  constexpr int64_t Untyped = 3; // NVPTX::PTXLdStInstCode::Untyped
  constexpr int64_t NoMask = -1;
  build(P, O, Value)
      .addImm(ordering())
      .addImm(0) // scope: thread
      .addImm(AddressSpace::Shared)
      .addImm(Untyped)
      .addImm(Bits)
      .addImm(NoMask)
      .addReg(Base)
      .addImm(Layout.offset(From))
      .addMemOperand(memOperand(Bits, /*IsStore=*/false));
}

void SlotAccess::storeHalves(const Place &P, Op Split, RegKind Half,
                             Register Value, unsigned To) {
  Register Low = create(Half), High = create(Half);
  build(P, Split, Low).addDef(High).addReg(Value);
  insertStore(P.MBB, P.At, Low, To);
  insertStore(P.MBB, P.At, High, To + wordsOf(Half));
}

void SlotAccess::loadHalves(const Place &P, Op Join, RegKind Half,
                            Register Value, unsigned From) {
  Register Low = create(Half), High = create(Half);
  insertReload(P.MBB, P.At, Low, From);
  insertReload(P.MBB, P.At, High, From + wordsOf(Half));
  build(P, Join, Value).addReg(Low).addReg(High);
}

void SlotAccess::insertStore(MachineBasicBlock &MBB,
                             MachineBasicBlock::iterator At, Register Value,
                             unsigned To) {
  Place P{MBB, At};
  switch (kindOf(Value)) {
  case RegKind::B16:
    return storeScalar(P, Value, 16, To);
  case RegKind::B32:
    return storeScalar(P, Value, 32, To);
  case RegKind::B64:
    if (movesPairs())
      return storeScalar(P, Value, 64, To);
    return storeHalves(P, Op::I64toV2I32, RegKind::B32, Value, To);
  case RegKind::B128:
    return storeHalves(P, Op::I128toV2I64, RegKind::B64, Value, To);
  case RegKind::B1:
  case RegKind::Other:
    break;
  }
  llvm_unreachable("the plan holds a value that no store fits");
}

void SlotAccess::insertReload(MachineBasicBlock &MBB,
                              MachineBasicBlock::iterator At, Register Value,
                              unsigned From) {
  Place P{MBB, At};
  switch (kindOf(Value)) {
  case RegKind::B16:
    return loadScalar(P, Value, 16, From);
  case RegKind::B32:
    return loadScalar(P, Value, 32, From);
  case RegKind::B64:
    if (movesPairs())
      return loadScalar(P, Value, 64, From);
    return loadHalves(P, Op::V2I32toI64, RegKind::B32, Value, From);
  case RegKind::B128:
    return loadHalves(P, Op::V2I64toI128, RegKind::B64, Value, From);
  case RegKind::B1:
  case RegKind::Other:
    break;
  }
  llvm_unreachable("the plan holds a value that no load fits");
}

} // namespace regdem
