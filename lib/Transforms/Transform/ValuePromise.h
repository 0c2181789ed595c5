//===- ValuePromise.h - what code says of a value ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, calls and arguments may say of their value that it is in a range, no
// null pointer, aligned, of no such class of numbers, or defined (LangRef,
// "'range' Metadata", "Parameter Attributes"). LLVM relies on it, so that the
// array checker's random numbers must not break it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_VALUEPROMISE_H
#define REGDEM_LIB_TRANSFORM_VALUEPROMISE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/Support/Alignment.h"
#include <optional>

namespace llvm {
class Argument;
class CallBase;
class Constant;
class LoadInst;
} // namespace llvm

namespace regdem {

/// What is said of one value. Constants have 64-bit integers for pointers.
class ValuePromise {
public:
  explicit ValuePromise(const llvm::LoadInst &Load);
  explicit ValuePromise(const llvm::CallBase &Call); ///< Of what it gives.
  ValuePromise(const llvm::CallBase &Call, unsigned Argument);
  explicit ValuePromise(const llvm::Argument &Of);

  /// Whether C may be the value; where not, it is poison. Of poison, too.
  bool allows(llvm::Constant *C) const;

  /// Whether poison would be undefined behaviour.
  bool isDefined() const { return IsDefined; }

  /// C or, where it is not allowed, a constant that is, which Seed picks, if
  /// one is found. Null for null.
  llvm::Constant *fitted(llvm::Constant *C, uint64_t Seed) const;

private:
  std::optional<llvm::ConstantRange> Range; ///< None: any number.
  bool IsDefined = false, IsNonNull = false;
  llvm::MaybeAlign Alignment;
  llvm::FPClassTest Never = llvm::fcNone;

  bool allowsElement(const llvm::Constant *C) const;
};

/// Whether C or part of it is poison or undefined.
bool hasPoison(const llvm::Constant &C);

/// Whether the operand bundle Tag of llvm.assume, with Inputs, says what is so;
/// true for bundles that LLVM makes no use of.
bool isTrue(llvm::StringRef Tag, llvm::ArrayRef<llvm::Constant *> Inputs);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_VALUEPROMISE_H
