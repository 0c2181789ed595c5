//===- CheckerError.cpp - what the checker says ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerError.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem::checker {

Error CheckerError::inKernel(const Twine &What) const {
  return createStringError("demotion check failed in kernel '" + MF.getName() +
                           "': " + What);
}

Error CheckerError::inBlock(unsigned Number, const Twine &What) const {
  return createStringError("demotion check failed in kernel '" + MF.getName() +
                           "', bb." + Twine(Number) + ": " + What);
}

Error CheckerError::at(const MachineInstr &MI, const Twine &What) const {
  std::string Text;
  raw_string_ostream OS(Text);
  MI.print(OS, /*IsStandalone=*/false, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  return inBlock(MI.getParent()->getNumber(),
                 "'" + StringRef(Text).trim() + "': " + What);
}

std::string CheckerError::name(Register Reg) {
  return Reg.isVirtual() ? "%" + std::to_string(Reg.virtRegIndex())
                         : "$" + std::to_string(Reg.id());
}

std::string CheckerError::nameOfPart(Register Reg, unsigned Part,
                                     unsigned Bytes) const {
  if (Part == 0 && Bytes == bytesOf(Reg, MF.getRegInfo()))
    return name(Reg);
  return "bytes " + std::to_string(Part) + "-" +
         std::to_string(Part + Bytes - 1) + " of " + name(Reg);
}

unsigned bytesOf(Register Reg, const MachineRegisterInfo &MRI) {
  return MRI.getTargetRegisterInfo()->getRegSizeInBits(Reg, MRI) / 8;
}

} // namespace regdem::checker
