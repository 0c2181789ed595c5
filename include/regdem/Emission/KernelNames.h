//===- KernelNames.h - names of kernels as users know them ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts for users have demangled names. Files that tools read back (reports,
// profiles, tables of launches) have the names of the linker.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_KERNELNAMES_H
#define REGDEM_EMISSION_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regdem {

/// Symbol as its source has it: "step(int*)" for "_Z4stepPi"; a build for
/// launches keeps its mark ("step(int*)$regdem1").
std::string shownName(llvm::StringRef Symbol);

/// "1 block", "2 blocks".
std::string counted(unsigned Number, llvm::StringRef Noun);

} // namespace regdem

#endif // REGDEM_EMISSION_KERNELNAMES_H
