//===- SpillPrinter.cpp - --print=spills of a module ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "regdem/Emission/SpillTables.h"
#include "regdem/Options.h"

using namespace llvm;

namespace regdem {

Error printSpills(raw_ostream &OS, StringRef PTX, StringRef Arch,
                  ArrayRef<std::string> Kernels) {
  Options O = commandLineOptions();
  auto Assembler =
      need<Ptxas>(O.Ptxas, "--print=spills needs ptxas, and none was found");
  if (!Assembler)
    return Assembler.takeError();
  auto Reader = need<Disassembler>(
      O.Disassembler, "--print=spills needs nvdisasm, and none was found");
  if (!Reader)
    return Reader.takeError();
  return printSpillTables(OS, PTX, Arch, /*Flags=*/{}, *Assembler, *Reader,
                          O.Limits, Kernels);
}

} // namespace regdem
