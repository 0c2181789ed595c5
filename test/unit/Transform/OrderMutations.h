//===- OrderMutations.h - ways to break a new order -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_ORDERMUTATIONS_H
#define REGDEM_TEST_UNIT_ORDERMUTATIONS_H

#include "OrderSubject.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace regdem::test {

/// One kind of mistake, which is wrong wherever it is made.
struct OrderMutation {
  const char *Name;
  /// Makes the mistake at each place of S where it can be made, calls Judge,
  /// and takes it back.
  std::function<void(OrderSubject &S, llvm::function_ref<void()> Judge)> Make;
};

/// An instruction passes one that it may not pass.
std::vector<OrderMutation> orderMutations();

/// The instructions are not the same ones any more.
std::vector<OrderMutation> contentMutations();

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_ORDERMUTATIONS_H
