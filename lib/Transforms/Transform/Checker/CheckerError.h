//===- CheckerError.h - what the checker says -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every finding is one line that names the kernel and, as far as there are
// any, the block and the instruction.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERERROR_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class MachineFunction;
class MachineInstr;
class MachineRegisterInfo;
} // namespace llvm

namespace regdem::checker {

class CheckerError {
public:
  explicit CheckerError(const llvm::MachineFunction &MF) : MF(MF) {}

  llvm::Error inKernel(const llvm::Twine &What) const;
  /// \p Number is the number of a block of the result.
  llvm::Error inBlock(unsigned Number, const llvm::Twine &What) const;
  llvm::Error at(const llvm::MachineInstr &MI, const llvm::Twine &What) const;

  /// "%7" for a virtual register.
  static std::string name(llvm::Register Reg);
  /// "bytes 0-3 of %7", or "%7" where that is all of it.
  std::string nameOfPart(llvm::Register Reg, unsigned Part,
                         unsigned Bytes) const;

private:
  const llvm::MachineFunction &MF;
};

/// What \p Reg, a virtual register, holds.
unsigned bytesOf(llvm::Register Reg, const llvm::MachineRegisterInfo &MRI);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERERROR_H
