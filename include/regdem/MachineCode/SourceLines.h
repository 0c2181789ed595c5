//===- SourceLines.h - which lines machine code comes from ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SOURCELINES_H
#define REGDEM_MACHINECODE_SOURCELINES_H

#include "regdem/MachineCode/Sass.h"

namespace regdem {

/// Has K's instructions say which lines of the source they come from, as the
/// line table of Cubin says, an ELF image whose only code is K's. False where
/// it has none, or not one that is about all of the code.
bool readSourceLines(llvm::StringRef Cubin, SassKernel &K);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SOURCELINES_H
