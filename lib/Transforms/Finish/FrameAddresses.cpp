//===- FrameAddresses.cpp - what has an address in the frame --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameAddresses.h"

using namespace llvm;

namespace regdem {

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
