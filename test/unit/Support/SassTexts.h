//===- SassTexts.h - machine code for the unit tests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_SASSTEXTS_H
#define REGDEM_TEST_UNIT_SASSTEXTS_H

#include "SassReader.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regdem {

/// The recorded file Inputs/Name.
std::string recordedSass(llvm::StringRef Name);

/// Text as nvdisasm prints it of a kernel "k" that consists of Lines: labels
/// ("L1:", "function:") and instructions ("@P0 BRA `(L1)"), all with the same
/// encoding.
std::string writeSass(llvm::ArrayRef<llvm::StringRef> Lines);

/// Takes "~" off those of Lines that are to be spill code. Where they are.
inline std::set<uint64_t> takeSpills(std::vector<llvm::StringRef> &Lines) {
  std::set<uint64_t> Spills;
  uint64_t Address = 0;
  for (llvm::StringRef &Line : Lines) {
    if (Line.consume_front("~"))
      Spills.insert(Address);
    if (!Line.ends_with(":"))
      Address += InstructionBytes;
  }
  return Spills;
}

/// Lines that were put together.
inline std::vector<llvm::StringRef>
refs(const std::vector<std::string> &Lines) {
  return {Lines.begin(), Lines.end()};
}

/// The kernel in Text, which must be readable.
SassKernel mustParse(llvm::StringRef Text, llvm::StringRef Name = "");

/// The error that reading Text ends with; "" where it can be read.
std::string whyNot(llvm::StringRef Text, llvm::StringRef Name = "");

/// The instruction with these bits, into which a loader writes an address or
/// not; one without an opcode where it is not known.
SassInstruction decodeOne(uint64_t Low, uint64_t High, unsigned Capability = 90,
                          std::map<uint64_t, llvm::StringRef> Relocated = {});

/// Operands without predicates that always hold, which nvdisasm leaves out of
/// some instructions.
SassOperands shown(SassOperands Operands);

/// The first instruction whose opcode starts with Opcode.
const SassInstruction &firstOf(const SassKernel &K, llvm::StringRef Opcode);

/// What a kernel that consists of Lines looks like to the cost model.
CodeSummary codeOf(llvm::ArrayRef<llvm::StringRef> Lines,
                   const TraceRules &Rules = {});

/// The number of Code's steps of this Unit.
size_t numSteps(const CodeSummary &Code, TraceUnit Unit);

/// The steps of this Unit that the cost model sees in a kernel that consists of
/// Lines, in order.
std::vector<TraceStep> stepsOf(TraceUnit Unit,
                               llvm::ArrayRef<llvm::StringRef> Lines);

/// "R4 R5 P0" of registers.
std::string names(llvm::ArrayRef<SassRegister> Registers);

} // namespace regdem

#endif // REGDEM_TEST_UNIT_SASSTEXTS_H
