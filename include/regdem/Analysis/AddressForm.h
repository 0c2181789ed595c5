//===- AddressForm.h - addresses as sums of multiples -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address as base + offset + sum of factor * value, modulo 2^64, so that the
// distance of two addresses can be seen. What an expression of 32 bits is once
// it is extended is only known where it does not overflow ("nsw", "nuw"). Where
// it does, LLVM gives the address no value, and the access that uses it has no
// meaning: a form describes addresses of accesses that take place, and is worth
// nothing for any other end.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_ADDRESSFORM_H
#define REGDEM_ANALYSIS_ADDRESSFORM_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace regdem {

/// How a value of fewer bits becomes one of 64.
enum class Extension { None, Sign, Zero };

/// Factor * value, the value extended to 64 bits.
struct AddressTerm {
  llvm::Value *Of = nullptr; ///< An integer.
  Extension By = Extension::None;
  uint64_t Factor = 0; ///< Modulo 2^64.

  bool hasSameValue(const AddressTerm &Other) const {
    return Of == Other.Of && By == Other.By;
  }
};

/// Bytes. The terms' values differ from each other, their factors from 0.
struct AddressForm {
  llvm::Value *Base = nullptr; ///< A pointer.
  uint64_t Offset = 0;         ///< Modulo 2^64.
  llvm::SmallVector<AddressTerm, 4> Terms;
};

/// What has to be added to the address of form From for that of form To: a
/// constant and at most one term, which has the factor 0 if there is none. No
/// value if it takes more than that, or if the bases differ.
struct AddressStep {
  uint64_t Offset = 0; ///< Modulo 2^64.
  AddressTerm Term;
};
std::optional<AddressStep> stepBetween(const AddressForm &From,
                                       const AddressForm &To);

/// Finds the forms of the addresses of one function, each once.
class AddressForms {
public:
  explicit AddressForms(const llvm::DataLayout &Layout) : Layout(Layout) {}

  /// The form of Pointer, which has 64 bits. An address of more than eight
  /// terms is a base of its own.
  AddressForm of(llvm::Value *Pointer);

private:
  using Terms = llvm::SmallVector<AddressTerm, 4>;
  struct Sum {
    uint64_t Constant = 0;
    Terms List;
  };

  const llvm::DataLayout &Layout;
  llvm::DenseMap<llvm::Value *, AddressForm> Known;

  Sum sumOf(llvm::Value *Integer, Extension By, unsigned Depth) const;
};

} // namespace regdem

#endif // REGDEM_ANALYSIS_ADDRESSFORM_H
