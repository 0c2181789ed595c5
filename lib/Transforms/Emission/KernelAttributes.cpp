//===- KernelAttributes.cpp - what ptxas and later passes read ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/KernelAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

void setRegisterCap(Function &Kernel, unsigned MaxRegs) {
  Kernel.addFnAttr("nvvm.maxnreg", utostr(MaxRegs));
}

void setMinBlocks(Function &Kernel, unsigned Blocks) {
  Kernel.addFnAttr("nvvm.minctasm", utostr(Blocks));
}

void setThreadLimit(Function &Kernel, unsigned Threads) {
  Kernel.addFnAttr("nvvm.maxntid", utostr(Threads));
}

} // namespace regdem
