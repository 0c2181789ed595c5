//===- AddressText.cpp - addresses as nvdisasm prints them ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressText.h"

using namespace llvm;

namespace regdem {

std::pair<StringRef, int64_t> splitAddress(StringRef Operands) {
  StringRef Address = Operands.rsplit('[').second.split(']').first;
  auto [Base, Last] = Address.rsplit('+');
  bool IsNegative = Last.consume_front("-");
  int64_t Offset = 0;
  if (Last.empty() || Last.getAsInteger(0, Offset))
    return {Address, 0};
  return {Base, IsNegative ? -Offset : Offset};
}

std::string wordOf(StringRef Operands, bool IsLocal) {
  StringRef Address = Operands.split('[').second.split(']').first;
  size_t Offset = Address.rfind("0x");
  bool IsInFrame = IsLocal || Address == "R1" || Address.starts_with("R1+");
  std::string Word(1, IsInFrame ? 'L' : 'S');
  if (Offset != StringRef::npos)
    Word += Address.drop_front(Offset);
  return Word;
}

} // namespace regdem
