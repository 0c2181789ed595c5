//===- CheckerBlockWords.cpp - words that a block shares ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that a word which all threads of a block may write at any time has one
// content only, by the original code alone: each such word belongs to one
// register, or one part of it; the register has one definition, which has run
// wherever the register is stored; and what that computes is the same for every
// thread of the block at any time. Accesses to a word have one width and are
// volatile, so that PTX's memory model knows no data race between them. That a
// thread has stored the word itself before it loads it is for the data flow to
// prove.
//
//===----------------------------------------------------------------------===//

#include "CheckerEvents.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem::checker {

namespace {

class BlockWords {
public:
  BlockWords(const AlignedCode &Code, const EventList &Events,
             const SlotMap &Slots)
      : R(Code.Result), Aligned(Code.Aligned), List(Events), Slots(Slots),
        Opcodes(Code.Opcodes), Report(Code.MF),
        NumRegs(Code.MF.getRegInfo().getNumVirtRegs()), Definitions(NumRegs),
        Known(NumRegs) {}

  Error run();

private:
  static constexpr unsigned None = ~0u, Several = ~0u - 1;

  Error checkAccess(const CheckerEvent &E);
  Error checkStore(const CheckerEvent &E);
  void findDefinitions();
  void findDefined();
  bool isDefinedBefore(unsigned Reg, const MachineInstr &MI) const;
  bool isSameForAll(unsigned Reg);
  bool givesSameToAll(const MachineInstr &MI) const;

  const EncodedFunction &R;
  const Alignment &Aligned;
  const EventList &List;
  const SlotMap &Slots;
  const NVPTXOpcodes &Opcodes;
  CheckerError Report;
  unsigned NumRegs;
  /// By register: the instruction of the original that defines it.
  std::vector<unsigned> Definitions;
  /// By register: found to be the same for all threads.
  BitVector Known;
  /// Registers that are defined at the beginning of each block, whatever the
  /// way there.
  std::vector<BitVector> DefinedIn;
  /// Index in R of each instruction's block.
  DenseMap<const MachineBasicBlock *, unsigned> BlockOf;
  /// Whose value each atom is to hold: register and part.
  DenseMap<unsigned, std::pair<unsigned, unsigned>> OwnerOf;
};

} // namespace

/// The original's definitions; reloads and recomputations are none.
void BlockWords::findDefinitions() {
  std::fill(Definitions.begin(), Definitions.end(), None);
  for (unsigned B = 0; B != R.Blocks.size(); ++B)
    for (unsigned I = R.Blocks[B].FirstInstr; I != R.Blocks[B].EndInstr; ++I) {
      BlockOf[R.Instrs[I].MI->getParent()] = B;
      if (Aligned.Kinds[I] != InsertionKind::None)
        continue;
      for (const MachineOperand &MO : R.Instrs[I].MI->all_defs())
        if (MO.getReg().isVirtual()) {
          unsigned &D = Definitions[MO.getReg().virtRegIndex()];
          D = D == None ? I : Several;
        }
    }
}

/// Forward data flow: what every path from the entry defines. Only what the
/// original defines counts, so that an insertion cannot vouch for itself.
void BlockWords::findDefined() {
  DefinedIn.assign(R.Blocks.size(), BitVector(NumRegs, true));
  DefinedIn[0].reset();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 0; B != R.Blocks.size(); ++B) {
      if (!Aligned.Reached.test(B))
        continue;
      const EncodedBlock &Block = R.Blocks[B];
      BitVector Out = DefinedIn[B];
      for (unsigned I = Block.FirstInstr; I != Block.EndInstr; ++I)
        if (Aligned.Kinds[I] == InsertionKind::None)
          for (const MachineOperand &MO : R.Instrs[I].MI->all_defs())
            if (MO.getReg().isVirtual())
              Out.set(MO.getReg().virtRegIndex());
      R.forEachSuccessor(B, [&](unsigned Succ) {
        BitVector Both = DefinedIn[Succ];
        Both &= Out;
        Changed |= Both != DefinedIn[Succ];
        DefinedIn[Succ] = std::move(Both);
      });
    }
  }
}

/// Whether every path to \p MI defines \p Reg.
bool BlockWords::isDefinedBefore(unsigned Reg, const MachineInstr &MI) const {
  unsigned B = BlockOf.lookup(MI.getParent());
  if (!Aligned.Reached.test(B))
    return false;
  if (DefinedIn[B].test(Reg))
    return true;
  for (unsigned I = R.Blocks[B].FirstInstr; R.Instrs[I].MI != &MI; ++I)
    if (Definitions[Reg] == I)
      return true;
  return false;
}

/// Whether \p MI, run by any thread at any time, gives the same from operands
/// that are the same.
bool BlockWords::givesSameToAll(const MachineInstr &MI) const {
  unsigned Code = MI.getOpcode();
  if (Opcodes.isArithmetic(Code) || Opcodes.readsBlockConstant(Code) ||
      Opcodes.isReadOnlyLoad(Code) ||
      Opcodes.classify(Code) == Op::cvta_to_global_64)
    return true;
  if (!MI.mayLoad() || MI.mayStore() || MI.isCall() || MI.memoperands_empty())
    return false;
  return llvm::all_of(MI.memoperands(), [](const MachineMemOperand *MMO) {
    return MMO->isInvariant() && !MMO->isVolatile() && !MMO->isAtomic();
  });
}

/// Follows definitions from \p Reg back to where they come from.
bool BlockWords::isSameForAll(unsigned Reg) {
  SmallVector<unsigned, 16> Work = {Reg};
  BitVector Seen = Known;
  while (!Work.empty()) {
    unsigned Next = Work.pop_back_val();
    if (Seen.test(Next))
      continue;
    Seen.set(Next);
    unsigned D = Definitions[Next];
    if (D == None || D == Several || !givesSameToAll(*R.Instrs[D].MI))
      return false;
    const MachineInstr &MI = *R.Instrs[D].MI;
    for (const MachineOperand &MO : MI.operands()) {
      if (MO.isMBB() || MO.isFI() || MO.isRegMask())
        return false;
      if (!MO.isReg() || MO.isDef())
        continue;
      if (!MO.getReg().isVirtual() || MO.isUndef() || MO.getSubReg())
        return false;
      unsigned Read = MO.getReg().virtRegIndex();
      // A register that is defined before its only definition cannot be:
      // there is no way round in circles.
      if (!isDefinedBefore(Read, MI))
        return false;
      // Copies of the code may differ in whether they fuse the two.
      if (unsigned From = Definitions[Read];
          From < Several &&
          (Opcodes.mayFuseOperand(MI.getOpcode()) || Opcodes.isScaling(MI)) &&
          Opcodes.isFusibleProduct(R.opcode(From)))
        return false;
      Work.push_back(Read);
    }
  }
  Known = Seen;
  return true;
}

Error BlockWords::checkStore(const CheckerEvent &E) {
  if (!isSameForAll(E.Reg))
    return Report.at(*E.MI, "expected a value that is the same for all threads "
                            "of a block at any time in a word of the block, "
                            "found " +
                                CheckerError::nameOfIndex(E.Reg));
  if (!isDefinedBefore(E.Reg, *E.MI))
    return Report.at(*E.MI, "expected " + CheckerError::nameOfIndex(E.Reg) +
                                " to be defined on every path to a store to a "
                                "word of the block");
  unsigned Atom = List.Accesses[E.Index].Atoms.First;
  auto [It, IsNew] = OwnerOf.try_emplace(Atom, E.Reg, E.Part);
  if (!IsNew && It->second != std::make_pair(E.Reg, unsigned(E.Part)))
    return Report.at(*E.MI, "expected one value in a word of the block, found "
                            "parts of " +
                                CheckerError::nameOfIndex(It->second.first) +
                                " and " + CheckerError::nameOfIndex(E.Reg));
  return Error::success();
}

Error BlockWords::checkAccess(const CheckerEvent &E) {
  const SlotAccess &Access = List.Accesses[E.Index].Slot;
  if (!Slots.isOfBlock(Access))
    return Error::success();
  bool IsStore = E.What == CheckerEvent::Store;
  unsigned Index = IsStore ? StoreOperand::Ordering : LoadOperand::Ordering;
  if (E.MI->getOperand(Index).getImm() != AccessOrdering::Volatile)
    return Report.at(*E.MI, "expected a volatile access to a word of the "
                            "block");
  if (!Slots.isOneAtom(Access))
    return Report.at(*E.MI, "expected accesses of one width to a word of the "
                            "block");
  return IsStore ? checkStore(E) : Error::success();
}

Error BlockWords::run() {
  if (llvm::none_of(List.Accesses, [this](const InsertedAccess &A) {
        return Slots.isOfBlock(A.Slot);
      }))
    return Error::success();
  findDefinitions();
  findDefined();
  for (const CheckerEvent &E : List.Events)
    if (E.What == CheckerEvent::Store || E.What == CheckerEvent::Load)
      if (Error Failure = checkAccess(E))
        return Failure;
  return Error::success();
}

Error checkBlockWords(const AlignedCode &Code, const EventList &Events,
                      const SlotMap &Slots) {
  return BlockWords(Code, Events, Slots).run();
}

} // namespace regdem::checker
