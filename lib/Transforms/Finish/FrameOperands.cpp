//===- FrameOperands.cpp - what an instruction names ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameOperands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem {

std::optional<unsigned> placeOf(SassRegister R) {
  if (R.File == SassFile::General)
    return R.Index;
  if (R.File == SassFile::Uniform && R.Index < 63)
    return FirstUniform + R.Index;
  return std::nullopt;
}

SmallVector<StringRef, 6> operandsOf(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands;
  unsigned Depth = 0, Start = 0;
  StringRef Text = I.Operands;
  for (unsigned At = 0; At <= Text.size(); ++At) {
    if (At == Text.size() || (Text[At] == ',' && !Depth)) {
      Operands.push_back(Text.slice(Start, At).trim());
      Start = At + 1;
    } else if (Text[At] == '[') {
      ++Depth;
    } else if (Text[At] == ']' && Depth) {
      --Depth;
    }
  }
  erase_if(Operands, [](StringRef O) {
    O.consume_front("!");
    return O == "PT" || O == "UPT";
  });
  return Operands;
}

std::optional<unsigned> plainRegister(StringRef Operand) {
  Operand = Operand.split('.').first;
  bool IsUniform = Operand.consume_front("U");
  unsigned Index = 0;
  if (!Operand.consume_front("R") || Operand.getAsInteger(10, Index))
    return std::nullopt;
  return Index + (IsUniform ? FirstUniform : 0);
}

bool isAddress(const Registers &Addresses, StringRef Operand) {
  auto R = plainRegister(Operand);
  return R && Addresses[*R];
}

bool mentions(const Registers &Addresses, StringRef Operand) {
  for (size_t At = Operand.find('R'); At != StringRef::npos;
       At = Operand.find('R', At + 1)) {
    unsigned Index = 0;
    StringRef Digits = Operand.substr(At + 1).take_while(isDigit);
    size_t Start = At && Operand[At - 1] == 'U' ? At - 1 : At;
    bool IsName = Start == 0 || !isAlnum(Operand[Start - 1]);
    if (!IsName || Digits.getAsInteger(10, Index) || Index >= 255)
      continue;
    if (Start == At ? Addresses[Index]
                    : Index < 63 && Addresses[FirstUniform + Index])
      return true;
  }
  return false;
}

} // namespace regdem
