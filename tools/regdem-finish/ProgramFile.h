//===- ProgramFile.h - a file with GPU programs -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cubin is one program. A fat binary, an object, an executable, a shared
// library, and an archive of these hold several; each has its place there,
// which does not grow: what is larger than before goes there compressed.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_PROGRAMFILE_H
#define REGDEM_TOOLS_PROGRAMFILE_H

#include "regdem/MachineCode/FatBinary.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace regdem {

class ProgramFile {
public:
  /// An error where the file cannot be read or is none of these.
  static llvm::Expected<ProgramFile> read(llvm::StringRef Path);

  /// Whether it is one program and nothing else.
  bool isCubin() const { return Images.empty(); }
  /// How many programs it holds as machine code.
  size_t size() const { return isCubin() ? 1 : Images.size(); }
  /// One of them; an error where it is compressed and no tool is there.
  llvm::Expected<std::string> cubin(size_t I) const;
  /// Puts Cubin into the place of program I; an error, and nothing done, where
  /// there is no room.
  llvm::Error replace(size_t I, llvm::StringRef Cubin);
  /// The file as it is now.
  llvm::StringRef bytes() const { return Now; }

private:
  llvm::Error addImages(llvm::MemoryBufferRef File);

  std::unique_ptr<llvm::MemoryBuffer> Original;
  std::string Now;
  std::vector<FatImage> Images; ///< Refer to Original.
};

} // namespace regdem

#endif // REGDEM_TOOLS_PROGRAMFILE_H
