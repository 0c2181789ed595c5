//===- EntryDirectives.h - change a kernel's directives in PTX --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants that differ in a register cap only have the same code, so that
// their PTX can be had from that of another without generating code again.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_ENTRYDIRECTIVES_H
#define REGDEM_LIB_BUILDER_ENTRYDIRECTIVES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regdem {

/// PTX with the directives of its only kernel changed: `.maxnreg MaxRegs` and
/// `.minnctapersm MinBlocks` take the place of such lines that are there; one
/// whose value is 0 is left as it is. None where PTX does not have exactly one
/// kernel with a body, printed as LLVM prints it.
std::optional<std::string>
withEntryDirectives(llvm::StringRef PTX, unsigned MaxRegs, unsigned MinBlocks);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_ENTRYDIRECTIVES_H
