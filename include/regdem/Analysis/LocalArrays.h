//===- LocalArrays.h - arrays in local memory -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM leaves in local memory when its optimizations are over: variables
// that are indexed at run time, or whose address is needed. Says what each is
// and how it is accessed; whether a rewrite pays is decided elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_LOCALARRAYS_H
#define REGDEM_ANALYSIS_LOCALARRAYS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
class raw_ostream;
class Value;
} // namespace llvm

namespace regdem {

/// What an access's place in its array depends on.
enum class IndexKind {
  Constant,
  Counter, ///< On nothing but constants and the counts of loops.
  Data
};

struct ArrayAccess {
  llvm::Instruction *At = nullptr;
  llvm::Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Writes = false; ///< Else it reads.
  IndexKind Index = IndexKind::Data;
  /// Headers of the loops whose counters the place depends on.
  llvm::SmallVector<llvm::BasicBlock *, 2> CountedBy;
  bool IsUniform = false;  ///< The place is the same in all threads of a warp.
  bool IsInBounds = false; ///< For all values that the index can have.
  /// Where it can start, in bytes from the start of its variable, if it is.
  uint64_t Least = 0, Most = 0;
};

/// Why an array has to be somewhere in memory.
enum class ArrayObstacle {
  None,
  Call,       ///< Its address goes to a function.
  Assembly,   ///< Its address goes to assembly.
  Stored,     ///< Its address is stored.
  Integer,    ///< Its address becomes an integer or is compared.
  Ordered,    ///< It is accessed with volatile or atomic operations.
  MixedUp,    ///< A pointer may point to it or to something else.
  UnknownSize ///< It, or what is copied at once, has no constant size.
};

struct LocalArray {
  /// One, or several that a pointer may point to; in the order of the code.
  llvm::SmallVector<llvm::AllocaInst *, 1> Allocas;
  /// The pointers into it, each after those that it is computed from, but for
  /// PHIs.
  llvm::SmallVector<llvm::Value *, 8> Pointers;
  std::vector<ArrayAccess> Accesses;
  ArrayObstacle Obstacle = ArrayObstacle::None;
  std::string Callee; ///< Where that is Call: the linker's name, if known.
  uint64_t Bytes = 0;
  /// It belongs to the argument reduction of sin and cos for huge arguments,
  /// which hardly ever runs.
  bool IsSlowPath = false;
  std::string Name; ///< In the source; in IR where that is not known.
  std::string File; ///< Empty where it is not known.
  unsigned Line = 0;

  bool isInBounds() const;
  /// Bytes that the alloca with this number in Allocas starts at, where all of
  /// them are put one after the other.
  uint64_t offsetOf(unsigned Number) const;
};

/// Whether F may have local arrays; costs next to nothing.
bool mayHaveLocalArrays(const llvm::Function &F);

/// All of F's, in the order of the code, without how they are indexed.
std::vector<LocalArray> collectLocalArrays(llvm::Function &F);

/// Finds out how Array, of F, which collectLocalArrays() has found, is indexed.
void studyAccesses(LocalArray &Array, llvm::Function &F,
                   llvm::FunctionAnalysisManager &FAM);

/// All of F's, in the order of the code, with all that.
std::vector<LocalArray> findLocalArrays(llvm::Function &F,
                                        llvm::FunctionAnalysisManager &FAM);

llvm::StringRef toString(IndexKind Kind);

/// What Why says of an array, as in "stays because ...".
llvm::StringRef describe(ArrayObstacle Why);

void print(llvm::raw_ostream &OS, llvm::ArrayRef<LocalArray> Arrays);

} // namespace regdem

#endif // REGDEM_ANALYSIS_LOCALARRAYS_H
