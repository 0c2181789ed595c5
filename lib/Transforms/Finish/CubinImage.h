//===- CubinImage.h - the ELF image of a GPU program ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a cubin says of its kernels, and the few edits that moving a frame
// takes. Edits insert bytes and never move one kernel's bytes relative to each
// other, so that offsets within sections hold.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CUBINIMAGE_H
#define REGDEM_LIB_FINISH_CUBINIMAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The most threads of a block, as the kernel's directives state it.
struct BlockLimit {
  unsigned Dimensions[3] = {1, 1, 1};
  /// Each dimension is Dimensions' (.reqntid); else only the product is bounded
  /// (.maxntid).
  bool Exact = false;
  unsigned threads() const {
    return Dimensions[0] * Dimensions[1] * Dimensions[2];
  }
};

/// A kernel and where it stands in the image.
struct CubinKernel {
  std::string Name;
  unsigned Symbol = 0;            ///< Index in the symbol table.
  unsigned Text = 0;              ///< Index of its code's section.
  std::optional<unsigned> Shared; ///< Index of .nv.shared.NAME.
  std::optional<BlockLimit> Limit;
  unsigned FrameBytes = 0; ///< Local memory of a thread, callees' too.
  unsigned Registers = 0;  ///< Per thread.
  unsigned Release = 0;    ///< Of CUDA: 130 for 13.0.
};

class CubinImage {
public:
  /// Reads an executable cubin (ET_EXEC). One that is to be linked yet, or that
  /// is no cubin of 64 bits, is an error of one line.
  static llvm::Expected<CubinImage> read(llvm::StringRef Bytes);

  const std::vector<CubinKernel> &kernels() const { return Kernels; }
  llvm::StringRef bytes() const { return Bytes; }
  /// "sm_90", "sm_90a"; empty: unknown.
  std::string architecture() const;
  bool hasSection(llvm::StringRef Prefix) const;
  llvm::StringRef contents(unsigned Section) const;
  /// Bytes of section Section, as its header says; it may hold none (NOBITS).
  uint64_t size(unsigned Section) const;
  /// Of section Section, as its header says.
  uint64_t alignment(unsigned Section) const;
  /// Whether relocations are to be applied to section Section.
  bool isRelocated(unsigned Section) const;

  /// Replaces the code of K; Code may be longer by a multiple of 128 bytes.
  void setCode(const CubinKernel &K, llvm::StringRef Code);
  /// Gives K's section of shared memory Size bytes, and makes it where there is
  /// none.
  void setSharedSize(const CubinKernel &K, uint64_t Size);
  /// Tells the driver that K needs no local memory.
  void clearFrame(const CubinKernel &K);

private:
  using ELFT = llvm::object::ELF64LE;
  explicit CubinImage(llvm::StringRef Bytes) : Bytes(Bytes.str()) {}
  llvm::Error collect();
  llvm::Error collectKernel(unsigned Symbol, const ELFT::Sym &S,
                            llvm::StringRef Name);
  void readProperties(llvm::StringRef Info, CubinKernel &K) const;

  ELFT::Ehdr &header();
  const ELFT::Ehdr &header() const;
  ELFT::Shdr *sections();
  const ELFT::Shdr *sections() const;
  ELFT::Sym *symbols();
  std::optional<unsigned> findSection(llvm::StringRef Name) const;
  llvm::StringRef nameOf(unsigned Section) const;
  void insert(uint64_t Offset, uint64_t Count);
  void grow(unsigned Section, uint64_t Count);

  std::string Bytes;
  unsigned SymbolTable = 0; ///< Index of its section.
  std::vector<CubinKernel> Kernels;
};

} // namespace regdem

#endif // REGDEM_LIB_FINISH_CUBINIMAGE_H
