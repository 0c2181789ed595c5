//===- NeededTool.h - a tool that must be there -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_NEEDEDTOOL_H
#define REGDEM_TOOLCHAIN_NEEDEDTOOL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace regdem {

/// The Tool, Ptxas or Disassembler, that Setting names; the error Missing where
/// there is none.
template <class Tool>
llvm::Expected<Tool> need(llvm::StringRef Setting, const llvm::Twine &Missing) {
  auto Chosen = Tool::choose(Setting);
  if (!Chosen)
    return Chosen.takeError();
  if (!*Chosen)
    return llvm::createStringError(Missing);
  return std::move(**Chosen);
}

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_NEEDEDTOOL_H
