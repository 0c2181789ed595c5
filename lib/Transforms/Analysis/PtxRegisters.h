//===- PtxRegisters.h - which registers PTX reads and writes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the operand rules of the PTX ISA: what an instruction writes is its first
// operand, one register, several in braces or with "|" between them, unless
// that is an address; what a call writes stands in parentheses. Opcodes that
// have no such operand are listed, and so are those that have, since one that
// is not known might do something else.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_ANALYSIS_PTXREGISTERS_H
#define REGDEM_LIB_ANALYSIS_PTXREGISTERS_H

#include "regdem/Analysis/PtxGraph.h"
#include "llvm/ADT/StringMap.h"

namespace regdem {

/// The registers of a function, by the scopes that declare them.
class RegisterTable {
public:
  /// Takes the declarations of Code, which must outlive this. An error where a
  /// type is not known, or a name stands for several registers at one place.
  llvm::Error declare(const PtxCode &Code);

  struct Named {
    llvm::SmallVector<ValueId, 8> Read, Written;
  };
  /// What I reads, its guard included, and writes; an error where that is not
  /// known.
  llvm::Expected<Named> registersOf(const PtxInstruction &I);

  /// Whether the name of V is another scope's than the function's.
  bool isInner(ValueId V) const { return Scopes[V] != 0; }
  /// The registers that instructions named, by value.
  std::vector<PtxRegister> take() { return std::move(Registers); }

private:
  /// `%r<8>` stands for %r0 to %r7.
  struct Family {
    llvm::StringRef Prefix;
    unsigned Count = 0, Bits = 0;
  };
  struct ScopeNames {
    llvm::StringMap<unsigned> Bits; ///< By name.
    std::vector<Family> Families;
  };

  llvm::Error declare(llvm::StringRef Text, unsigned Scope);
  unsigned bitsOf(llvm::StringRef Name, unsigned Scope) const;
  static bool hasName(const ScopeNames &Its, llvm::StringRef Name,
                      bool IsFamily);
  bool clashes(llvm::StringRef Name, bool IsFamily, unsigned Scope) const;
  void find(llvm::StringRef Operands, unsigned Scope,
            llvm::SmallVectorImpl<ValueId> &Found);

  std::vector<ScopeNames> Names; ///< By scope.
  std::vector<unsigned> Outer;
  std::vector<llvm::StringMap<ValueId>> Values; ///< By scope.
  std::vector<unsigned> Scopes;                 ///< By value.
  std::vector<PtxRegister> Registers;
};

} // namespace regdem

#endif // REGDEM_LIB_ANALYSIS_PTXREGISTERS_H
