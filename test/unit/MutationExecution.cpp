//===- MutationExecution.cpp - run a block of threads ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationExecution.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include <cstring>

using namespace llvm;

namespace regdem::test {

namespace {

/// Where the region lies, and how far around it an access is taken for one
/// that misses it.
constexpr uint64_t RegionStart = uint64_t(1) << 40;
constexpr uint64_t Neighbourhood = uint64_t(1) << 24;

uint64_t mix(uint64_t A, uint64_t B) {
  uint64_t X = (A ^ (B + 0x9e3779b97f4a7c15ull + (A << 6) + (A >> 2))) *
               0xbf58476d1ce4e5b9ull;
  return X ^ (X >> 29);
}

uint64_t hashText(StringRef Text) {
  uint64_t H = 1;
  for (char C : Text)
    H = mix(H, static_cast<unsigned char>(C));
  return H;
}

/// A register's contents; those of up to 64 bits leave High zero.
struct Bits {
  uint64_t Low = 0, High = 0;
};

struct Thread {
  unsigned Tid[3];
  std::vector<Bits> Registers;
  const MachineBasicBlock *Block;
  MachineBasicBlock::const_iterator Next;
  /// Depends on everything that the thread did to memory.
  uint64_t Memory;
  unsigned Steps = 0;
  bool Done = false;
};

class Machine {
public:
  Machine(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
          const RegionBounds &Bounds, const LaunchCase &Launch);
  ExecutionResult run();

private:
  const MachineRegisterInfo &MRI;
  const NVPTXOpcodes &Ops;
  const RegionBounds &Bounds;
  const LaunchCase &Launch;
  std::vector<uint8_t> Region;
  std::vector<Thread> Threads;
  ExecutionResult Result;

  void step(unsigned Index);
  void goTo(Thread &T, const MachineBasicBlock *Block);
  bool compute(Thread &T, const MachineInstr &MI, Op O);
  bool access(Thread &T, const MachineInstr &MI, bool IsStore);
  void executeUnknown(unsigned Index, const MachineInstr &MI);
  uint64_t read(const Thread &T, const MachineOperand &MO) const;
  void write(Thread &T, const MachineOperand &MO, Bits Value);
};

} // namespace

Machine::Machine(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                 const RegionBounds &Bounds, const LaunchCase &Launch)
    : MRI(MF.getRegInfo()), Ops(Opcodes), Bounds(Bounds), Launch(Launch),
      Region(Bounds.Bytes) {
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

uint64_t Machine::read(const Thread &T, const MachineOperand &MO) const {
  switch (MO.getType()) {
  case MachineOperand::MO_Register: {
    if (!MO.getReg().isVirtual())
      return MO.getReg().id();
    const Bits &B = T.Registers[MO.getReg().virtRegIndex()];
    return B.High ? mix(B.Low, B.High) : B.Low;
  }
  case MachineOperand::MO_Immediate:
    return static_cast<uint64_t>(MO.getImm());
  case MachineOperand::MO_GlobalAddress:
    if (MO.getGlobal() == Bounds.Region)
      return RegionStart + static_cast<uint64_t>(MO.getOffset());
    return hashText(MO.getGlobal()->getName()) +
           static_cast<uint64_t>(MO.getOffset());
  case MachineOperand::MO_ExternalSymbol:
    return hashText(MO.getSymbolName());
  case MachineOperand::MO_FPImmediate:
    return hash_value(MO);
  default:
    return 0;
  }
}

void Machine::write(Thread &T, const MachineOperand &MO, Bits Value) {
  Register Reg = MO.getReg();
  switch (Ops.kindOf(*MRI.getRegClass(Reg))) {
  case RegKind::B1:
    Value = {Value.Low & 1, 0};
    break;
  case RegKind::B16:
    Value = {Value.Low & 0xffff, 0};
    break;
  case RegKind::B32:
    Value = {Value.Low & 0xffffffff, 0};
    break;
  case RegKind::B64:
    Value.High = 0;
    break;
  case RegKind::B128:
  case RegKind::Other:
    break;
  }
  T.Registers[Reg.virtRegIndex()] = Value;
}

/// Executes what the addresses and parts of values are made with.
bool Machine::compute(Thread &T, const MachineInstr &MI, Op O) {
  auto In = [&](unsigned I) { return read(T, MI.getOperand(I)); };
  auto Out = [&](uint64_t Low, uint64_t High = 0) {
    write(T, MI.getOperand(0), {Low, High});
    return true;
  };
  auto Whole = [&](unsigned I) {
    return T.Registers[MI.getOperand(I).getReg().virtRegIndex()];
  };
  switch (O) {
  case Op::INT_PTX_SREG_TID_x:
    return Out(T.Tid[0]);
  case Op::INT_PTX_SREG_TID_y:
    return Out(T.Tid[1]);
  case Op::INT_PTX_SREG_TID_z:
    return Out(T.Tid[2]);
  case Op::INT_PTX_SREG_NTID_x:
    return Out(Launch.Dims[0]);
  case Op::INT_PTX_SREG_NTID_y:
    return Out(Launch.Dims[1]);
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_B64_sym:
    return Out(In(1));
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir:
    return Out(In(1) * In(2) + In(3));
  case Op::MUL_WIDEu32_ri:
    return Out(In(1) * static_cast<uint32_t>(In(2)));
  case Op::ADD32rr:
  case Op::ADD64rr:
    return Out(In(1) + In(2));
  case Op::I64toV2I32: {
    uint64_t Value = In(2);
    write(T, MI.getOperand(0), {Value & 0xffffffff});
    write(T, MI.getOperand(1), {Value >> 32});
    return true;
  }
  case Op::I128toV2I64: {
    Bits Value = Whole(2);
    write(T, MI.getOperand(0), {Value.Low});
    write(T, MI.getOperand(1), {Value.High});
    return true;
  }
  case Op::V2I32toI64:
    return Out((In(1) & 0xffffffff) | In(2) << 32);
  case Op::V2I64toI128:
    return Out(In(1), In(2));
  default:
    return false;
  }
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
  if (Width == 0 || Width > 8 || At >= Region.size() ||
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
  bool Invariant = MI.isDereferenceableInvariantLoad();
  if (MI.mayLoad() && !Invariant)
    Hash = mix(Hash, T.Memory);
  else if (Invariant)
    Hash = mix(Hash, Launch.Seed + T.Tid[0] + 64 * T.Tid[1] + 4096 * T.Tid[2]);
  if (MI.mayStore() || MI.isCall() || MI.hasUnmodeledSideEffects() ||
      (MI.mayLoad() && MI.hasOrderedMemoryRef())) {
    Result.Effects[Index].push_back(Hash);
    T.Memory = mix(T.Memory, Hash);
  }
  unsigned Number = 0;
  for (const MachineOperand &MO : MI.all_defs())
    if (MO.getReg().isVirtual()) {
      ++Number;
      write(T, MO, {mix(Hash, Number), mix(Hash, ~uint64_t(Number))});
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

ExecutionResult execute(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                        const RegionBounds &Bounds, const LaunchCase &Launch) {
  return Machine(MF, Opcodes, Bounds, Launch).run();
}

} // namespace regdem::test
