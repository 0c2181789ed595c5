//===- JSONFields.h - numbers of a struct, in JSON texts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of a struct's numbers, from which texts are written and read, so that
// both have the same keys. What is read comes from files: a number that is
// missing, negative or too great is refused.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_JSONFIELDS_H
#define REGDEM_DECISION_BUILDS_JSONFIELDS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace regdem {

/// A number of Of, its key, and the greatest that it can be.
template <class Of> struct JSONField {
  llvm::StringLiteral Key;
  unsigned Of::*Number;
  unsigned Most;
};

/// Sets To to the number that O has under Key; false where that is none from 0
/// to Most.
template <class Number>
bool readNumber(const llvm::json::Object &O, llvm::StringRef Key, uint64_t Most,
                Number &To) {
  std::optional<int64_t> Read = O.getInteger(Key);
  if (!Read || *Read < 0 || static_cast<uint64_t>(*Read) > Most)
    return false;
  To = static_cast<Number>(*Read);
  return true;
}

/// Reads all Fields of To; false where one is refused.
template <class Of, size_t N>
bool readFields(const llvm::json::Object &O, const JSONField<Of> (&Fields)[N],
                Of &To) {
  return llvm::all_of(Fields, [&](const JSONField<Of> &F) {
    return readNumber(O, F.Key, F.Most, To.*F.Number);
  });
}

template <class Of, size_t N>
void writeFields(llvm::json::Object &O, const JSONField<Of> (&Fields)[N],
                 const Of &From) {
  for (const JSONField<Of> &F : Fields)
    O[F.Key] = From.*F.Number;
}

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_JSONFIELDS_H
