//===- Cubin.h - sections, symbols and attributes of a cubin ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only reader of ELF images of GPU programs. Everything refers to the
// image, which must outlive it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_CUBIN_H
#define REGDEM_MACHINECODE_CUBIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace regdem {

using ELFFile = llvm::object::ELF64LEFile;

struct CubinSection {
  llvm::StringRef Name;
  ELFFile::Elf_Shdr Header;
  llvm::StringRef Bytes; ///< Empty for sections without any in the file.

  /// The type of shared memory in code that is to be linked, as ptxas 13.0
  /// writes it.
  static constexpr unsigned UnlinkedShared = llvm::ELF::SHT_LOPROC + 0xa;

  bool holdsCode() const {
    return Header.sh_flags & llvm::ELF::SHF_EXECINSTR &&
           Header.sh_type == llvm::ELF::SHT_PROGBITS;
  }
  bool holdsRelocations() const {
    return Header.sh_type == llvm::ELF::SHT_REL ||
           Header.sh_type == llvm::ELF::SHT_RELA;
  }
};

struct CubinSymbol {
  llvm::StringRef Name;
  ELFFile::Elf_Sym Entry;

  bool isFunction() const { return Entry.getType() == llvm::ELF::STT_FUNC; }
  bool isKernel() const {
    constexpr uint8_t EntryPoint = 0x10; // STO_CUDA_ENTRY
    return isFunction() && Entry.st_other & EntryPoint;
  }
};

/// Where the address of a symbol is to be written.
struct CubinRelocation {
  uint64_t Offset = 0; ///< In the section that they are for.
  uint32_t Symbol = 0; ///< Index; may be beyond the last one.
};

struct Cubin {
  ELFFile::Elf_Ehdr Header;
  std::vector<CubinSection> Sections;
  std::vector<CubinSymbol> Symbols;
  std::vector<ELFFile::Elf_Phdr> Segments;

  /// An error where Image is no ELF image of 64 bits, or has headers or names
  /// beyond its end.
  static llvm::Expected<Cubin> read(llvm::StringRef Image);

  /// Whether it is a program for a CUDA GPU that can be loaded as it is.
  bool isLinked() const {
    return Header.e_machine == llvm::ELF::EM_CUDA &&
           Header.e_type == llvm::ELF::ET_EXEC;
  }
  /// The section with that name; null if there is none.
  const CubinSection *find(llvm::StringRef Name) const;
  /// The index of the section with that name.
  std::optional<unsigned> indexOf(llvm::StringRef Name) const;
  /// Whether the name of a section starts with Prefix.
  bool hasSection(llvm::StringRef Prefix) const;
  /// The name of section Index, empty for the first one; one that no section
  /// has if there is none.
  llvm::StringRef nameOf(unsigned Index) const;
  /// What is to be applied to section Index.
  std::vector<CubinRelocation> relocationsOf(unsigned Index) const;
  /// 90 for sm_90 and sm_90a.
  unsigned architecture() const;
};

/// Those in S, a section that holds relocations.
std::vector<CubinRelocation> readRelocations(const CubinSection &S);

/// An attribute in a section .nv.info or .nv.info.KERNEL: format (1 byte), kind
/// (1 byte), and for format 4 a size (2 bytes) and so many bytes of value; the
/// others have 2 bytes.
struct CubinAttribute {
  uint8_t Format = 0, Kind = 0;
  llvm::StringRef Value;

  static constexpr uint8_t Sized = 4; ///< A format.
  enum : uint8_t {
    MaxThreads = 0x05,      ///< x, y, z of .maxntid.
    RequiredThreads = 0x10, ///< x, y, z of .reqntid.
    FrameSize = 0x11,       ///< Symbol, bytes of its own frame.
    MinStackSize = 0x12,    ///< Symbol, bytes with all that it calls.
    RegisterCount = 0x2f,   ///< Symbol, registers.
    /// Of each jump by a table its offset in the code, 0, how many places it
    /// goes to, and their offsets.
    JumpTargets = 0x34,
    ApiVersion = 0x37, ///< Release of CUDA, 130 for 13.0.
    /// Of each instruction with something to say of it a 1, if it is spill
    /// code, and its offset in the code.
    Annotations = 0x55
  };
  /// The 32-bit number N of the value; none beyond its end.
  std::optional<uint32_t> word(size_t N) const;
};

/// The attributes in Bytes; an error if it is not a sequence of them.
llvm::Expected<std::vector<CubinAttribute>>
readAttributes(llvm::StringRef Bytes);

} // namespace regdem

#endif // REGDEM_MACHINECODE_CUBIN_H
