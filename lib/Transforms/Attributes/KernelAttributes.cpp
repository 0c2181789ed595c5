//===- KernelAttributes.cpp - what ptxas and later passes read ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/KernelAttributes.h"

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

// LLVM's own attribute, which -fno-jump-tables sets too. Where it is there
// already it is not RegDem's to take away.
static constexpr const char *NoTablesAttr = "no-jump-tables";
static constexpr const char *NoTablesByRegDemAttr = "regdem-no-jump-tables";

void omitJumpTables(Function &Kernel) {
  if (Kernel.getFnAttribute(NoTablesAttr).getValueAsBool())
    return;
  Kernel.addFnAttr(NoTablesAttr, "true");
  Kernel.addFnAttr(NoTablesByRegDemAttr);
}

void allowJumpTables(Function &Kernel) {
  if (!Kernel.hasFnAttribute(NoTablesByRegDemAttr))
    return;
  Kernel.removeFnAttr(NoTablesAttr);
  Kernel.removeFnAttr(NoTablesByRegDemAttr);
}

void restoreJumpTables(Function &Kernel) {
  if (Kernel.hasFnAttribute(NoTablesByRegDemAttr))
    omitJumpTables(Kernel);
}

static constexpr const char *RoundedAttr = "regdem-round-products";
static constexpr const char *AllProducts = "all", *DistantProducts = "distant";

void setRoundedProducts(Function &Kernel, RoundedProducts Which) {
  Kernel.removeFnAttr(RoundedAttr);
  if (Which != RoundedProducts::None)
    Kernel.addFnAttr(RoundedAttr, Which == RoundedProducts::All
                                      ? AllProducts
                                      : DistantProducts);
}

RoundedProducts roundedProducts(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(RoundedAttr))
    return RoundedProducts::None;
  return Kernel.getFnAttribute(RoundedAttr).getValueAsString() == AllProducts
             ? RoundedProducts::All
             : RoundedProducts::Distant;
}

bool isCodeNote(StringRef Name, StringRef Content) {
  if (Name == RoundedAttr)
    return Content == AllProducts || Content == DistantProducts;
  return (Name == NoTablesByRegDemAttr || Name == FusedAttr) && Content.empty();
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
