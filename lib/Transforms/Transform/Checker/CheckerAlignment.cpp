//===- CheckerAlignment.cpp - match the result with the original ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerAlignment.h"
#include "CheckerError.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
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

bool isSharedLoad(const MachineInstr &MI, Op O) {
  return accessBytes(O) && MI.mayLoad() && !MI.mayStore() &&
         MI.hasOneMemOperand() && !MI.hasOrderedMemoryRef() &&
         !MI.getOperand(LoadOperand::Ordering).getImm() &&
         !MI.getOperand(LoadOperand::Base).isReg() &&
         MI.getOperand(LoadOperand::Space).getImm() == AddressSpace::Shared;
}

bool leavesShared(const MachineInstr &MI, const NVPTXOpcodes &Opcodes) {
  Op O = Opcodes.classify(MI.getOpcode());
  if (MI.isDebugInstr() || Opcodes.isReadOnlyLoad(MI.getOpcode()) ||
      O == Op::cvta_to_global_64)
    return true;
  if (MI.isCall() || MI.isInlineAsm() || MI.isConvergent() || MI.isPosition() ||
      MI.hasUnmodeledSideEffects())
    return false;
  if (!MI.mayLoad() && !MI.mayStore())
    return true;
  for (const MachineMemOperand *MMO : MI.memoperands()) {
    unsigned Space = MMO->getAddrSpace();
    if (MMO->isVolatile() || MMO->isAtomic() ||
        (MMO->isStore() && Space != AddressSpace::Global &&
         Space != AddressSpace::Local))
      return false;
  }
  return !MI.memoperands_empty() && !(MI.mayLoad() && MI.mayStore());
}

/// Whether \p MI computes the same from the same registers wherever it stands.
/// By opcode: NVPTX's descriptions mark no side effect on instructions that
/// read counters. What else does is never repeated: it takes no register.
static bool isRepeatable(const MachineInstr &MI, Op O,
                         const NVPTXOpcodes &Opcodes) {
  unsigned Code = MI.getOpcode();
  return isSharedLoad(MI, O) ||
         (MI.getNumDefs() == 1 && (Opcodes.isSimpleArithmetic(Code) ||
                                   Opcodes.readsConstantRegister(Code)));
}

static bool isNew(const MachineOperand &MO, const EncodedFunction &Original) {
  return MO.isReg() && MO.getReg().isVirtual() &&
         !Original.hasRegister(MO.getReg());
}

/// Classifies \p MI given the registers that the original code names.
static InsertionKind classifyInsertion(const MachineInstr &MI,
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
  default:
    return InsertionKind::None;
  }
}

/// Where an edge leads that goes round through empty blocks for ever.
static constexpr unsigned Endless = NoBlock - 1;

namespace {

class Aligner {
public:
  Aligner(const EncodedFunction &Original, const EncodedFunction &Result,
          unsigned NumSteps, const MachineFunction &MF,
          const NVPTXOpcodes &Opcodes)
      : O(Original), R(Result), NumSteps(NumSteps), MF(MF), Opcodes(Opcodes),
        Report(MF), PairOfOriginal(O.Blocks.size(), NoBlock),
        PairOfResult(R.Blocks.size(), NoBlock) {
    Out.Kinds.resize(R.Instrs.size(), InsertionKind::None);
    Out.Reached.resize(R.Blocks.size());
  }

  Expected<Alignment> run();

private:
  InsertionKind classify(unsigned Instr);
  void findForwarders();
  unsigned resolveOriginal(unsigned Block) const;
  unsigned resolveResult(unsigned OriginalBlock, unsigned Block);
  Error addEdge(unsigned From, unsigned OriginalBlock, unsigned Block);
  Error alignBlock(unsigned OriginalBlock, unsigned Block);
  Error alignExits(unsigned OriginalBlock, unsigned Block);
  bool holds(unsigned OriginalBlock, unsigned Block) const;
  std::string describeOriginal(unsigned Instr) const;
  std::string nameOriginal(unsigned Block) const;
  std::string nameResult(unsigned Block) const;

  const EncodedFunction &O;
  const EncodedFunction &R;
  const unsigned NumSteps;
  const MachineFunction &MF;
  const NVPTXOpcodes &Opcodes;
  CheckerError Report;
  Alignment Out;
  std::vector<unsigned> PairOfOriginal, PairOfResult;
  /// Blocks of the result that control may just pass through: only insertions
  /// stand there, or what could be original instructions as well.
  BitVector Forwarders;
  /// The original's instructions, entered when first needed.
  DenseSet<const MachineInstr *, SameInstr> Originals;
  /// Pairs of original block and result block, in the order of their finding.
  std::vector<std::pair<unsigned, unsigned>> Worklist;
};

} // namespace

/// What instruction \p Instr of the result is if it is not the original's. A
/// recomputation has to repeat some instruction of the original; whether it
/// repeats the right one is for the data flow to tell.
InsertionKind Aligner::classify(unsigned Instr) {
  if (Instr < NumSteps)
    return InsertionKind::Address;
  InsertionKind Kind = classifyInsertion(*R.Instrs[Instr], Opcodes, O);
  if (Kind != InsertionKind::Recompute)
    return Kind;
  if (Originals.empty())
    Originals.insert(O.Instrs.begin(), O.Instrs.end());
  return Originals.contains(R.Instrs[Instr]) ? Kind : InsertionKind::None;
}

void Aligner::findForwarders() {
  Forwarders.resize(R.Blocks.size());
  for (unsigned I = 1; I < R.Blocks.size(); ++I) {
    const EncodedBlock &B = R.Blocks[I];
    if (B.Else == NoBlock || B.FirstTerminator != B.EndInstr)
      continue;
    Forwarders[I] = all_of(seq(B.FirstInstr, B.EndInstr), [this](unsigned J) {
      return classify(J) != InsertionKind::None;
    });
  }
}

/// The block with code, or without one successor, where control arrives.
unsigned Aligner::resolveOriginal(unsigned Block) const {
  for (unsigned Steps = 0; Steps <= O.Blocks.size(); ++Steps) {
    if (Block == NoBlock || Block == 0)
      return Block;
    const EncodedBlock &B = O.Blocks[Block];
    if (B.FirstInstr != B.EndInstr || B.Else == NoBlock)
      return Block;
    Block = B.Else;
  }
  return Endless;
}

/// Whether \p Block, a forwarder, is \p OriginalBlock plus insertions.
bool Aligner::holds(unsigned OriginalBlock, unsigned Block) const {
  if (OriginalBlock >= Endless || O.Blocks[OriginalBlock].Else == NoBlock)
    return false;
  const EncodedBlock &OB = O.Blocks[OriginalBlock], &RB = R.Blocks[Block];
  unsigned Next = OB.FirstInstr;
  for (unsigned I = RB.FirstInstr; I != RB.EndInstr; ++I)
    if (Next != OB.EndInstr && areSame(*O.Instrs[Next], *R.Instrs[I]))
      ++Next;
  return Next == OB.EndInstr;
}

unsigned Aligner::resolveResult(unsigned OriginalBlock, unsigned Block) {
  for (unsigned Steps = 0; Steps <= R.Blocks.size(); ++Steps) {
    if (Block == NoBlock)
      return Block;
    bool Forwards = Forwarders.test(Block) && !holds(OriginalBlock, Block);
    // What was found to be a block of the original cannot be passed through.
    if (!Forwards || PairOfResult[Block] != NoBlock)
      return Block;
    Out.Reached.set(Block);
    const EncodedBlock &B = R.Blocks[Block];
    for (unsigned I = B.FirstInstr; I != B.EndInstr; ++I)
      Out.Kinds[I] = classify(I);
    Block = B.Else;
  }
  return Endless;
}

std::string Aligner::describeOriginal(unsigned Instr) const {
  std::string Text;
  raw_string_ostream OS(Text);
  O.Instrs[Instr]->print(OS, /*IsStandalone=*/false, /*SkipOpers=*/false,
                         /*SkipDebugLoc=*/true, /*AddNewLine=*/false,
                         MF.getSubtarget().getInstrInfo());
  return ("'" + StringRef(Text).trim() + "'").str();
}

std::string Aligner::nameOriginal(unsigned Block) const {
  if (Block >= Endless)
    return Block == NoBlock ? "nowhere" : "an endless loop";
  return "bb." + std::to_string(O.Blocks[Block].Number) + " of the original";
}

std::string Aligner::nameResult(unsigned Block) const {
  if (Block >= Endless)
    return Block == NoBlock ? "nowhere" : "an endless loop";
  std::string Name = "bb." + std::to_string(R.Blocks[Block].Number);
  if (PairOfResult[Block] != NoBlock)
    return Name + ", which is " + nameOriginal(PairOfResult[Block]);
  return Name + (Out.Reached.test(Block) ? ", which is no original block" : "");
}

/// Control goes from block \p From of the result to \p Block, where the
/// original goes to \p OriginalBlock.
Error Aligner::addEdge(unsigned From, unsigned OriginalBlock, unsigned Block) {
  unsigned To = resolveOriginal(OriginalBlock);
  unsigned Got = resolveResult(To, Block);
  bool Special = To >= Endless || Got >= Endless;
  bool Known = !Special && PairOfOriginal[To] == Got;
  bool Fresh = !Special && !Known && PairOfOriginal[To] == NoBlock &&
               PairOfResult[Got] == NoBlock && !Out.Reached.test(Got);
  if (Special ? To != Got : !Known && !Fresh)
    return Report.inBlock(R.Blocks[From].Number,
                          "expected an edge to " + nameOriginal(To) +
                              ", found one to " + nameResult(Got));
  if (!Fresh)
    return Error::success();
  PairOfOriginal[To] = Got;
  PairOfResult[Got] = To;
  Worklist.emplace_back(To, Got);
  return Error::success();
}

Error Aligner::alignBlock(unsigned OriginalBlock, unsigned Block) {
  const EncodedBlock &OB = O.Blocks[OriginalBlock], &RB = R.Blocks[Block];
  Out.Reached.set(Block);
  unsigned Next = OB.FirstInstr;
  for (unsigned I = RB.FirstInstr; I != RB.FirstTerminator; ++I) {
    if (I >= NumSteps && Next != OB.FirstTerminator &&
        areSame(*O.Instrs[Next], *R.Instrs[I])) {
      ++Next;
      continue;
    }
    const MachineInstr &MI = *R.Instrs[I];
    Out.Kinds[I] = classify(I);
    if (Out.Kinds[I] == InsertionKind::None)
      return Report.at(MI, "expected " +
                               (Next == OB.FirstTerminator
                                    ? "nothing more before the terminators"
                                    : describeOriginal(Next)) +
                               " of " + nameOriginal(OriginalBlock) +
                               ", found this instruction");
  }
  if (Next != OB.FirstTerminator)
    return Report.inBlock(RB.Number, "original instruction " +
                                         describeOriginal(Next) +
                                         " is missing");
  return alignExits(OriginalBlock, Block);
}

Error Aligner::alignExits(unsigned OriginalBlock, unsigned Block) {
  const EncodedBlock &OB = O.Blocks[OriginalBlock], &RB = R.Blocks[Block];
  if (OB.SuccessorsAgree && !RB.SuccessorsAgree)
    return Report.inBlock(
        RB.Number, "the successor list does not agree with the terminators");
  unsigned OI = OB.FirstTerminator, RI = RB.FirstTerminator;
  unsigned OT = OB.FirstTarget, RT = RB.FirstTarget;
  for (; OI != OB.EndInstr && RI != RB.EndInstr; ++OI, ++RI)
    if (!areSame(*O.Instrs[OI], *R.Instrs[RI]))
      return Report.at(*R.Instrs[RI], "expected terminator " +
                                          describeOriginal(OI) + " of " +
                                          nameOriginal(OriginalBlock) +
                                          ", found this instruction");
  for (; OT != OB.EndTarget && RT != RB.EndTarget; ++OT, ++RT)
    if (Error E = addEdge(Block, O.Targets[OT], R.Targets[RT]))
      return E;
  if (OI != OB.EndInstr)
    return Report.inBlock(RB.Number, "original terminator " +
                                         describeOriginal(OI) + " is missing");
  if (RI != RB.EndInstr)
    return Report.at(*R.Instrs[RI], "expected no further terminator, found "
                                    "this instruction");
  return addEdge(Block, OB.Else, RB.Else);
}

Expected<Alignment> Aligner::run() {
  if (O.Blocks.empty() || R.Blocks.empty()) {
    if (O.Blocks.size() != R.Blocks.size())
      return Report.inKernel("original or result has no code");
    return std::move(Out);
  }
  findForwarders();
  PairOfOriginal[0] = PairOfResult[0] = 0;
  Worklist.emplace_back(0, 0);
  for (size_t I = 0; I != Worklist.size(); ++I) {
    auto [OriginalBlock, Block] = Worklist[I];
    if (Error E = alignBlock(OriginalBlock, Block))
      return E;
  }
  for (unsigned I : Out.Reached.set_bits())
    if (PairOfResult[I] == NoBlock && !R.Blocks[I].SuccessorsAgree)
      return Report.inBlock(R.Blocks[I].Number, "the successor list does not "
                                                "agree with the terminators");
  return std::move(Out);
}

Expected<Alignment> alignFunctions(const EncodedFunction &Original,
                                   const EncodedFunction &Result,
                                   unsigned NumSteps, const MachineFunction &MF,
                                   const NVPTXOpcodes &Opcodes) {
  return Aligner(Original, Result, NumSteps, MF, Opcodes).run();
}

} // namespace regdem::checker
