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
  Registers Seen = Places;
  auto [Predicate, IsNegated] = read(Guard);
  for (const auto &[Place, Holder] : Only)
    if (Holder.first == Predicate && Holder.second != IsNegated)
      Seen.reset(Place);
  return Seen;
}

void FrameAddresses::write(unsigned Place, bool IsAddress, StringRef Guard) {
  Distances.erase(Place);
  auto Holder = Only.find(Place);
  bool IsHeld = Holder != Only.end();
  auto [Predicate, IsNegated] = read(Guard);
  bool IsHolder = IsHeld && Holder->second == std::pair(Predicate, IsNegated);
  if (Guard.empty() || (!IsAddress && IsHolder)) {
    Places.set(Place, IsAddress);
    Only.erase(Place);
  } else if (!IsAddress) {
    // All others keep what they have, which another guard may divide, too.
    if (Places[Place])
      Only[Place] = {Predicate, !IsNegated};
  } else if (!Places[Place]) {
    Places.set(Place);
    Only[Place] = {Predicate, IsNegated};
  } else if (!IsHolder) {
    Only.erase(Place);
  }
}

FrameAddresses FrameAddresses::onlyUnder(StringRef Guard, bool Holds) const {
  FrameAddresses Left = *this;
  auto [Predicate, IsNegated] = read(Guard);
  for (const auto &[Place, Holder] : Only)
    if (Holder.first == Predicate) {
      bool HaveIt = (Holder.second == IsNegated) == Holds;
      Left.write(Place, /*IsAddress=*/HaveIt, "");
      if (HaveIt)
        Left.setDistance(Place, distance(Place));
    }
  return Left;
}

std::optional<int64_t> FrameAddresses::distance(unsigned Place) const {
  auto Found = Distances.find(Place);
  return Found == Distances.end() ? std::nullopt : std::optional(Found->second);
}

void FrameAddresses::setDistance(unsigned Place,
                                 std::optional<int64_t> Distance) {
  if (Distance)
    Distances[Place] = *Distance;
  else
    Distances.erase(Place);
}

void FrameAddresses::forget(SassRegister Predicate) {
  bool IsUniform = Predicate.File == SassFile::UniformPredicate;
  std::string Name = (IsUniform ? "UP" : "P") + std::to_string(Predicate.Index);
  for (auto Holder = Only.begin(); Holder != Only.end();)
    Holder =
        Holder->second.first == Name ? Only.erase(Holder) : std::next(Holder);
}

void FrameAddresses::join(const FrameAddresses &Other) {
  std::map<unsigned, Guard> Both;
  auto Keep = [&](const FrameAddresses &From, const FrameAddresses &Beside) {
    for (const auto &[Place, Holder] : From.Only) {
      auto There = Beside.Only.find(Place);
      bool IsSame = There != Beside.Only.end() && There->second == Holder;
      if (IsSame || !Beside.Places[Place])
        Both[Place] = Holder;
    }
  };
  Keep(*this, Other);
  Keep(Other, *this);
  Only = std::move(Both);
  // Where they differ nothing can be said; the checker refuses what relied on
  // it.
  std::map<unsigned, int64_t> Shared;
  for (const auto *Side :
       std::initializer_list<const FrameAddresses *>{this, &Other})
    for (auto [Place, Distance] : Side->Distances) {
      const FrameAddresses &Beside = Side == this ? Other : *this;
      if (!Beside.Places[Place] || Beside.distance(Place) == Distance)
        Shared[Place] = Distance;
    }
  Distances = std::move(Shared);
  Places |= Other.Places;
}

} // namespace regdem
