//===- PtxUses.h - who writes and reads registers of PTX --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_PTXUSES_H
#define REGDEM_LIB_MACHINECODE_PTXUSES_H

#include "regdem/MachineCode/PtxCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace regdem {

/// Whether I names a floating-point type.
inline bool hasFloats(const PtxInstruction &I) {
  static constexpr llvm::StringLiteral Floats[] = {
      ".f16", ".f16x2", ".bf16", ".bf16x2", ".f32", ".f32x2", ".f64"};
  return llvm::any_of(Floats, [&](llvm::StringRef F) { return I.has(F); });
}

/// The names in Operands, those of registers among them.
inline llvm::SmallVector<llvm::StringRef, 4>
registersIn(llvm::StringRef Operands) {
  llvm::SmallVector<llvm::StringRef, 4> All;
  while (!(Operands = Operands.drop_until(isPtxNameChar)).empty()) {
    llvm::StringRef Word = Operands.take_while(isPtxNameChar);
    if (!llvm::isDigit(Word.front()))
      All.push_back(Word);
    Operands = Operands.drop_front(Word.size());
  }
  return All;
}

/// How many of the registers that I names it writes.
inline size_t numWritten(const PtxInstruction &I) {
  if (llvm::is_contained({"st", "red", "bar", "barrier", "bra", "brx", "ret",
                          "call", "prefetch", "membar", "fence"},
                         I.root()))
    return 0;
  llvm::StringRef First = I.Operands.starts_with("{")
                              ? I.Operands.split('}').first
                              : I.Operands.split(',').first;
  return registersIn(First).size();
}

/// Who writes and reads registers, by instruction.
struct RegisterUses {
  llvm::StringMap<llvm::SmallVector<unsigned, 2>> Writers, Readers;

  explicit RegisterUses(const PtxCode &Code) {
    for (unsigned N = 0; N != Code.Instructions.size(); ++N) {
      const PtxInstruction &I = Code.Instructions[N];
      size_t Written = numWritten(I);
      for (auto [J, Register] : llvm::enumerate(registersIn(I.Operands)))
        (J < Written ? Writers : Readers)[Register].push_back(N);
    }
  }
};

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_PTXUSES_H
