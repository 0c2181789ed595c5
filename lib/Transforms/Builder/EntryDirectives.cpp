//===- EntryDirectives.cpp - change a kernel's directives in PTX ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryDirectives.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem {

/// Where the body of PTX's only kernel starts; npos where there is no such
/// kernel.
static size_t findBody(StringRef PTX, size_t &Head) {
  constexpr StringLiteral Entry = ".entry ";
  Head = PTX.find(Entry);
  if (Head == StringRef::npos || PTX.find(Entry, Head + 1) != StringRef::npos)
    return StringRef::npos;
  size_t Body = PTX.find("\n{\n", Head);
  // A declaration ends before any body begins.
  if (Body == StringRef::npos || PTX.slice(Head, Body).contains(';'))
    return StringRef::npos;
  return Body + 1;
}

std::optional<std::string> withEntryDirectives(StringRef PTX, unsigned MaxRegs,
                                               unsigned MinBlocks) {
  size_t Head = 0;
  size_t Body = findBody(PTX, Head);
  if (Body == StringRef::npos)
    return std::nullopt;
  std::string Result = PTX.take_front(Head).str();
  StringRef Lines = PTX.slice(Head, Body);
  while (!Lines.empty()) {
    StringRef Line;
    std::tie(Line, Lines) = Lines.split('\n');
    bool Replaced = (MaxRegs && Line.starts_with(".maxnreg ")) ||
                    (MinBlocks && Line.starts_with(".minnctapersm "));
    if (!Replaced)
      (Result += Line) += '\n';
  }
  if (MaxRegs)
    Result += (".maxnreg " + Twine(MaxRegs) + "\n").str();
  if (MinBlocks)
    Result += (".minnctapersm " + Twine(MinBlocks) + "\n").str();
  return Result + PTX.substr(Body).str();
}

} // namespace regdem
