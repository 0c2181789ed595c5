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

// In the order in which CodeAttr has them.
static constexpr StringLiteral NoTables = "no-jump-tables",
                               Fused = "fused-otherwise";
static constexpr StringLiteral CodeNotes[] = {NoTables, Fused};
static constexpr StringLiteral RoundingsAttr = "regdem-roundings";

static SmallVector<StringRef, 4> notesIn(StringRef Content) {
  SmallVector<StringRef, 4> Notes;
  Content.split(Notes, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return Notes;
}

static bool hasNote(const Function &Kernel, StringRef Note) {
  return is_contained(
      notesIn(Kernel.getFnAttribute(CodeAttr).getValueAsString()), Note);
}

static void setNote(Function &Kernel, StringRef Note, bool IsSet) {
  SmallVector<StringRef, 4> Notes;
  for (StringRef One : CodeNotes)
    if (One == Note ? IsSet : hasNote(Kernel, One))
      Notes.push_back(One);
  std::string Content = join(Notes, ",");
  Kernel.removeFnAttr(CodeAttr);
  if (!Content.empty())
    Kernel.addFnAttr(CodeAttr, Content);
}

static bool isCodeNote(StringRef Content) {
  SmallVector<StringRef, 4> Notes = notesIn(Content), Known;
  copy_if(CodeNotes, std::back_inserter(Known),
          [&](StringRef One) { return is_contained(Notes, One); });
  return !Known.empty() && join(Known, ",") == Content;
}

bool isCodeAttribute(StringRef Name, StringRef Content) {
  if (Name == RoundingsAttr) // RoundingsFixed is said of written ones alone.
    return Content == RoundingsUnknown ||
           (Content.consume_front(FusingPrefix) &&
            Content.find_first_not_of(EachFusing) == StringRef::npos);
  return Name == CodeAttr && isCodeNote(Content);
}

// LLVM's own attribute, which -fno-jump-tables sets too. Where it is there
// already it is not RegDem's to take away.
static constexpr const char *NoTablesAttr = "no-jump-tables";

bool omitsJumpTables(const Function &Kernel) {
  return hasNote(Kernel, NoTables);
}

void omitJumpTables(Function &Kernel) {
  if (Kernel.getFnAttribute(NoTablesAttr).getValueAsBool())
    return;
  Kernel.addFnAttr(NoTablesAttr, "true");
  setNote(Kernel, NoTables, true);
}

void allowJumpTables(Function &Kernel) {
  if (!omitsJumpTables(Kernel))
    return;
  Kernel.removeFnAttr(NoTablesAttr);
  setNote(Kernel, NoTables, false);
}

void restoreJumpTables(Function &Kernel) {
  if (omitsJumpTables(Kernel))
    omitJumpTables(Kernel);
}

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

void setFusesOtherwise(Function &Kernel) { setNote(Kernel, Fused, true); }
bool fusesOtherwise(const Function &Kernel) { return hasNote(Kernel, Fused); }

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
