//===- FatBinary.h - several programs in one container ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_FATBINARY_H
#define REGDEM_LIB_HOST_FATBINARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
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

/// Bytes, a fat binary, with other payloads for some of its images, by their
/// places; all else stays, compressed images included. An error where its form
/// is not known.
llvm::Expected<std::string>
replaceImages(llvm::StringRef Bytes,
              const std::map<size_t, std::string> &Payloads);

} // namespace regdem

#endif // REGDEM_LIB_HOST_FATBINARY_H
