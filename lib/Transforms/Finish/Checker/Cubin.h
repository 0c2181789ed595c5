//===- Cubin.h - sections, symbols and attributes of a cubin ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checker reads from an ELF image. Everything refers to the image,
// which must outlive it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_CUBIN_H
#define REGDEM_LIB_FINISH_CHECKER_CUBIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace regdem::framecheck {

using ELFFile = llvm::object::ELF64LEFile;

struct Section {
  llvm::StringRef Name;
  ELFFile::Elf_Shdr Header;
  llvm::StringRef Bytes; ///< Empty for sections without any in the file.
};

struct Symbol {
  llvm::StringRef Name;
  ELFFile::Elf_Sym Entry;
};

struct Cubin {
  ELFFile::Elf_Ehdr Header;
  std::vector<Section> Sections;
  std::vector<Symbol> Symbols;
  std::vector<ELFFile::Elf_Phdr> Segments;

  static llvm::Expected<Cubin> read(llvm::StringRef Image);

  /// The section with that name; null if there is none.
  const Section *find(llvm::StringRef Name) const;
  /// The name of section Index, empty for the first one; one that no section
  /// has if there is none.
  llvm::StringRef nameOf(unsigned Index) const;
  /// 90 for sm_90 and sm_90a.
  unsigned architecture() const;
};

/// An attribute in a section .nv.info or .nv.info.KERNEL.
struct Attribute {
  uint8_t Format = 0, Kind = 0;
  llvm::StringRef Value; ///< Two bytes where the format has no size.

  static constexpr uint8_t Sized = 4; ///< A format.
  enum : uint8_t {
    MaxThreads = 0x05,
    RequiredThreads = 0x10,
    FrameSize = 0x11,
    MinStackSize = 0x12,
    RegisterCount = 0x2f
  };
  /// The 32-bit number N of the value; none beyond its end.
  std::optional<uint32_t> word(size_t N) const;
};

/// The attributes in Bytes; an error if it is not a sequence of them.
llvm::Expected<std::vector<Attribute>> readAttributes(llvm::StringRef Bytes);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_CUBIN_H
