//===- CheckerTemporaries.cpp - registers that carry parts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerTemporaries.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem::checker {

TemporaryMap::TemporaryMap(const AlignedCode &Code, const AddressMap &Addresses,
                           std::vector<CheckerEvent> &Events)
    : Original(Code.Original), Addresses(Addresses), MRI(Code.MF.getRegInfo()),
      Opcodes(Code.Opcodes), Events(Events), Report(Code.MF),
      LastDefined(MRI.getNumVirtRegs(), 0) {}

unsigned TemporaryMap::bytes(Register Reg) const {
  return bytesOf(Opcodes.kindOf(*MRI.getRegClass(Reg)));
}

Temporary TemporaryMap::loaded(unsigned Event, unsigned Bytes) const {
  return {Block, Definitions, Bytes, CheckerEvent::NoReg, 0, {{Event, 0}}};
}

Expected<Temporary> TemporaryMap::read(const MachineInstr &MI,
                                       unsigned Index) const {
  const MachineOperand &MO = MI.getOperand(Index);
  if (!MO.isReg() || !MO.getReg().isVirtual() || MO.isUndef())
    return Report.at(MI,
                     "expected a register as operand " + std::to_string(Index));
  Register Reg = MO.getReg();
  if (Original.hasRegister(Reg))
    return Temporary{Block, Definitions, bytes(Reg), Reg.virtRegIndex(), 0, {}};
  auto It = Values.find(Reg);
  if (It == Values.end() || It->second.Block != Block)
    return Report.at(MI, "expected a register that was set in this block, "
                         "found " +
                             CheckerError::name(Reg));
  const Temporary &T = It->second;
  if (!T.isLoaded() && LastDefined[T.Reg] > T.Since)
    return Report.at(MI, CheckerError::name(Reg) +
                             " holds part of a value of " +
                             CheckerError::nameOfIndex(T.Reg) +
                             " from before its last definition");
  return T;
}

Error TemporaryMap::write(const MachineInstr &MI, unsigned Index,
                          Temporary Value) {
  const MachineOperand &MO = MI.getOperand(Index);
  if (!MO.isReg() || !MO.isDef() || !MO.getReg().isVirtual())
    return Report.at(MI, "expected a virtual register as operand " +
                             std::to_string(Index));
  Register Reg = MO.getReg();
  if (Addresses.computes(Reg))
    return Report.at(MI, "address register " + CheckerError::name(Reg) +
                             " is defined a second time");
  if (bytes(Reg) != Value.Bytes)
    return Report.at(MI, "expected " + std::to_string(Value.Bytes) +
                             " bytes, found " + CheckerError::name(Reg) +
                             " of " + std::to_string(bytes(Reg)) + " bytes");
  if (!Original.hasRegister(Reg)) {
    Values[Reg] = std::move(Value);
    return Error::success();
  }
  unsigned RegIndex = Reg.virtRegIndex();
  if (!Value.isLoaded())
    return Report.at(MI, "expected " + CheckerError::name(Reg) +
                             " to be reloaded from its slot");
  if (LastDefined[RegIndex] > Value.Since)
    return Report.at(MI, CheckerError::name(Reg) +
                             " is defined between the loads and the join");
  for (auto [Event, Byte] : Value.Loads) {
    CheckerEvent &E = Events[Event];
    if (E.Reg != CheckerEvent::NoReg)
      return Report.at(MI, "a loaded part is used a second time");
    E.Reg = RegIndex;
    E.Part = Byte;
  }
  return Error::success();
}

} // namespace regdem::checker
