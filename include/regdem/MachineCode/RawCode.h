//===- RawCode.h - what machine code there is in a cubin --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_RAWCODE_H
#define REGDEM_MACHINECODE_RAWCODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regdem {

/// The machine code of a kernel, or of a function with a section of its own.
struct RawCode {
  llvm::StringRef Kernel; ///< Mangled.
  llvm::StringRef Bytes;
  /// Where functions in it start.
  std::map<llvm::StringRef, uint64_t> Functions;
  unsigned Capability = 0; ///< 90: for sm_90, sm_90a and the like.
  /// Where jumps by a table go, by where these jumps are.
  std::map<uint64_t, std::vector<uint64_t>> JumpTargets;
  /// Where instructions are into which a loader writes addresses, and of what
  /// function; empty: of something else.
  std::map<uint64_t, llvm::StringRef> Relocated;
  /// Where spill code is.
  std::set<uint64_t> SpillCode;
};

/// The code of Kernel (mangled) in Cubin, an ELF image; without a name that of
/// its only kernel, and an error where there are several.
llvm::Expected<RawCode> rawCodeOf(llvm::StringRef Cubin,
                                  llvm::StringRef Kernel = "");

/// Bytes of machine code in Cubin, or in its kernel of that name; 0 where it
/// cannot be read.
uint64_t codeBytesOf(llvm::StringRef Cubin, llvm::StringRef Kernel = "");

/// Bytes of shared memory that a linker adds to those of which ptxas tells: of
/// variables outside of functions, as the `__shared__` ones of templates are in
/// code that is to be linked. Of those that the code in Cubin, an ELF image,
/// uses, or the code of Kernel alone.
uint64_t sharedToBeLinked(llvm::StringRef Cubin, llvm::StringRef Kernel = "");

/// What runs of Cubin, an ELF image: the contents of its code, constants and
/// variables, what is relocated in them, and its symbols; no line tables, and
/// not the PTX that -lineinfo puts beside them. Empty where it cannot be read.
std::string loadedPartsOf(llvm::StringRef Cubin);

/// Offsets in constant bank 4 of Cubin, an ELF image, at which the address of
/// a table stands that libdevice reads for arguments of sin, cos and tan beyond
/// 105615 only (`__cudart_i2opi_f`, the bits of 2/pi). Empty where there is
/// none or where Cubin cannot be read.
std::vector<uint64_t> slowPathTables(llvm::StringRef Cubin);

} // namespace regdem

#endif // REGDEM_MACHINECODE_RAWCODE_H
