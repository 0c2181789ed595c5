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
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

enum class ImageKind : uint16_t { PTX = 1, ELF = 2 };

/// One of the programs in a fat binary; refers to its bytes.
struct FatImage {
  ImageKind Kind;
  unsigned Arch; ///< 90 for sm_90 and sm_90a.
  bool IsCompressed;
  llvm::StringRef Header; ///< Of the image itself.
  llvm::StringRef Bytes;  ///< What follows it.
};

/// The images of Bytes, a fat binary, in their order; an error where its form
/// is not known.
llvm::Expected<std::vector<FatImage>> splitFatBinary(llvm::StringRef Bytes);

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
