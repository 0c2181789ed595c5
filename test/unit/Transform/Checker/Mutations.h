//===- Mutations.h - ways to break a demotion -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONS_H
#define REGDEM_TEST_UNIT_MUTATIONS_H

#include "MutationSubject.h"

namespace regdem::test {

/// One kind of mistake. A mistake is made in what RegDem demotes by or in the
/// code that comes out; the other function is null.
struct Mutation {
  const char *Name;
  /// Makes the mistake at the Site-th place, counted from 0, where it can be
  /// made; false where there are not that many.
  std::function<bool(const Subject &S, Recipe &R, unsigned Site)> InRecipe;
  std::function<bool(const Subject &S, llvm::MachineFunction &MF,
                     unsigned Site)>
      InCode = nullptr;
};

/// Mistakes in the plan, the layout, the block's shape and the region.
std::vector<Mutation> recipeMutations();

/// Mistakes in where slots lie at the end of dynamic shared memory.
std::vector<Mutation> endMutations();

/// Mistakes in what is recomputed.
std::vector<Mutation> recomputationMutations();

/// Mistakes in which registers and places the stores and reloads have.
std::vector<Mutation> insertionMutations();

/// Mistakes in the addresses, widths and memories of the stores and reloads.
std::vector<Mutation> addressMutations();

/// Damage to the original code and its control flow.
std::vector<Mutation> originalCodeMutations();

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONS_H
