//===- RawCode.h - several kernels in one listing ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of nvdisasm takes a third of a second, whatever it is given, and takes
// one file. It does take plain machine code, though (`--binary`), so that the
// code of several cubins can be put one behind the other. What is lost are
// symbols; code that needs them is not for this.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_RAWCODE_H
#define REGDEM_MACHINECODE_RAWCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The machine code of a kernel that stands alone.
struct RawCode {
  llvm::StringRef Kernel; ///< Mangled.
  llvm::StringRef Bytes;
  /// Names of functions in it, by where they start; of several the first by the
  /// alphabet.
  std::map<uint64_t, llvm::StringRef> Functions;
};

/// The code in Cubin, an ELF image; none where that has several sections of
/// code or where a linker or loader is to write into the code.
std::optional<RawCode> rawCodeOf(llvm::StringRef Cubin);

/// Bytes of machine code in Cubin; 0 where it cannot be read.
uint64_t codeBytesOf(llvm::StringRef Cubin);

/// What `nvdisasm -hex` prints of plain machine code, that of Codes one behind
/// the other, as one text for each as `nvdisasm -c -hex` prints them: an empty
/// one for code that branches or calls through a register, for which symbols
/// are needed. None where Listing is not that.
std::optional<std::vector<std::string>>
splitRawListing(llvm::StringRef Listing, llvm::ArrayRef<RawCode> Codes);

} // namespace regdem

#endif // REGDEM_MACHINECODE_RAWCODE_H
