//===- NotedLaunches.h - launches that a program was seen to make -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that `regdem-launches ./program` writes:
//
//   {"version":1, "launches":[{"kernel":"_Z4stepPf", "block":[256,1,1],
//     "grid":[1024,1,1], "dynamic_smem":0, "count":20}]}
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H
#define REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace regdem {

/// What all noted launches of a kernel have in common.
struct NotedLaunches {
  unsigned Threads = 0;     ///< Of a block; 0: they differ.
  unsigned MostDynamic = 0; ///< Bytes of dynamic shared memory, at most.
};

/// The launches in Text by kernel (mangled). An error says what is wrong with
/// it.
llvm::Expected<std::map<std::string, NotedLaunches>>
parseNotedLaunches(llvm::StringRef Text);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H
