//===- CheckerAlignment.cpp - match the result with the original ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerAlignment.h"
#include "CheckerError.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem::checker {

unsigned accessBytes(Op O) {
  switch (O) {
  case Op::LD_i16:
  case Op::ST_i16:
    return 2;
  case Op::LD_i32:
  case Op::ST_i32:
    return 4;
  case Op::LD_i64:
  case Op::ST_i64:
    return 8;
  default:
    return 0;
  }
}

/// Whether executing the load again gives the same: nothing writes what it
/// reads. Kernel parameters are marked so.
static bool isInvariantLoad(const MachineInstr &MI) {
  if (!MI.hasOneMemOperand() || MI.getOperand(LoadOperand::Ordering).getImm())
    return false;
  const MachineMemOperand *MMO = *MI.memoperands_begin();
  return MMO->isInvariant() && !MMO->isVolatile() && !MMO->isAtomic();
}

/// Whether \p MI computes the same from the same registers wherever it stands.
/// By opcode: NVPTX's descriptions mark no side effect on instructions that
/// read counters, and one on address conversions.
static bool isRepeatable(const MachineInstr &MI, Op O,
                         const NVPTXOpcodes &Opcodes) {
  unsigned Code = MI.getOpcode();
  if (Opcodes.isArithmetic(Code) || Opcodes.readsConstantRegister(Code))
    return MI.getNumDefs() == 1;
  switch (O) {
  case Op::MOV_B16_i:
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_F16_i:
  case Op::MOV_BF16_i:
  case Op::MOV_F32_i:
  case Op::MOV_F64_i:
  case Op::MOV_B32_sym:
  case Op::MOV_B64_sym:
  case Op::cvta_to_global_64:
    return true;
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return isInvariantLoad(MI);
  default:
    return false;
  }
}

static bool isNew(const MachineOperand &MO, const EncodedFunction &Original) {
  return MO.isReg() && MO.getReg().isVirtual() &&
         !Original.hasRegister(MO.getReg());
}

InsertionKind classifyInsertion(const MachineInstr &MI,
                                const NVPTXOpcodes &Opcodes,
                                const EncodedFunction &Original) {
  Op O = Opcodes.classify(MI.getOpcode());
  if (MI.getNumOperands() != MI.getDesc().getNumOperands())
    return InsertionKind::None;
  bool AnyNew = llvm::any_of(MI.operands(), [&](const MachineOperand &MO) {
    return isNew(MO, Original);
  });
  if (!AnyNew)
    return isRepeatable(MI, O, Opcodes) ? InsertionKind::Recompute
                                        : InsertionKind::None;
  switch (O) {
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return isNew(MI.getOperand(LoadOperand::Base), Original)
               ? InsertionKind::Load
               : InsertionKind::None;
  case Op::ST_i16:
  case Op::ST_i32:
  case Op::ST_i64:
    return isNew(MI.getOperand(StoreOperand::Base), Original)
               ? InsertionKind::Store
               : InsertionKind::None;
  case Op::I64toV2I32:
  case Op::I128toV2I64:
    return InsertionKind::Split;
  case Op::V2I32toI64:
  case Op::V2I64toI128:
    return InsertionKind::Join;
  case Op::MOV_B64_sym:
  case Op::INT_PTX_SREG_TID_x:
  case Op::INT_PTX_SREG_TID_y:
  case Op::INT_PTX_SREG_TID_z:
  case Op::INT_PTX_SREG_NTID_x:
  case Op::INT_PTX_SREG_NTID_y:
  case Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE:
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir:
  case Op::MUL_WIDEu32_ri:
  case Op::ADD64rr:
    return isNew(MI.getOperand(0), Original) ? InsertionKind::Address
                                             : InsertionKind::None;
  default:
    return InsertionKind::None;
  }
}

namespace {

class Aligner {
public:
  Aligner(const EncodedFunction &Original, const EncodedFunction &Result,
          const MachineFunction &MF, const NVPTXOpcodes &Opcodes)
      : O(Original), R(Result), MF(MF), Opcodes(Opcodes), Report(MF),
        Originals(O.Instrs.begin(), O.Instrs.end()) {
    Out.Kinds.resize(R.Instrs.size(), InsertionKind::None);
  }

  Expected<Alignment> run();

private:
  InsertionKind classify(unsigned Instr) const;
  Error alignBlock(unsigned Block);
  Error alignTerminators(unsigned Block) const;
  std::string describeOriginal(unsigned Instr) const;

  const EncodedFunction &O;
  const EncodedFunction &R;
  const MachineFunction &MF;
  const NVPTXOpcodes &Opcodes;
  CheckerError Report;
  Alignment Out;
  const DenseSet<const MachineInstr *, SameInstr> Originals;
};

} // namespace

/// What instruction \p Instr of the result is if it is not the original's. A
/// recomputation has to repeat some instruction of the original; whether it
/// repeats the right one is for the data flow to tell.
InsertionKind Aligner::classify(unsigned Instr) const {
  InsertionKind Kind = classifyInsertion(*R.Instrs[Instr], Opcodes, O);
  return Kind == InsertionKind::Recompute &&
                 !Originals.contains(R.Instrs[Instr])
             ? InsertionKind::None
             : Kind;
}

std::string Aligner::describeOriginal(unsigned Instr) const {
  std::string Text;
  raw_string_ostream OS(Text);
  O.Instrs[Instr]->print(OS, /*IsStandalone=*/false, /*SkipOpers=*/false,
                         /*SkipDebugLoc=*/true, /*AddNewLine=*/false,
                         MF.getSubtarget().getInstrInfo());
  return ("'" + StringRef(Text).trim() + "'").str();
}

Error Aligner::alignBlock(unsigned Block) {
  const EncodedBlock &OB = O.Blocks[Block], &RB = R.Blocks[Block];
  if (OB.Number != RB.Number || OB.Successors != RB.Successors)
    return Report.inBlock(RB.Number, "expected bb." + Twine(OB.Number) +
                                         " of the original, with the same "
                                         "successors");
  unsigned Next = OB.FirstInstr;
  for (unsigned I = RB.FirstInstr; I != RB.FirstTerminator; ++I) {
    if (Next != OB.FirstTerminator && areSame(*O.Instrs[Next], *R.Instrs[I])) {
      ++Next;
      continue;
    }
    Out.Kinds[I] = classify(I);
    if (Out.Kinds[I] == InsertionKind::None)
      return Report.at(*R.Instrs[I],
                       "expected " +
                           (Next == OB.FirstTerminator
                                ? "nothing more before the terminators"
                                : describeOriginal(Next)) +
                           ", found this instruction");
    if (Block == 0 && Next == OB.FirstInstr)
      Out.PrologueEnd = I + 1;
  }
  if (Next != OB.FirstTerminator)
    return Report.inBlock(RB.Number, "original instruction " +
                                         describeOriginal(Next) +
                                         " is missing");
  return alignTerminators(Block);
}

Error Aligner::alignTerminators(unsigned Block) const {
  const EncodedBlock &OB = O.Blocks[Block], &RB = R.Blocks[Block];
  unsigned OI = OB.FirstTerminator, RI = RB.FirstTerminator;
  for (; OI != OB.EndInstr && RI != RB.EndInstr; ++OI, ++RI)
    if (!areSame(*O.Instrs[OI], *R.Instrs[RI]))
      return Report.at(*R.Instrs[RI], "expected terminator " +
                                          describeOriginal(OI) +
                                          ", found this instruction");
  if (OI != OB.EndInstr)
    return Report.inBlock(RB.Number, "original terminator " +
                                         describeOriginal(OI) + " is missing");
  if (RI != RB.EndInstr)
    return Report.at(*R.Instrs[RI], "expected no further terminator, found "
                                    "this instruction");
  return Error::success();
}

Expected<Alignment> Aligner::run() {
  if (O.Blocks.size() != R.Blocks.size())
    return Report.inKernel("expected " + Twine(O.Blocks.size()) +
                           " blocks, found " + Twine(R.Blocks.size()));
  for (unsigned I = 0; I != R.Blocks.size(); ++I)
    if (Error E = alignBlock(I))
      return E;
  return std::move(Out);
}

Expected<Alignment> alignFunctions(const EncodedFunction &Original,
                                   const EncodedFunction &Result,
                                   const MachineFunction &MF,
                                   const NVPTXOpcodes &Opcodes) {
  return Aligner(Original, Result, MF, Opcodes).run();
}

} // namespace regdem::checker
