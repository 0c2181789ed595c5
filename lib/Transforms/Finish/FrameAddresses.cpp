//===- FrameAddresses.cpp - what has an address in the frame --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameAddresses.h"

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
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
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

FrameAddresses::Guard FrameAddresses::read(StringRef Text) {
  bool IsNegated = Text.consume_front("!");
  return {Text, IsNegated};
}

Registers FrameAddresses::under(StringRef Guard) const {
  Registers Seen;
  auto [Predicate, IsNegated] = read(Guard);
  for (const auto &[Place, A] : Addresses)
    Seen[Place] = A.Only.first != Predicate || A.Only.second == IsNegated;
  return Seen;
}

void FrameAddresses::write(unsigned Place, bool IsAddress, StringRef Text) {
  Guard Writer = read(Text);
  auto Old = Addresses.find(Place);
  bool IsOld = Old != Addresses.end();
  bool IsHolder = IsOld && Old->second.Only == Writer;
  if (IsAddress)
    Addresses[Place] = {IsOld && !IsHolder ? Guard() : Writer, std::nullopt};
  else if (Text.empty() || IsHolder)
    Addresses.erase(Place);
  else if (IsOld) // All others keep it, which another guard may divide, too.
    Old->second = {{Writer.first, !Writer.second}, std::nullopt};
}

FrameAddresses FrameAddresses::onlyUnder(StringRef Guard, bool Holds) const {
  FrameAddresses Left = *this;
  auto [Predicate, IsNegated] = read(Guard);
  for (const auto &[Place, A] : Addresses) {
    if (A.Only.first != Predicate)
      continue;
    if ((A.Only.second == IsNegated) == Holds)
      Left.Addresses[Place].Only = {};
    else
      Left.Addresses.erase(Place);
  }
  return Left;
}

std::optional<int64_t> FrameAddresses::distance(unsigned Place) const {
  auto Found = Addresses.find(Place);
  return Found == Addresses.end() ? std::nullopt : Found->second.Distance;
}

void FrameAddresses::setDistance(unsigned Place,
                                 std::optional<int64_t> Distance) {
  if (auto Found = Addresses.find(Place); Found != Addresses.end())
    Found->second.Distance = Distance;
}

void FrameAddresses::forget(SassRegister Predicate) {
  bool IsUniform = Predicate.File == SassFile::UniformPredicate;
  std::string Name = (IsUniform ? "UP" : "P") + std::to_string(Predicate.Index);
  for (auto &[Place, A] : Addresses)
    if (A.Only.first == Name)
      A.Only = {};
}

/// Where they differ nothing can be said; the checker refuses what relied on
/// it.
void FrameAddresses::join(const FrameAddresses &Other) {
  for (const auto &[Place, There] : Other.Addresses) {
    Address &Here = Addresses.try_emplace(Place, There).first->second;
    if (Here.Only != There.Only)
      Here.Only = {};
    if (Here.Distance != There.Distance)
      Here.Distance = std::nullopt;
  }
}

} // namespace regdem
