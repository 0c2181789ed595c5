//===- FollowedWindow.h - following generic and uniform addresses -*- C++
//-*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_UNIT_FINISH_FOLLOWEDWINDOW_H
#define REGDEM_UNIT_FINISH_FOLLOWEDWINDOW_H

#include "Finish/Checker/Rewrites.h"
#include "FollowedFrame.h"

namespace window {

using llvm::StringRef;
namespace framecheck = regdem::framecheck;
using framecheck::AccessChange;
using framecheck::CodeChanges;
using framecheck::StackSetUp;
using Kind = framecheck::Rewrite::Kind;

/// The change of Line that a move makes.
inline framecheck::Rewrite changeOf(StringRef Line) {
  auto [Opcode, Operands] = Line.split(' ');
  if (Opcode == "R2UR")
    return {Kind::FromStackPointer};
  if (Opcode == "ULDC" && Line.ends_with("c[0x0][0x20]"))
    return {Kind::WindowLow};
  if (Opcode == "ULDC")
    return {Kind::WindowHigh, 62};
  if (Opcode == "LDC")
    return {Line.ends_with("c[0x0][0x20]") ? Kind::WindowLow
                                           : Kind::WindowHigh};
  unsigned Uniform = 0;
  Operands.substr(Operands.find("UR")).ltrim("UR").consumeInteger(10, Uniform);
  if (Opcode == "LEA" || Opcode == "IMAD")
    return {Opcode == "LEA" ? Kind::Scaled : Kind::Product, Uniform};
  return {Kind::ToGeneral, Uniform};
}

/// What is wrong with a kernel of Lines after the instruction that fetches the
/// stack pointer, its frame being 32 bytes; "" if nothing is. Lines that start
/// with "*" have changed, accesses that start with a number add it now.
inline std::string problem(std::vector<StringRef> Lines,
                           std::optional<unsigned> Window = 62) {
  Lines.insert(Lines.begin(), {"LDC R1, c[0x0][0x28]", "VIADD R1, R1, -0x20"});
  CodeChanges Changes;
  uint64_t Count = 0;
  for (StringRef &Line : Lines) {
    if (Line.ends_with(":"))
      continue;
    if (Line.consume_front("*"))
      Changes.Rewrites[Count] = changeOf(Line);
    AccessChange Change;
    if (!Line.consumeInteger(10, Change.Shift))
      Line = Line.ltrim();
    if (Line.contains("LDL") || Line.contains("STL")) {
      StringRef Base = Line.split('[').second;
      unsigned Register = 0;
      if (Base.consume_front("UR") && !Base.consumeInteger(10, Register))
        Change.Uniform = Register;
      Changes.Accesses[Count] = Change;
    }
    ++Count;
  }
  StackSetUp SetUp;
  SetUp.FrameBytes = 64;
  SetUp.Window = Window;
  return followed(Lines, Changes, SetUp);
}

/// A generic address in the frame, 0x8 from R1, in R2 and R3.
inline std::vector<StringRef> generic(std::vector<StringRef> Lines) {
  Lines.insert(Lines.begin(),
               {"*ULDC UR4, c[0x0][0x20]", "IADD3 R6, P0, R1, UR4, RZ",
                "*ULDC UR4, c[0x0][0x24]", "IADD3 R2, P1, R6, 0x8, RZ",
                "IMAD.X R7, RZ, RZ, UR4, P0",
                "IADD3.X R3, RZ, R7, RZ, P1, !PT"});
  Lines.push_back("EXIT");
  return Lines;
}

} // namespace window

#endif // REGDEM_UNIT_FINISH_FOLLOWEDWINDOW_H
