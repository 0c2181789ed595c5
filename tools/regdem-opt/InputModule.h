//===- InputModule.h - the module to compile --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads LLVM IR and MIR and lets nothing through that code generation could
// stumble over. Nothing is compiled here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_INPUTMODULE_H
#define REGDEM_TOOLS_INPUTMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>

namespace llvm {
class MachineModuleInfo;
} // namespace llvm

namespace regdem {

/// A verified module for nvptx64, with its machine code where it came as MIR.
struct InputModule {
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::MIRParser> MIR; ///< Null for LLVM IR.
};

/// Reads Path ("-": standard input), which may hold LLVM IR as text or bitcode
/// or MIR, for TheTriple if that is not empty, whatever is stated there, and
/// for nvptx64 where nothing is. Reports an error and returns none where it
/// cannot be compiled.
std::optional<InputModule> readInput(llvm::StringRef Path,
                                     llvm::StringRef TheTriple,
                                     llvm::LLVMContext &Context);

/// Adds the machine functions of In, which must be MIR, to MMI and verifies
/// them. Reports an error and returns false where one is invalid, missing, or
/// not past the machine scheduler.
bool readMachineCode(InputModule &In, llvm::MachineModuleInfo &MMI);

} // namespace regdem

#endif // REGDEM_TOOLS_INPUTMODULE_H
