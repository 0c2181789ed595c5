//===- MutationExecution.cpp - run a block of threads ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationMachine.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace regdem::test {

bool ExecutionResult::differsFrom(const ExecutionResult &Right) const {
  if (Trapped)
    return true;
  for (size_t T = 0; T != Effects.size(); ++T) {
    size_t Common = std::min(Effects[T].size(), Right.Effects[T].size());
    if (!std::equal(Effects[T].begin(), Effects[T].begin() + Common,
                    Right.Effects[T].begin()))
      return true;
    // A run that was cut short shows a difference only in what it did.
    bool Ended = !Effects[T].empty() && !Effects[T].back();
    bool RightEnded = !Right.Effects[T].empty() && !Right.Effects[T].back();
    if (Ended && RightEnded && Effects[T].size() != Right.Effects[T].size())
      return true;
  }
  return false;
}

Machine::Machine(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                 const RegionBounds &Bounds, const LaunchCase &Launch)
    : MRI(MF.getRegInfo()), Ops(Opcodes), Bounds(Bounds), Launch(Launch),
      Region(Bounds.Bytes) {
  if (Bounds.ThreadBytes) {
    Own = 48;
    unsigned Size = Launch.Dims[0] * Launch.Dims[1] * Launch.Dims[2];
    Region.resize(Own + alignTo(Bounds.ThreadBytes * Size, 16));
  }
  for (size_t I = 0; I != Region.size(); ++I)
    Region[I] = static_cast<uint8_t>(mix(Launch.Seed, I));
  for (unsigned Z = 0; Z != Launch.Dims[2]; ++Z)
    for (unsigned Y = 0; Y != Launch.Dims[1]; ++Y)
      for (unsigned X = 0; X != Launch.Dims[0]; ++X) {
        Thread T{{X, Y, Z}, {}, &MF.front(), MF.front().begin(), 0};
        T.Memory = mix(Launch.Seed, X + 1024 * (Y + 1024 * Z));
        T.Registers.resize(MRI.getNumVirtRegs());
        for (unsigned I = 0; I != T.Registers.size(); ++I)
          T.Registers[I] = {mix(T.Memory, I), mix(T.Memory, ~I)};
        Threads.push_back(std::move(T));
      }
  Result.Effects.resize(Threads.size());
}

/// Executes an access to the region; false where MI is none.
bool Machine::access(Thread &T, const MachineInstr &MI, bool IsStore) {
  namespace L = LoadOperand;
  namespace S = StoreOperand;
  const MachineOperand &Base = MI.getOperand(IsStore ? S::Base : L::Base);
  if (!Base.isReg() || MI.getOperand(IsStore ? S::Space : L::Space).getImm() !=
                           AddressSpace::Shared)
    return false;
  uint64_t At = read(T, Base) - RegionStart +
                read(T, MI.getOperand(IsStore ? S::Offset : L::Offset));
  if (At + Neighbourhood >= 2 * Neighbourhood)
    return false;
  uint64_t Width = read(T, MI.getOperand(IsStore ? S::Bits : L::Bits)) / 8;
  if (Width == 0 || Width > 8 || At < Own || At >= Region.size() ||
      At + Width > Region.size() || At % Width) {
    Result.Trapped = true;
    return true;
  }
  uint64_t Value = 0;
  if (IsStore) {
    Value = read(T, MI.getOperand(S::Value));
    std::memcpy(&Region[At], &Value, Width);
  } else {
    std::memcpy(&Value, &Region[At], Width);
    write(T, MI.getOperand(L::Dst), {Value});
  }
  return true;
}

void Machine::executeUnknown(unsigned Index, const MachineInstr &MI) {
  Thread &T = Threads[Index];
  uint64_t Hash = MI.getOpcode();
  for (const MachineOperand &MO : MI.operands())
    if (!MO.isReg() || !MO.isDef())
      Hash = mix(Hash, read(T, MO));
  bool ReadOnly = Ops.isReadOnlyLoad(MI.getOpcode());
  bool Invariant = MI.isDereferenceableInvariantLoad() || ReadOnly;
  if (MI.mayLoad() && !Invariant)
    Hash = mix(Hash, T.Memory);
  else if (Invariant)
    Hash = mix(Hash, Launch.Seed);
  if (!ReadOnly &&
      (MI.mayStore() || MI.isCall() || MI.hasUnmodeledSideEffects() ||
       (MI.mayLoad() && MI.hasOrderedMemoryRef()))) {
    Result.Effects[Index].push_back(Hash);
    T.Memory = mix(T.Memory, Hash);
  }
  unsigned Number = 0;
  for (const MachineOperand &MO : MI.all_defs()) {
    ++Number;
    if (MO.getReg().isVirtual())
      write(T, MO, {mix(Hash, Number), mix(Hash, ~uint64_t(Number))});
    else
      T.Physical[MO.getReg()] = mix(Hash, Number);
  }
}

void Machine::goTo(Thread &T, const MachineBasicBlock *Block) {
  T.Block = Block;
  if (Block)
    T.Next = Block->begin();
  else
    T.Done = true;
}

void Machine::step(unsigned Index) {
  Thread &T = Threads[Index];
  if (++T.Steps > ExecutionResult::MostSteps) {
    T.Done = true;
    return;
  }
  if (T.Next == T.Block->end())
    return goTo(T, T.Block->getNextNode());
  const MachineInstr &MI = *T.Next++;
  Op O = Ops.classify(MI.getOpcode());
  switch (O) {
  case Op::GOTO:
    return goTo(T, MI.getOperand(0).getMBB());
  case Op::CBranch:
    if (read(T, MI.getOperand(0)))
      goTo(T, MI.getOperand(1).getMBB());
    return;
  case Op::Return:
    T.Done = true;
    return;
  case Op::ST_i16:
  case Op::ST_i32:
  case Op::ST_i64:
    if (access(T, MI, /*IsStore=*/true))
      return;
    break;
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    if (access(T, MI, /*IsStore=*/false))
      return;
    break;
  default:
    if (compute(T, MI, O))
      return;
    break;
  }
  executeUnknown(Index, MI);
}

ExecutionResult Machine::run() {
  for (bool Any = true; Any && !Result.Trapped;) {
    Any = false;
    for (unsigned I = 0; I != Threads.size(); ++I)
      if (!Threads[I].Done) {
        Any = true;
        step(I);
      }
  }
  for (unsigned I = 0; I != Threads.size(); ++I)
    if (Threads[I].Steps <= ExecutionResult::MostSteps)
      Result.Effects[I].push_back(0); // It came to its end.
  return std::move(Result);
}

ExecutionResult execute(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                        const RegionBounds &Bounds, const LaunchCase &Launch) {
  return Machine(MF, Opcodes, Bounds, Launch).run();
}

} // namespace regdem::test
