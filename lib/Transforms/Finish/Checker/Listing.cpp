//===- Listing.cpp - a kernel's code as nvdisasm prints it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Listing.h"

#include "Words.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem::framecheck {

/// The text after an address, up to the semicolon.
static ListedInstruction readInstruction(StringRef Text) {
  ListedInstruction I;
  StringRef Note;
  std::tie(Text, Note) = Text.split(';').first.split("(*\"");
  Text = Text.trim();
  if (Note.consume_front("BRANCH_TARGETS "))
    I.Targets = Note.split('"').first.trim();
  if (Text.consume_front("@")) {
    std::tie(I.Guard, Text) = Text.split(' ');
    Text = Text.ltrim();
  }
  std::tie(I.Opcode, I.Operands) = Text.split(' ');
  I.Operands = I.Operands.trim();
  return I;
}

Expected<Listing> readListing(StringRef Text, StringRef Kernel, size_t Count) {
  Listing Result;
  std::string Start = ("\t.section\t.text." + Kernel + ",").str();
  size_t At = Text.find(Start);
  if (At == StringRef::npos)
    return createStringError("nvdisasm does not show its code");
  Text = Text.drop_front(At).split('\n').second;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.trim();
    if (Line.starts_with(".section\t") || Line.starts_with("//"))
      break;
    if (Line.ends_with(":") && !Line.contains(' '))
      Result.Labels[Line.drop_back()] =
          static_cast<unsigned>(Result.Instructions.size());
    uint64_t Address = 0;
    // An encoding has a blank in front of its digits.
    if (!Line.consume_front("/*") || Line.consumeInteger(16, Address) ||
        !Line.consume_front("*/"))
      continue;
    if (Address != Result.Instructions.size() * WordBytes)
      return createStringError("nvdisasm does not show all of its code");
    Result.Instructions.push_back(readInstruction(Line));
  }
  if (Result.Instructions.size() != Count)
    return createStringError("nvdisasm does not show all of its code");
  return Result;
}

} // namespace regdem::framecheck
