//===- ValueChecker.h - whether two values are the same ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares addresses or integers by computing both: whatever is not integer
// arithmetic or the address of an element gets random values, the same for both
// and with the bits that LLVM's value tracking knows. It shares nothing with
// ScalarEvolution. Of sums of multiples, modulo 2^64, a difference shows with
// almost any values of 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_TRANSFORM_VALUECHECKER_H
#define REGDEM_TEST_UNIT_TRANSFORM_VALUECHECKER_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <iterator>
#include <optional>

namespace llvm {
class DataLayout;
class Operator;
class Value;
} // namespace llvm

namespace regdem::test {

class ValueChecker {
public:
  explicit ValueChecker(const llvm::DataLayout &Layout) : Layout(Layout) {}

  /// To be called for all accesses of a block in their order, ahead of a block
  /// with startBlock(). Success unless New, the address of an access now, is
  /// another one than Old, its address before, both of 64 bits, for values for
  /// which this access and all before it have an address; otherwise an error of
  /// one line. What may have no value where others have one, as it is not an
  /// address of an access, is a block of its own.
  void startBlock();
  llvm::Error compare(llvm::Value *Old, llvm::Value *New);

private:
  /// Values of one run; none for what overflows though it must not.
  using Run = llvm::DenseMap<llvm::Value *, std::optional<llvm::APInt>>;

  const llvm::DataLayout &Layout;
  /// Runs differ in how large integers are: large ones show more, small ones do
  /// not overflow.
  static constexpr unsigned LeafBits[] = {64, 64, 64, 64, 31, 24, 16,
                                          12, 8,  8,  6,  5,  4,  3};
  Run Runs[std::size(LeafBits)];
  /// Whether an access of the block has no address in this run, which says
  /// nothing of what comes after it then.
  bool IsOver[std::size(LeafBits)] = {};
  uint64_t Random = 0x9E3779B97F4A7C15;

  // Each in run N; Depth operands away from what is compared.
  llvm::APInt leaf(llvm::Value *V, unsigned N);
  std::optional<llvm::APInt> compute(llvm::Value *V, unsigned N,
                                     unsigned Depth = 0);
  std::optional<llvm::APInt> apply(llvm::Operator &I, unsigned N,
                                   unsigned Depth);
  std::optional<llvm::APInt> element(llvm::Operator &I, unsigned N,
                                     unsigned Depth);
};

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_TRANSFORM_VALUECHECKER_H
