//===- PtxCode.h - the instructions of PTX ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of PTX's meaning as shows whether ptxas, told of another cap, makes
// code with the same results: where control goes, and what becomes of products.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_PTXCODE_H
#define REGDEM_MACHINECODE_PTXCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace regdem {

/// Whether C may stand in the name of a function, a variable or a register.
bool isPtxNameChar(char C);

struct PtxInstruction {
  llvm::StringRef Opcode;   ///< "mul.f32", without what guards it.
  llvm::StringRef Operands; ///< All that follows.
  llvm::StringRef Guard;    ///< "%p1", if "@%p1" or "@!%p1" stands before it.
  /// From its guard, or a pragma that is about it, up to its semicolon.
  llvm::StringRef Statement;
  unsigned Block = 0;
  unsigned Scope = 0; ///< In which it names registers.

  bool isGuarded() const { return !Guard.empty(); }

  /// The first part of the opcode: "mul".
  llvm::StringRef root() const { return Opcode.split('.').first; }
  bool has(llvm::StringRef Modifier) const; ///< ".rn"
};

/// `.reg .b32 %r<8>`, or what a call takes: `.param .b32 param0`.
struct PtxDeclaration {
  llvm::StringRef Text;
  unsigned Scope = 0;
};

/// The code of one function, in basic blocks numbered in the order of the text.
struct PtxCode {
  std::vector<PtxInstruction> Instructions;
  std::vector<llvm::SmallVector<unsigned, 2>> Successors; ///< By block.
  std::vector<const char *> Begins; ///< Of blocks, in the text.
  std::vector<PtxDeclaration> Declarations;
  std::vector<llvm::StringRef> Locations; ///< Each `.loc`.
  /// The scope around each, braces in braces; 0 is the function's.
  std::vector<unsigned> Outer = {0};
  bool HasInnerLabels = false; ///< In braces: they may stand there twice.
  bool IsUnclear = false;      ///< What an instruction is is not known.
};

/// Body as PtxFile::bodyOf() gives it, which must outlive the result.
PtxCode readPtxCode(llvm::StringRef Body);

/// Whether some loop is entered at two places, or control goes where the text
/// does not show.
bool hasIrreducibleFlow(const PtxCode &Code);

/// The products that ptxas may fuse into a sum of another block, or of another
/// iteration. Whether it does may depend on the registers that it has, so that
/// other builds may differ in the last bit. A product next to its sum stays
/// there in every build.
std::vector<PtxInstruction> openProducts(const PtxCode &Code);

/// A sum, and the text that does the same with one rounding, in the place of
/// its opcode and operands.
struct PtxFusedSum {
  PtxInstruction Sum;
  std::string Text;
};

/// The sums of Code that read one of Products, fused with that; those of two
/// with their first operand. Only Products count that nothing but sums without
/// guards reads.
std::vector<PtxFusedSum> fusedSums(const PtxCode &Code,
                                   llvm::ArrayRef<PtxInstruction> Products);

/// The registers that may hold a product on its way to a sum into which ptxas
/// may fuse it. It does not look for one in memory.
std::vector<llvm::StringRef> fusibleProducts(const PtxCode &Code);

/// What ptxas may know of registers.
struct PtxConstants {
  /// Their values follow from constants, and are the same in all iterations.
  std::vector<std::string> Registers;
  /// Some value that follows so, of a loop's counter, is a factor or what a
  /// function is approximated for: ptxas computes otherwise if it unrolls.
  bool MayBeFolded = false;
};

PtxConstants findConstants(const PtxCode &Code);

} // namespace regdem

#endif // REGDEM_MACHINECODE_PTXCODE_H
