//===- SassListing.cpp - the code of a program, in order ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassListing.h"

#include "SassEncoding.h"
#include "regdem/MachineCode/MachineWord.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem {

std::optional<unsigned> SassListing::codeAt(StringRef Label) const {
  auto Found = Labels.find(Label);
  if (Found == Labels.end() || Found->second >= Code.size())
    return std::nullopt;
  return Found->second;
}

std::optional<unsigned> SassListing::target(const SassOperand &O) const {
  return O.isLabel() ? codeAt(O.Text) : std::nullopt;
}

Expected<SassListing> decodeListing(StringRef Cubin, StringRef Kernel) {
  Expected<RawCode> Code = rawCodeOf(Cubin, Kernel);
  if (!Code)
    return Code.takeError();
  return decodeListing(*Code);
}

/// Has I, which is decoded, show that a loader writes an address into it, that
/// of Function if it is a call; false where control may go elsewhere.
static bool relocate(DecodedInstruction &I, StringRef Function) {
  SassOperands &Operands = I.Instruction.Operands;
  for (SassOperand &O : Operands) {
    if (O.isLabel()) {
      if (I.Instruction.base() != "CALL" || Function.empty() ||
          Operands.size() != 1)
        return false;
      O = SassOperand::label(Function);
    } else if (O.isNumber()) {
      O = SassOperand::name("?");
    } else if (!O.isRegister()) {
      O.Text = "?";
    }
  }
  I.Target.reset();
  return true;
}

Expected<SassListing> decodeListing(const RawCode &Code) {
  if (!is_contained(ComparedCapabilities, Code.Capability))
    return createStringError("RegDem reads no machine code for sm_" +
                             Twine(Code.Capability));
  auto FailAt = [](uint64_t Address, const Twine &Problem) {
    return createStringError(Problem + " at 0x" +
                             utohexstr(Address, /*LowerCase=*/true));
  };
  SassListing Result;
  Result.Kernels.push_back(Code.Kernel.str());
  Result.Labels[Code.Kernel] = 0;
  std::map<uint64_t, StringRef> Functions;
  for (auto [Name, Start] : Code.Functions) {
    Result.Labels[Name] = static_cast<unsigned>(Start / InstructionBytes);
    Functions.emplace(Start, Name);
  }
  // Functions have their names; other labels start as nvdisasm's do.
  auto LabelAt = [&](uint64_t Target) -> std::optional<SassOperand> {
    if (Target >= Code.Bytes.size() || Target % InstructionBytes)
      return std::nullopt;
    if (auto Function = Functions.find(Target); Function != Functions.end())
      return SassOperand::label(Function->second);
    std::string Name = ".L_" + utohexstr(Target, /*LowerCase=*/true);
    Result.Labels[Name] = static_cast<unsigned>(Target / InstructionBytes);
    return SassOperand::label(Name);
  };
  for (uint64_t Address = 0; Address + InstructionBytes <= Code.Bytes.size();
       Address += InstructionBytes) {
    auto Decoded = decodeInstruction(Code, Address);
    if (!Decoded)
      return FailAt(Address, "RegDem does not know the instruction");
    if (auto R = Code.Relocated.find(Address);
        R != Code.Relocated.end() && !relocate(*Decoded, R->second))
      return FailAt(Address, "a jump that is to be linked");
    SassInstruction &I = Decoded->Instruction;
    I.IsSpill = Code.SpillCode.count(Address);
    for (SassOperand &O : I.Operands)
      if (O.isLabel() && Decoded->Target) {
        auto Label = LabelAt(*Decoded->Target);
        if (!Label)
          return FailAt(Address, "no code where control goes");
        O = std::move(*Label);
      }
    // A jump by a table without targets has no meaning (flowOfJump()).
    if (auto Table = Code.JumpTargets.find(Address);
        Table != Code.JumpTargets.end())
      for (uint64_t Target : Table->second) {
        auto Label = LabelAt(Target);
        if (!Label)
          return FailAt(Address, "no code where control goes");
        I.Operands.push_back(std::move(*Label));
      }
    classify(I, Decoded->Results);
    Result.Code.push_back(std::move(I));
  }
  return Result;
}

/// A jump to the labels among the operands of instruction N.
static Expected<SassFlow> flowOfJump(const SassListing &L, unsigned N) {
  const SassInstruction &I = L.Code[N];
  auto Fail = [&I](const Twine &Problem) {
    return createStringError("instruction " + I.Opcode + " at 0x" +
                             utohexstr(I.Address, /*LowerCase=*/true) + ": " +
                             Problem);
  };
  SassFlow Flow;
  Flow.What = SassFlow::Kind::Jump;
  Flow.FallsThrough = I.isPredicated();
  bool IsByTable = I.base().contains('X');
  for (const SassOperand &O : I.Operands) {
    if (O.isLabel()) {
      std::optional<unsigned> Target = L.target(O);
      if (!Target)
        return Fail("no code at label '" + O.Text + "'");
      Flow.Targets.push_back(*Target);
    } else if (!IsByTable && !O.isTrue()) {
      // What stands before the target is a further condition.
      Flow.FallsThrough = true;
    }
  }
  if (Flow.Targets.empty())
    return Fail(IsByTable ? "targets are not shown" : "target is not shown");
  return Flow;
}

Expected<SassFlow> flowAfter(const SassListing &L, unsigned N) {
  using Kind = SassFlow::Kind;
  const SassInstruction &I = L.Code[N];
  StringRef Base = I.base();
  if (is_contained({"BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU"}, Base))
    return flowOfJump(L, N);
  SassFlow Flow;
  if (Base == "CALL") {
    Flow.What = Kind::Call;
    // One through a register may have a label as the base.
    if (I.Operands.size() == 1)
      if (std::optional<unsigned> Target = L.target(I.Operands[0]))
        Flow.Targets.push_back(*Target);
    return Flow;
  }
  if (Base == "BSYNC")
    Flow.What = Kind::Meet;
  else if (Base == "RET")
    Flow.What = Kind::Return;
  else if (is_contained({"EXIT", "KILL", "RTT"}, Base) ||
           StringRef(I.Opcode).starts_with("BPT.TRAP"))
    Flow.What = Kind::Stop;
  if (Flow.What == Kind::Return || Flow.What == Kind::Stop)
    Flow.FallsThrough = I.isPredicated();
  return Flow;
}

} // namespace regdem
