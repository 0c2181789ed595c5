//===- FatBinary.h - several programs in one container ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_FATBINARY_H
#define REGDEM_MACHINECODE_FATBINARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
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

/// Bytes, a fat binary, with other payloads for some of its images, by their
/// places; all else stays, compressed images included. An error where its form
/// is not known.
llvm::Expected<std::string>
replaceImages(llvm::StringRef Bytes,
              const std::map<size_t, std::string> &Payloads);

/// The fat binaries in Bytes, a section of an object or a program: that of each
/// object that was linked, aligned to 8 bytes.
std::vector<llvm::StringRef> findFatBinaries(llvm::StringRef Bytes);

/// A fat binary of I alone.
std::string fatBinaryOf(const FatImage &I);

/// The image Old, header and contents, with those of New, compressed or not, in
/// exactly as many bytes; none where they do not fit.
std::optional<std::string> inPlaceOf(const FatImage &Old, const FatImage &New);

} // namespace regdem

#endif // REGDEM_MACHINECODE_FATBINARY_H
