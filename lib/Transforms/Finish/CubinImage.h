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

#include "regdem/MachineCode/Cubin.h"
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
  CubinImage(CubinImage &&) = default;

  /// Reads an executable cubin (ET_EXEC). One that is to be linked yet, unless
  /// MayBeUnlinked, or that is no cubin of 64 bits, is an error of one line.
  static llvm::Expected<CubinImage> read(llvm::StringRef Bytes,
                                         bool MayBeUnlinked = false);

  const std::vector<CubinKernel> &kernels() const { return Kernels; }
  llvm::StringRef bytes() const { return Bytes; }
  /// What the image says as it is now; until the next edit.
  const Cubin &cubin() const { return Now; }
  /// "sm_90", for sm_90a too.
  std::string architecture() const {
    return "sm_" + std::to_string(Now.architecture());
  }
  /// The code of K.
  llvm::StringRef code(const CubinKernel &K) const {
    return Now.Sections[K.Text].Bytes;
  }
  /// Bytes of K's section of shared memory; 0 where there is none.
  uint64_t sharedSize(const CubinKernel &K) const {
    return K.Shared ? Now.Sections[*K.Shared].Header.sh_size : 0;
  }

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
  llvm::Error collect(bool MayBeUnlinked);
  llvm::Expected<CubinKernel> collectKernel(unsigned Symbol) const;

  ELFT::Ehdr &header() { return *reinterpret_cast<ELFT::Ehdr *>(Bytes.data()); }
  ELFT::Shdr *sections() {
    return reinterpret_cast<ELFT::Shdr *>(Bytes.data() + header().e_shoff);
  }
  llvm::MutableArrayRef<ELFT::Phdr> segments() {
    return {reinterpret_cast<ELFT::Phdr *>(Bytes.data() + header().e_phoff),
            header().e_phnum};
  }
  /// After an edit.
  void refresh() { Now = cantFail(Cubin::read(Bytes)); }
  void insert(uint64_t Offset, uint64_t Count);

  std::string Bytes; ///< On the heap: Now refers to it after a move, too.
  Cubin Now;
  std::vector<CubinKernel> Kernels;
};

} // namespace regdem

#endif // REGDEM_LIB_FINISH_CUBINIMAGE_H
