//===- FunctionSnapshot.cpp - the code before demotion --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerEncoding.h"

#include "llvm/CodeGen/MachineFunction.h"

namespace regdem {

FunctionSnapshot::FunctionSnapshot(const llvm::MachineFunction &MF)
    : P(std::make_unique<Impl>(Impl{checker::encodeFunction(MF)})) {
  // The instructions may be changed or erased from now on.
  for (checker::EncodedInstr &I : P->Code.Instrs)
    I.MI = nullptr;
}

FunctionSnapshot::~FunctionSnapshot() = default;

} // namespace regdem
