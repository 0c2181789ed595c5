//===- PointerRange.h - where a pointer can point ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds for the distance of a pointer from the start of its variable, from
// masks, guards and the counts of loops. Never assumes that an access is within
// bounds because it would be an error otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_POINTERRANGE_H
#define REGDEM_ANALYSIS_POINTERRANGE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include <utility>

namespace llvm {
class DataLayout;
class Instruction;
class LazyValueInfo;
class LoopInfo;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace regdem {

class PointerRange {
public:
  PointerRange(const llvm::DataLayout &Layout, llvm::LazyValueInfo &Values,
               llvm::ScalarEvolution &Evolution, llvm::LoopInfo &Loops)
      : Layout(Layout), Values(Values), Evolution(Evolution), Loops(Loops) {}

  /// Signed bytes from the variable to Pointer whenever At is run.
  llvm::ConstantRange offset(llvm::Value *Pointer, llvm::Instruction *At);

  /// What the integer V can be whenever At is run.
  llvm::ConstantRange number(llvm::Value *V, llvm::Instruction *At);

private:
  const llvm::DataLayout &Layout;
  llvm::LazyValueInfo &Values;
  llvm::ScalarEvolution &Evolution;
  llvm::LoopInfo &Loops;
  /// What offset() has found; anything, while it is being looked for.
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Instruction *>,
                 llvm::ConstantRange>
      Offsets;

  llvm::ConstantRange findOffset(llvm::Value *Pointer, llvm::Instruction *At);
  llvm::ConstantRange byEvolution(llvm::Value *V, llvm::Instruction *At);
};

} // namespace regdem

#endif // REGDEM_ANALYSIS_POINTERRANGE_H
