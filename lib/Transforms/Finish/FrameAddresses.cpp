//===- FrameAddresses.cpp - what has an address in the frame --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameAddresses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

std::optional<unsigned> placeOf(SassRegister R) {
  if (R.isPredicate() || R.isConstant())
    return std::nullopt;
  if (R.isGeneral())
    return R.Index;
  return R.Index < FirstWord - FirstUniform
             ? std::optional(FirstUniform + R.Index)
             : std::nullopt;
}

std::optional<unsigned> plainRegister(const SassOperand &Operand) {
  return Operand.isPlain() ? placeOf(Operand.Register) : std::nullopt;
}

bool has(const Registers &Addresses, SassRegister R) {
  auto Place = placeOf(R);
  return Place && Addresses[*Place];
}

bool isAddress(const Registers &Addresses, const SassOperand &Operand) {
  return Operand.isPlain() && has(Addresses, Operand.Register);
}

bool mentions(const Registers &Addresses, const SassOperand &Operand) {
  return any_of(Operand.registers(),
                [&](SassRegister R) { return has(Addresses, R); });
}

Registers FrameAddresses::under(SassCondition Guard) const {
  Registers Seen;
  for (const auto &[Place, A] : Addresses)
    Seen[Place] = A.Only != Guard.opposite();
  return Seen;
}

void FrameAddresses::write(unsigned Place, bool IsAddress,
                           SassCondition Guard) {
  auto Old = Addresses.find(Place);
  bool IsOld = Old != Addresses.end();
  bool IsHolder = IsOld && Old->second.Only == Guard;
  if (IsAddress)
    Addresses[Place] = {IsOld && !IsHolder ? SassCondition() : Guard,
                        std::nullopt};
  else if (Guard.isAlways() || IsHolder)
    Addresses.erase(Place);
  else if (IsOld) // All others keep it, which another guard may divide, too.
    Old->second = {Guard.opposite(), std::nullopt};
}

FrameAddresses FrameAddresses::onlyUnder(SassCondition Guard) const {
  FrameAddresses Left = *this;
  for (const auto &[Place, A] : Addresses) {
    if (A.Only == Guard)
      Left.Addresses[Place].Only = {};
    else if (A.Only == Guard.opposite())
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
  for (auto &[Place, A] : Addresses)
    if (A.Only.Predicate == Predicate)
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
