//===- MachineText.cpp - machine code from text ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineText.h"

#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace regdem::test {

std::unique_ptr<TargetMachine> createNVPTXMachine(CodeGenOptLevel Level) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Triple TT("nvptx64-nvidia-cuda");
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(TT, Message);
  return std::unique_ptr<TargetMachine>(
      T->createTargetMachine(TT, "sm_90", "", TargetOptions(), {}, {}, Level));
}

std::string declaredRegisters(unsigned First, unsigned End, const char *Class) {
  std::string Text;
  for (unsigned I = First; I != End; ++I)
    Text += "  - { id: " + std::to_string(I) + ", class: " + Class + " }\n";
  return Text;
}

static const TargetMachine &sharedMachine() {
  static const std::unique_ptr<TargetMachine> TM = createNVPTXMachine();
  return *TM;
}

const NVPTXOpcodes &nvptxOpcodes() {
  static const NVPTXOpcodes &Opcodes = []() -> const NVPTXOpcodes & {
    MachineText Code("---\nname: f\nbody: |\n  bb.0:\n    Return\n...\n");
    return cantFail(NVPTXOpcodes::of(Code.function("f").getSubtarget()));
  }();
  return Opcodes;
}

MachineText::MachineText(const std::string &Text) : MMI(&sharedMachine()) {
  std::unique_ptr<MIRParser> Parser = createMIRParser(
      MemoryBuffer::getMemBufferCopy(Text, "test.mir"), Context);
  M = Parser ? Parser->parseIRModule() : nullptr;
  if (M) {
    M->setTargetTriple(sharedMachine().getTargetTriple());
    M->setDataLayout(sharedMachine().createDataLayout());
    Parsed = !Parser->parseMachineFunctions(*M, MMI);
  }
  if (!Parsed)
    ADD_FAILURE() << "the test's code does not parse:\n" << Text;
}

MachineFunction &MachineText::function(const std::string &Name) {
  return *MMI.getMachineFunction(*M->getFunction(Name));
}

} // namespace regdem::test
