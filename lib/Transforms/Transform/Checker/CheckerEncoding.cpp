//===- CheckerEncoding.cpp - a function as comparable words ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerEncoding.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

namespace regdem::checker {

namespace {

/// Layout of an instruction's words: a header (opcode, number of memory
/// operands), the number of operands with the flags, the memory operands in
/// MemOperandWords words each, then for each operand a header (its type, its
/// flags), the number of its payload words, and those.
constexpr unsigned MemOperandWords = 3;

/// The bits of an operand's header above its type (8 bits) and its target flags
/// (16 bits).
constexpr uint64_t IsDef = 1ull << 24;
constexpr uint64_t IsImplicit = 1ull << 25;
constexpr uint64_t IsUndef = 1ull << 26;
constexpr uint64_t IsEarlyClobber = 1ull << 27;
constexpr uint64_t IsInternalRead = 1ull << 28;
/// The index of the tied operand plus one, then the subregister's index.
constexpr unsigned TiedShift = 32, SubRegShift = 48;

class Encoder {
public:
  explicit Encoder(const MachineFunction &MF) : MF(MF) {
    Result.Registers.resize(MF.getRegInfo().getNumVirtRegs());
    LayoutIndex.resize(MF.getNumBlockIDs(), NoBlock);
    unsigned Index = 0;
    size_t Instrs = 0;
    for (const MachineBasicBlock &MBB : MF) {
      LayoutIndex[MBB.getNumber()] = Index++;
      Instrs += MBB.size();
    }
    Result.Blocks.reserve(Index);
    Result.Instrs.reserve(Instrs);
    Result.Words.reserve(Instrs * 16);
  }

  EncodedFunction run() {
    for (const MachineBasicBlock &MBB : MF)
      addBlock(MBB);
    return std::move(Result);
  }

private:
  void addBlock(const MachineBasicBlock &MBB);
  void addInstr(const MachineInstr &MI);
  void addMemOperand(const MachineMemOperand &MMO);
  void addOperand(const MachineInstr &MI, unsigned Index);
  void addSymbol(StringRef Name);
  unsigned fallThrough(const MachineBasicBlock &MBB) const;
  bool successorsAgree(const MachineBasicBlock &MBB,
                       const EncodedBlock &B) const;

  void add(uint64_t Word) { Result.Words.push_back(Word); }
  void addPointer(const void *P) { add(reinterpret_cast<uintptr_t>(P)); }

  const MachineFunction &MF;
  EncodedFunction Result;
  std::vector<unsigned> LayoutIndex;
};

} // namespace

/// GOTO, of which only the target matters; BRX_END jumps too but has an index.
static bool isPlainJump(const MachineInstr &MI) {
  return MI.isUnconditionalBranch() && MI.getNumOperands() == 1 &&
         MI.getOperand(0).isMBB();
}

unsigned Encoder::fallThrough(const MachineBasicBlock &MBB) const {
  const MachineBasicBlock *Next = MBB.getNextNode();
  return Next && MBB.isSuccessor(Next) ? LayoutIndex[Next->getNumber()]
                                       : NoBlock;
}

bool Encoder::successorsAgree(const MachineBasicBlock &MBB,
                              const EncodedBlock &B) const {
  SmallVector<unsigned, 8> Listed, Named;
  for (const MachineBasicBlock *Succ : MBB.successors())
    Listed.push_back(LayoutIndex[Succ->getNumber()]);
  Named.append(Result.Targets.begin() + B.FirstTarget,
               Result.Targets.begin() + B.EndTarget);
  if (B.Else != NoBlock)
    Named.push_back(B.Else);
  for (auto *List : {&Listed, &Named}) {
    llvm::sort(*List);
    List->erase(llvm::unique(*List), List->end());
  }
  return Listed == Named;
}

void Encoder::addBlock(const MachineBasicBlock &MBB) {
  EncodedBlock B;
  B.Number = MBB.getNumber();
  B.FirstInstr = Result.Instrs.size();
  B.FirstTarget = Result.Targets.size();
  bool InTerminators = false, Leaves = false;
  for (const MachineInstr &MI : MBB) {
    if (MI.isDebugInstr())
      continue;
    if (MI.isTerminator() && !InTerminators) {
      InTerminators = true;
      B.FirstTerminator = Result.Instrs.size();
    }
    if (isPlainJump(MI) && &MI == &MBB.back()) {
      B.Else = LayoutIndex[MI.getOperand(0).getMBB()->getNumber()];
      Leaves = true;
      continue;
    }
    Leaves = MI.isBarrier();
    addInstr(MI);
  }
  B.EndInstr = Result.Instrs.size();
  if (!InTerminators)
    B.FirstTerminator = B.EndInstr;
  B.EndTarget = Result.Targets.size();
  if (!Leaves)
    B.Else = fallThrough(MBB);
  B.SuccessorsAgree = successorsAgree(MBB, B);
  Result.Blocks.push_back(B);
}

void Encoder::addInstr(const MachineInstr &MI) {
  unsigned First = Result.Words.size();
  add(uint64_t(MI.getOpcode()) << 32 | MI.getNumMemOperands());
  add(uint64_t(MI.getFlags()) << 32 | MI.getNumOperands());
  for (const MachineMemOperand *MMO : MI.memoperands())
    addMemOperand(*MMO);
  for (unsigned I = 0, E = MI.getNumOperands(); I != E; ++I)
    addOperand(MI, I);
  Result.Instrs.push_back({First, unsigned(Result.Words.size()), &MI});
}

void Encoder::addMemOperand(const MachineMemOperand &MMO) {
  add(uint64_t(MMO.getFlags()) | uint64_t(MMO.getAddrSpace()) << 16 |
      uint64_t(Log2(MMO.getAlign())) << 40 |
      uint64_t(MMO.getSuccessOrdering()) << 48 |
      uint64_t(MMO.getFailureOrdering()) << 52 |
      uint64_t(MMO.getSyncScopeID()) << 56);
  add(MMO.getSize().hasValue() ? MMO.getSize().getValue().getKnownMinValue()
                               : ~0ull);
  add(MMO.getOffset());
}

/// The bytes of \p Name, eight to a word, after their number: two symbols are
/// the same if their names are, wherever the strings lie.
void Encoder::addSymbol(StringRef Name) {
  add(Name.size());
  for (size_t I = 0; I < Name.size(); I += 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, Name.data() + I, std::min<size_t>(8, Name.size() - I));
    add(Word);
  }
}

void Encoder::addOperand(const MachineInstr &MI, unsigned Index) {
  const MachineOperand &MO = MI.getOperand(Index);
  uint64_t Header = MO.getType();
  if (MO.isReg()) {
    Header |= (MO.isDef() ? IsDef : 0) | (MO.isImplicit() ? IsImplicit : 0) |
              (MO.isUndef() ? IsUndef : 0) |
              (MO.isEarlyClobber() ? IsEarlyClobber : 0) |
              (MO.isInternalRead() ? IsInternalRead : 0);
    Header |= uint64_t(MO.getSubReg()) << SubRegShift;
    if (MO.isTied())
      Header |= uint64_t(MI.findTiedOperandIdx(Index) + 1) << TiedShift;
  } else {
    Header |= uint64_t(MO.getTargetFlags()) << 8;
  }
  add(Header);
  size_t Count = Result.Words.size();
  add(0);
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    add(MO.getReg().id());
    if (MO.getReg().isVirtual())
      Result.Registers.set(MO.getReg().virtRegIndex());
    break;
  case MachineOperand::MO_Immediate:
    add(MO.getImm());
    break;
  case MachineOperand::MO_CImmediate:
    addPointer(MO.getCImm());
    break;
  case MachineOperand::MO_FPImmediate:
    addPointer(MO.getFPImm());
    break;
  case MachineOperand::MO_MachineBasicBlock:
    // Which block it is depends on how the graph was changed; the alignment
    // compares Targets.
    Result.Targets.push_back(LayoutIndex[MO.getMBB()->getNumber()]);
    break;
  case MachineOperand::MO_FrameIndex:
  case MachineOperand::MO_JumpTableIndex:
    add(MO.getIndex());
    break;
  case MachineOperand::MO_ConstantPoolIndex:
  case MachineOperand::MO_TargetIndex:
    add(MO.getIndex());
    add(MO.getOffset());
    break;
  case MachineOperand::MO_ExternalSymbol:
    add(MO.getOffset());
    addSymbol(MO.getSymbolName());
    break;
  case MachineOperand::MO_GlobalAddress:
    add(MO.getOffset());
    addPointer(MO.getGlobal());
    Result.Globals.emplace_back(Result.Instrs.size(), MO.getGlobal());
    break;
  case MachineOperand::MO_BlockAddress:
    add(MO.getOffset());
    addPointer(MO.getBlockAddress());
    break;
  case MachineOperand::MO_RegisterMask:
    addPointer(MO.getRegMask());
    break;
  case MachineOperand::MO_RegisterLiveOut:
    addPointer(MO.getRegLiveOut());
    break;
  case MachineOperand::MO_Metadata:
    addPointer(MO.getMetadata());
    break;
  case MachineOperand::MO_MCSymbol:
    addPointer(MO.getMCSymbol());
    break;
  case MachineOperand::MO_CFIIndex:
    add(MO.getCFIIndex());
    break;
  case MachineOperand::MO_IntrinsicID:
    add(MO.getIntrinsicID());
    break;
  case MachineOperand::MO_Predicate:
    add(MO.getPredicate());
    break;
  default:
    // Kinds that no NVPTX instruction has at this stage.
    if (!Result.Incomparable)
      Result.Incomparable = &MI;
    break;
  }
  Result.Words[Count] = Result.Words.size() - Count - 1;
}

EncodedFunction encodeFunction(const MachineFunction &MF) {
  return Encoder(MF).run();
}

std::string EncodedFunction::describe(unsigned Instr,
                                      const TargetInstrInfo &TII) const {
  ArrayRef<uint64_t> W = words(Instr);
  unsigned MemOperands = unsigned(W[0]), Operands = unsigned(W[1]);
  std::string Defs, Uses;
  size_t Pos = 2 + size_t(MemOperands) * MemOperandWords;
  for (unsigned I = 0; I != Operands; ++I) {
    uint64_t Header = W[Pos];
    ArrayRef<uint64_t> Payload = W.slice(Pos + 2, W[Pos + 1]);
    Pos += 2 + Payload.size();
    std::string Text = "...";
    if ((Header & 0xff) == MachineOperand::MO_Register) {
      Register R(static_cast<unsigned>(Payload[0]));
      Text = R.isVirtual() ? "%" + std::to_string(R.virtRegIndex())
                           : "$" + std::to_string(R.id());
    } else if ((Header & 0xff) == MachineOperand::MO_Immediate) {
      Text = std::to_string(static_cast<int64_t>(Payload[0]));
    }
    std::string &List = (Header & IsDef) ? Defs : Uses;
    List += (List.empty() ? "" : ", ") + Text;
  }
  std::string Name = TII.getName(unsigned(W[0] >> 32)).str();
  return (Defs.empty() ? "" : Defs + " = ") + Name +
         (Uses.empty() ? "" : " " + Uses);
}

} // namespace regdem::checker

namespace regdem {

FunctionSnapshot::FunctionSnapshot(const MachineFunction &MF) {
  auto Now =
      std::make_shared<checker::EncodedFunction>(checker::encodeFunction(MF));
  // The instructions may be changed or erased from now on.
  for (checker::EncodedInstr &I : Now->Instrs)
    I.MI = nullptr;
  Code = std::move(Now);
}

} // namespace regdem
