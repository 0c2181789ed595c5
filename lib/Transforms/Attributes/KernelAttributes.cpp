//===- KernelAttributes.cpp - what ptxas and later passes read ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/KernelAttributes.h"

#include "regdem/MachineCode/FusedSums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"

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

static constexpr StringLiteral RoundingsAttr = "regdem-roundings";
static constexpr StringLiteral Fused = "fused-otherwise";

bool isCodeAttribute(StringRef Name, StringRef Content) {
  auto IsFusing = [](StringRef Part) {
    return Part.consume_front(FusingPrefix) &&
           Part.find_first_not_of(EachFusing) == StringRef::npos;
  };
  if (Name == RoundingsAttr) // RoundingsFixed is said of written ones alone.
    return Content == RoundingsUnknown || all_of(split(Content, ' '), IsFusing);
  return Name == CodeAttr && Content == Fused;
}

// LLVM's own attribute, which -fno-jump-tables sets too.
static constexpr const char *NoTablesAttr = "no-jump-tables";

bool omitsJumpTables(const Function &F) {
  return F.getFnAttribute(NoTablesAttr).getValueAsBool();
}

void omitJumpTables(Function &F) { F.addFnAttr(NoTablesAttr, "true"); }

void setRoundings(Function &Kernel, StringRef Roundings) {
  Kernel.removeFnAttr(RoundingsAttr);
  if (!Roundings.empty())
    Kernel.addFnAttr(RoundingsAttr, Roundings);
}

StringRef roundingsOf(const Function &Kernel) {
  return Kernel.getFnAttribute(RoundingsAttr).getValueAsString();
}

bool areRoundingsFixed(const Function &Kernel) {
  return roundingsOf(Kernel) == RoundingsFixed;
}

void forgetRoundings(Function &Kernel) {
  if (roundingsOf(Kernel) != RoundingsUnknown)
    setRoundings(Kernel, "");
}

void setFusesOtherwise(Function &Kernel) { Kernel.addFnAttr(CodeAttr, Fused); }
bool fusesOtherwise(const Function &Kernel) {
  return Kernel.getFnAttribute(CodeAttr).getValueAsString() == Fused;
}

void setSmemSpilling(MachineFunction &Kernel) {
  // The code generator knows no such pragma; inline assembly prints as it is.
  MachineBasicBlock &Entry = Kernel.front();
  const TargetInstrInfo &TII = *Kernel.getSubtarget().getInstrInfo();
  BuildMI(Entry, Entry.begin(), DebugLoc(), TII.get(TargetOpcode::INLINEASM))
      .addExternalSymbol(
          Kernel.createExternalSymbolName(".pragma \"enable_smem_spilling\";"))
      .addImm(InlineAsm::Extra_HasSideEffects);
}

} // namespace regdem
