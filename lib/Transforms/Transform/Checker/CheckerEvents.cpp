//===- CheckerEvents.cpp - what the data-flow analysis follows ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// What a register holds: bytes of an original register's value, or what loads
/// gave, of which is not known yet whose value it is.
struct Temporary {
  unsigned Bytes;
  Register Reg; ///< None for what was loaded.
  unsigned Part;
  /// Load events of the block with the byte at which each one's result begins.
  SmallVector<std::pair<unsigned, unsigned>, 4> Loads;

  bool isLoaded() const { return !Reg.isValid(); }
};

class Lister {
public:
  Lister(const AlignedCode &Code, const SlotArea &Slots)
      : O(Code.Original), R(Code.Result), Aligned(Code.Aligned),
        Opcodes(Code.Opcodes), Slots(Slots), MRI(Code.MF.getRegInfo()),
        Report(Code.MF) {}

  Expected<EventList> run();

private:
  Error visitBlock(unsigned Index);
  void visitOriginal(unsigned Instr);
  Error visitInserted(unsigned Instr);
  Error visitLoad(const MachineInstr &MI);
  Error visitStore(const MachineInstr &MI);
  Error visitSplit(const MachineInstr &MI);
  Error visitJoin(const MachineInstr &MI);
  void visitRecompute(unsigned Instr);

  Error addAccess(CheckerEvent Access, unsigned BaseIndex, unsigned FirstFixed,
                  ArrayRef<int64_t> Fixed);
  Error addRecomputation(unsigned Instr);

  /// What operand \p Index of \p MI holds.
  Expected<Temporary> read(const MachineInstr &MI, unsigned Index) const;
  /// Operand \p Index of \p MI receives \p Value. A new register is followed
  /// from here; an original one has to get back what it holds, which becomes
  /// what the loads are expected to find.
  Error write(const MachineInstr &MI, unsigned Index, Temporary Value);

  const EncodedFunction &O;
  const EncodedFunction &R;
  const Alignment &Aligned;
  const NVPTXOpcodes &Opcodes;
  const SlotArea &Slots;
  const MachineRegisterInfo &MRI;
  CheckerError Report;
  EventList Out;
  /// Indices of Out.Recomputations.
  DenseMap<const MachineInstr *, unsigned, SameInstr> RecomputationOf;
  /// The new registers that a wide value passes through on its way to its slots
  /// and back. Each is followed up to the next original instruction or the
  /// block's end, so that no value changes between.
  DenseMap<Register, Temporary> Temporaries;
  bool ReadsShared = false; ///< Some recomputation does.
};

} // namespace

Expected<Temporary> Lister::read(const MachineInstr &MI, unsigned Index) const {
  const MachineOperand &MO = MI.getOperand(Index);
  if (!MO.isReg() || !MO.getReg().isVirtual() || MO.isUndef())
    return Report.at(MI,
                     "expected a register as operand " + std::to_string(Index));
  Register Reg = MO.getReg();
  if (O.hasRegister(Reg))
    return Temporary{bytesOf(Reg, MRI), Reg, 0, {}};
  auto It = Temporaries.find(Reg);
  if (It == Temporaries.end())
    return Report.at(MI, "expected a register that was set since the last "
                         "instruction of the original, found " +
                             CheckerError::name(Reg));
  return It->second;
}

Error Lister::write(const MachineInstr &MI, unsigned Index, Temporary Value) {
  const MachineOperand &MO = MI.getOperand(Index);
  if (!MO.isReg() || !MO.isDef() || !MO.getReg().isVirtual())
    return Report.at(MI, "expected a virtual register as operand " +
                             std::to_string(Index));
  Register Reg = MO.getReg();
  if (Reg == Slots.base())
    return Report.at(MI, "address register " + CheckerError::name(Reg) +
                             " is defined a second time");
  if (bytesOf(Reg, MRI) != Value.Bytes)
    return Report.at(MI, "expected " + std::to_string(Value.Bytes) +
                             " bytes, found " + CheckerError::name(Reg) +
                             " of " + std::to_string(bytesOf(Reg, MRI)) +
                             " bytes");
  if (!O.hasRegister(Reg)) {
    Temporaries[Reg] = std::move(Value);
    return Error::success();
  }
  if (!Value.isLoaded())
    return Report.at(MI, "expected " + CheckerError::name(Reg) +
                             " to be reloaded from its slot");
  for (auto [Event, Byte] : Value.Loads) {
    CheckerEvent &E = Out.Blocks.back()[Event];
    if (E.Reg.isValid())
      return Report.at(MI, "a loaded part is used a second time");
    E.Reg = Reg;
    E.Part = Byte;
  }
  return Error::success();
}

Expected<EventList> Lister::run() {
  for (unsigned I = 0; I != R.Instrs.size(); ++I)
    if (Aligned.Kinds[I] == InsertionKind::Recompute)
      if (Error E = addRecomputation(I))
        return E;
  for (unsigned I = 0; I != R.Blocks.size(); ++I)
    if (Error E = visitBlock(I))
      return E;
  return std::move(Out);
}

Error Lister::visitBlock(unsigned Index) {
  Temporaries.clear();
  Out.Blocks.emplace_back();
  if (!Aligned.Reached.test(Index))
    return Error::success();
  const EncodedBlock &B = R.Blocks[Index];
  for (unsigned I = B.FirstInstr; I != B.EndInstr; ++I) {
    if (Aligned.Kinds[I] == InsertionKind::None)
      visitOriginal(I);
    else if (Error E = visitInserted(I))
      return E;
  }
  return Error::success();
}

void Lister::visitOriginal(unsigned Instr) {
  const MachineInstr *MI = R.Instrs[Instr];
  Temporaries.clear();
  if (ReadsShared && !leavesShared(*MI, Opcodes))
    Out.Blocks.back().push_back({CheckerEvent::Disturb, 0, Register(), 0, MI});
  for (const MachineOperand &MO : MI->all_defs()) {
    if (!MO.getReg().isVirtual())
      continue;
    Register Reg = MO.getReg();
    Out.Blocks.back().push_back({CheckerEvent::Define, 0, Reg, 0, MI});
    if (auto It = RecomputationOf.find(MI); It != RecomputationOf.end())
      Out.Blocks.back().push_back(
          {CheckerEvent::Establish, 0, Reg, It->second, MI});
  }
}

Error Lister::visitInserted(unsigned Instr) {
  const MachineInstr &MI = *R.Instrs[Instr];
  switch (Aligned.Kinds[Instr]) {
  case InsertionKind::Address:
    return Error::success();
  case InsertionKind::Load:
    return visitLoad(MI);
  case InsertionKind::Store:
    return visitStore(MI);
  case InsertionKind::Split:
    return visitSplit(MI);
  case InsertionKind::Join:
    return visitJoin(MI);
  case InsertionKind::Recompute:
    visitRecompute(Instr);
    return Error::success();
  case InsertionKind::None:
    break;
  }
  return Report.at(MI, "unknown inserted instruction");
}

/// Enters \p Access with its words. Immediate operands of its instruction from
/// \p FirstFixed on have to be \p Fixed.
Error Lister::addAccess(CheckerEvent Access, unsigned BaseIndex,
                        unsigned FirstFixed, ArrayRef<int64_t> Fixed) {
  const MachineInstr &MI = *Access.MI;
  for (unsigned I = 0; I != Fixed.size(); ++I) {
    const MachineOperand &MO = MI.getOperand(FirstFixed + I);
    if (!MO.isImm() || MO.getImm() != Fixed[I])
      return Report.at(MI, "expected " + std::to_string(Fixed[I]) +
                               " as operand " + std::to_string(FirstFixed + I) +
                               " of a plain access to shared memory");
  }
  const MachineOperand &Offset = MI.getOperand(BaseIndex + 1);
  if (!Offset.isImm())
    return Report.at(MI, "expected an immediate offset");
  for (const MachineMemOperand *MMO : MI.memoperands())
    if (MMO->isInvariant() || MMO->isNonTemporal() || MMO->isVolatile() ||
        MMO->isAtomic())
      return Report.at(MI, "expected a plain memory operand");
  Expected<unsigned> Word = Slots.wordAt(MI.getOperand(BaseIndex).getReg(),
                                         Offset.getImm(), Access.Bytes, MI);
  if (!Word)
    return Word.takeError();
  Access.Index = *Word;
  Out.NumWords = std::max(Out.NumWords, Access.endWord());
  Out.Blocks.back().push_back(Access);
  return Error::success();
}

Error Lister::visitLoad(const MachineInstr &MI) {
  namespace L = LoadOperand;
  unsigned Width = accessBytes(Opcodes.classify(MI.getOpcode()));
  if (const MachineOperand &MO = MI.getOperand(L::Sign); !MO.isImm())
    return Report.at(MI, "expected an immediate as operand 4");
  unsigned Event = Out.Blocks.back().size();
  if (Error E =
          addAccess({CheckerEvent::Load, 0, Register(), 0, &MI, uint8_t(Width)},
                    L::Base, L::Ordering,
                    {NotAtomic, 0, AddressSpace::Shared,
                     MI.getOperand(L::Sign).getImm(), 8 * Width, -1}))
    return E;
  return write(MI, L::Dst, {Width, Register(), 0, {{Event, 0}}});
}

Error Lister::visitStore(const MachineInstr &MI) {
  namespace S = StoreOperand;
  Expected<Temporary> Value = read(MI, S::Value);
  if (!Value)
    return Value.takeError();
  unsigned Width = accessBytes(Opcodes.classify(MI.getOpcode()));
  const MachineOperand &MO = MI.getOperand(S::Value);
  if (Value->isLoaded())
    return Report.at(MI, "expected a value of the original code, found " +
                             CheckerError::name(MO.getReg()));
  if (Value->Bytes != Width)
    return Report.at(MI, "expected a store of the " +
                             std::to_string(Value->Bytes) + " bytes of " +
                             CheckerError::name(MO.getReg()) + ", found " +
                             std::to_string(Width) + " bytes");
  return addAccess({CheckerEvent::Store, uint8_t(Value->Part), Value->Reg, 0,
                    &MI, uint8_t(Width)},
                   S::Base, S::Ordering,
                   {NotAtomic, 0, AddressSpace::Shared, 8 * Width});
}

Error Lister::visitSplit(const MachineInstr &MI) {
  Expected<Temporary> Value = read(MI, 2);
  if (!Value)
    return Value.takeError();
  if (Value->isLoaded())
    return Report.at(MI, "expected a value of the original code, found " +
                             CheckerError::name(MI.getOperand(2).getReg()));
  if (MI.getOperand(0).getReg() == MI.getOperand(1).getReg())
    return Report.at(MI, "expected two different registers");
  for (unsigned I : {0u, 1u}) {
    Temporary Half = *Value;
    Half.Bytes /= 2;
    Half.Part += I * Half.Bytes;
    if (Error E = write(MI, I, std::move(Half)))
      return E;
  }
  return Error::success();
}

Error Lister::visitJoin(const MachineInstr &MI) {
  Expected<Temporary> Low = read(MI, 1);
  if (!Low)
    return Low.takeError();
  Expected<Temporary> High = read(MI, 2);
  if (!High)
    return High.takeError();
  if (!Low->isLoaded() || !High->isLoaded() || Low->Bytes != High->Bytes)
    return Report.at(MI, "expected two loaded halves");
  Temporary Whole = *Low;
  Whole.Bytes = 2 * Low->Bytes;
  for (auto [Event, Byte] : High->Loads)
    Whole.Loads.push_back({Event, Byte + Low->Bytes});
  return write(MI, 0, std::move(Whole));
}

/// Remembers the recomputation at \p Instr if it is the first of its kind.
Error Lister::addRecomputation(unsigned Instr) {
  const MachineInstr &MI = *R.Instrs[Instr];
  Register Reg = MI.getOperand(0).getReg();
  bool Reads = false;
  for (const MachineOperand &MO : MI.uses())
    Reads |= MO.isReg() && (!MO.getReg().isVirtual() || MO.getReg() == Reg);
  if (!Reg.isVirtual() || Reads)
    return Report.at(MI, "expected a recomputation from other virtual "
                         "registers, found this instruction");
  unsigned Index = Out.Recomputations.size();
  if (!RecomputationOf.try_emplace(&MI, Index).second)
    return Error::success();
  bool FromShared = isSharedLoad(MI, Opcodes.classify(MI.getOpcode()));
  ReadsShared |= FromShared;
  Out.Recomputations.push_back({Instr, Reg, FromShared});
  return Error::success();
}

void Lister::visitRecompute(unsigned Instr) {
  unsigned Index = RecomputationOf.lookup(R.Instrs[Instr]);
  Out.Blocks.back().push_back({CheckerEvent::Recompute, 0,
                               Out.Recomputations[Index].Reg, Index,
                               R.Instrs[Instr]});
}

Expected<EventList> listEvents(const AlignedCode &Code, const SlotArea &Slots) {
  return Lister(Code, Slots).run();
}

} // namespace regdem::checker
