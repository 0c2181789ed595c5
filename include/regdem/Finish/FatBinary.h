//===- FatBinary.h - several programs in one container ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_FATBINARY_H
#define REGDEM_FINISH_FATBINARY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace regdem {

/// Bytes, a fat binary, with each cubin in it that Replace has another one for;
/// all else stays, compressed images included. An error where its form is not
/// known, or where Replace returns one.
llvm::Expected<std::string>
replaceCubins(llvm::StringRef Bytes,
              llvm::function_ref<llvm::Expected<std::optional<std::string>>(
                  llvm::StringRef Cubin)>
                  Replace);

} // namespace regdem

#endif // REGDEM_FINISH_FATBINARY_H
