//===- MachineText.h - machine code from text -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MACHINETEXT_H
#define REGDEM_TEST_UNIT_MACHINETEXT_H

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace regdem::test {

/// A target machine of NVPTX for sm_90.
std::unique_ptr<llvm::TargetMachine> createNVPTXMachine(
    llvm::CodeGenOptLevel Level = llvm::CodeGenOptLevel::Default);

/// MIR that declares the virtual registers from First to below End.
std::string declaredRegisters(unsigned First, unsigned End, const char *Class);

/// NVPTX's opcodes for sm_90, looked up once.
const NVPTXOpcodes &nvptxOpcodes();

/// The functions of a MIR text. The test fails, and there are none, if it does
/// not parse.
class MachineText {
public:
  explicit MachineText(const std::string &Text);

  /// Whether it parsed; nothing else may be asked otherwise.
  explicit operator bool() const { return Parsed; }
  llvm::Module &module() { return *M; }
  llvm::MachineFunction &function(const std::string &Name);

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::MachineModuleInfo MMI;
  bool Parsed = false;
};

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MACHINETEXT_H
