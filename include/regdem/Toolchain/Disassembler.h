//===- Disassembler.h - read back what the assembler wrote ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvdisasm is run as the assembler is (Ptxas.h): without a shell, on memory
// files, several at a time.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_DISASSEMBLER_H
#define REGDEM_TOOLCHAIN_DISASSEMBLER_H

#include "regdem/MachineCode/Sass.h"
#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace regdem {

class Disassembler {
public:
  /// The disassembler that a setting of -regdem-disassembler names, by the
  /// rules of Ptxas::choose(). Where there is none, what needs a run is an
  /// error.
  static llvm::Expected<Disassembler> choose(llvm::StringRef Setting);

  /// The kernel Name (mangled; empty: the only one) of Cubin, an ELF image as
  /// PtxasFigures::Cubin holds it, with the lines of the source that its line
  /// table shows if Lines are asked for. One that nvdisasm rejects, that takes
  /// longer than Limits allow or that cannot be read is an error. Usual code is
  /// read without a run (decodeListing()): one takes a third of a second on,
  /// whatever the kernel's size, most of it before nvdisasm looks at the code.
  llvm::Expected<SassKernel> read(llvm::StringRef Cubin, llvm::StringRef Name,
                                  const ToolLimits &Limits, bool Lines) const;

  /// The kernel Name of each of Cubins, without lines, in their order. After an
  /// error no other run is begun. Equal cubins are read once.
  llvm::Expected<std::vector<SassKernel>>
  disassemble(llvm::ArrayRef<llvm::StringRef> Cubins, llvm::StringRef Name,
              const ToolLimits &Limits) const;

  /// What `nvdisasm -c -hex` prints of Cubin, with `-g` if Lines of the source
  /// are asked for.
  llvm::Expected<std::string> list(llvm::StringRef Cubin,
                                   const ToolLimits &Limits,
                                   bool Lines = false) const;

  /// Empty: there is none.
  llvm::StringRef path() const { return Path; }

private:
  explicit Disassembler(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_DISASSEMBLER_H
