//===- CheckedPrograms.h - what the checker has accepted --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_CHECKEDPROGRAMS_H
#define REGDEM_FINISH_CHECKEDPROGRAMS_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

/// The programs that the frame checker has accepted, in earlier compilations,
/// too. Text: all that it goes by, the bytes of both programs among it.
class CheckedPrograms {
public:
  virtual ~CheckedPrograms() = default;
  virtual bool has(llvm::StringRef Text) const = 0;
  virtual void add(llvm::StringRef Text) = 0;
};

} // namespace regdem

#endif // REGDEM_FINISH_CHECKEDPROGRAMS_H
