//===- Constants.h - the numbers that were set by judgement -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of them is Constants.def, which says where each comes from.
// test/lint/constants.py finds numbers that were set anywhere else.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_CONSTANTS_H
#define REGDEM_CONSTANTS_H

#include <cstdint>

namespace regdem {

/// The table's values. What is evaluated with other values takes a Constants;
/// everything else reads `Tuned`.
struct Constants {
#define CONSTANT(Type, Name, Value, Unit, Kind, Range, Evidence)               \
  Type Name = Value;
#include "regdem/Constants.def"
};

inline constexpr Constants Tuned;

/// Whether Now is less than Before by Percent of it, or more.
constexpr bool isLessBy(unsigned Percent, uint64_t Now, uint64_t Before) {
  return Now * 100 <= Before * (100 - Percent);
}

} // namespace regdem

#endif // REGDEM_CONSTANTS_H
