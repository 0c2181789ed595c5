//===- MutationSearch.h - find the place for a mutation ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONSEARCH_H
#define REGDEM_TEST_UNIT_MUTATIONSEARCH_H

#include "MutationSubject.h"

namespace regdem::test {

/// Calls Change(MI) for the Site-th instruction that Wanted(S, MI) holds for;
/// false if there are not that many.
template <typename Predicate, typename Action>
bool at(const Subject &S, llvm::MachineFunction &MF, unsigned Site,
        Predicate Wanted, Action Change) {
  for (llvm::MachineBasicBlock &MBB : MF)
    for (llvm::MachineInstr &MI : MBB)
      if (Wanted(S, MI) && Site-- == 0) {
        Change(MI);
        return true;
      }
  return false;
}

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONSEARCH_H
