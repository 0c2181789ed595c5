//===- SassTexts.cpp - machine code for the unit tests --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"

#include "regdem/MachineCode/MachineWord.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace regdem {

[[noreturn]] static void giveUp(const Twine &Why) {
  errs() << "SassTexts: " << Why << "\n";
  std::abort();
}

std::string recordedSass(StringRef Name) {
  std::string Path = (REGDEM_UNIT_INPUTS "/" + Name).str();
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    giveUp("cannot read " + Path);
  // nvdisasm writes the second half of an encoding into a line of its own.
  SmallVector<StringRef> Parts;
  (*Buffer)->getBuffer().split(Parts, "*/ /* 0x");
  return join(Parts, "*/\n /* 0x");
}

std::string writeSass(ArrayRef<StringRef> Lines) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "\t.target\tsm_90\n\t.section\t.text.k,\"ax\",@progbits\n"
        "\t.other k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\nk:\n.text.k:\n";
  unsigned Address = 0;
  for (StringRef Line : Lines) {
    if (Line.ends_with(":")) {
      OS << Line << "\n";
      continue;
    }
    OS << "        /*" << format_hex_no_prefix(Address, 4) << "*/   " << Line
       << " ;  /* 0x0000000000027919 */\n      /* 0x000fe20000002500 */\n";
    Address += 16;
  }
  return Text;
}

SassKernel mustParse(StringRef Text, StringRef Name) {
  Expected<SassKernel> K = parseSass(Text, Name);
  if (!K)
    giveUp(toString(K.takeError()));
  return std::move(*K);
}

std::string whyNot(StringRef Text, StringRef Name) {
  Expected<SassKernel> K = parseSass(Text, Name);
  return K ? "" : toString(K.takeError());
}

const SassInstruction &firstOf(const SassKernel &K, StringRef Opcode) {
  for (const SassBlock &B : K.Blocks)
    for (const SassInstruction &I : B.Instructions)
      if (StringRef(I.Opcode).starts_with(Opcode))
        return I;
  giveUp("no " + Opcode);
}

SassInstruction decodeOne(uint64_t Low, uint64_t High, unsigned Capability,
                          std::map<uint64_t, StringRef> Relocated) {
  std::string Bytes(InstructionBytes, '\0');
  MachineWord{Low, High}.put(Bytes, 0);
  auto Decoded =
      decodeListing({"k", Bytes, {}, Capability, {}, std::move(Relocated), {}});
  if (Decoded)
    return Decoded->Code.front();
  consumeError(Decoded.takeError());
  return {};
}

SassOperands shown(SassOperands Operands) {
  llvm::erase_if(Operands, [](const SassOperand &O) {
    return O.isPredicate() && O.Register.isConstant();
  });
  return Operands;
}

CodeSummary codeOf(ArrayRef<StringRef> Lines, const TraceRules &Rules) {
  return summarize(mustParse(writeSass(Lines)), Rules);
}

size_t numSteps(const CodeSummary &Code, TraceUnit Unit) {
  return count_if(Code.Trace,
                  [Unit](const TraceStep &S) { return S.Unit == Unit; });
}

std::vector<TraceStep> stepsOf(TraceUnit Unit, ArrayRef<StringRef> Lines) {
  std::vector<TraceStep> Steps = codeOf(Lines).Trace;
  llvm::erase_if(Steps, [Unit](const TraceStep &S) { return S.Unit != Unit; });
  return Steps;
}

std::string names(ArrayRef<SassRegister> Registers) {
  static const char *const Prefixes[] = {"R", "UR", "P", "UP"};
  std::string Text;
  for (SassRegister R : Registers) {
    if (!Text.empty())
      Text += ' ';
    Text += Prefixes[static_cast<unsigned>(R.File)] + utostr(R.Index);
  }
  return Text;
}

} // namespace regdem
