//===- SassDefinitions.h - what writes a register last ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SASSDEFINITIONS_H
#define REGDEM_MACHINECODE_SASSDEFINITIONS_H

#include "regdem/MachineCode/Sass.h"
#include <vector>

namespace regdem {

/// Finds what may have written a register last, on all ways to a place.
class SassDefinitions {
public:
  explicit SassDefinitions(const SassKernel &K);

  /// Before instruction At of Block; R may hold what another one wrote where a
  /// write is predicated.
  std::vector<const SassInstruction *> find(unsigned Block, size_t At,
                                            SassRegister R) const;

private:
  const SassKernel &K;
  std::vector<std::vector<unsigned>> Predecessors;
};

} // namespace regdem

#endif // REGDEM_MACHINECODE_SASSDEFINITIONS_H
