//===- ArrayParts.h - arrays taken apart ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct with a field that is written and a table that data index is one
// variable for LLVM. Where no load or store can be in two parts of a variable,
// each becomes a variable of its own; copies and fills are made part by part,
// and what nobody reads is left out.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYPARTS_H
#define REGDEM_TRANSFORM_ARRAYPARTS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
} // namespace llvm

namespace regdem {

struct LocalArray;

/// Bytes from Start to End of an array.
struct ArrayPart {
  uint64_t Start = 0, End = 0;
};

/// What Array may be taken apart into, in order, without overlap; empty if it
/// may not, or is one part already.
llvm::SmallVector<ArrayPart, 4> partsOf(const LocalArray &Array);

/// Replaces Array's variable by one for each of its Parts, which are partsOf()
/// it.
llvm::SmallVector<llvm::AllocaInst *, 4>
takeApart(const LocalArray &Array, llvm::ArrayRef<ArrayPart> Parts);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYPARTS_H
