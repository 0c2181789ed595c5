//===- MutationsOfOrder.cpp - instructions in wrong places ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderMutations.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace regdem::test {

/// Moves instructions past others: I after J where it was written ahead of it,
/// and the other way round.
template <typename Predicate>
static OrderMutation passing(const char *Name, Predicate MayNotPass) {
  return {Name, [MayNotPass](OrderSubject &S, function_ref<void()> Judge) {
            unsigned Count = static_cast<unsigned>(S.insts().size());
            for (unsigned I = 0; I != Count; ++I)
              for (unsigned J = 0; J != Count; ++J) {
                if (I == J || !MayNotPass(S, I, J))
                  continue;
                std::vector<unsigned> Order(Count);
                std::iota(Order.begin(), Order.end(), 0u);
                auto From = Order.begin() + I, To = Order.begin() + J;
                if (I < J)
                  std::rotate(From, From + 1, To + 1);
                else
                  std::rotate(To, From, From + 1);
                S.arrange(Order);
                Judge();
                S.restore();
              }
          }};
}

/// An instruction of one kind passes one of the other.
static OrderMutation passing(const char *Name, Kind A, Kind B) {
  return passing(Name, [=](const OrderSubject &S, unsigned I, unsigned J) {
    return S.kind(I) == A && S.kind(J) == B;
  });
}

static OrderMutation passingDefinition(const char *Name, bool Physical) {
  return passing(Name, [=](const OrderSubject &S, unsigned I, unsigned J) {
    return S.feeds(std::min(I, J), std::max(I, J), Physical);
  });
}

static bool hasEffect(const OrderSubject &S, unsigned I) {
  return S.kind(I) >= Kind::Store && S.kind(I) != Kind::Terminator;
}

/// Anything that touches memory or has another effect passes a Fixed one.
static OrderMutation passingEffect(const char *Name, Kind Fixed) {
  return passing(Name, [=](const OrderSubject &S, unsigned I, unsigned J) {
    return S.kind(J) == Fixed && (S.kind(I) == Kind::Load || hasEffect(S, I));
  });
}

std::vector<OrderMutation> orderMutations() {
  return {
      passingDefinition("a reader and its definition", /*Physical=*/false),
      passingDefinition("a physical register's", /*Physical=*/true),
      passing("a reader and the next definition",
              [](const OrderSubject &S, unsigned I, unsigned J) {
                return I < J ? S.reads(I, J) : S.reads(J, I);
              }),
      passing("the last definition and another",
              [](const OrderSubject &S, unsigned I, unsigned J) {
                return S.writesLast(std::max(I, J), std::min(I, J));
              }),
      passing("a load past a store", Kind::Load, Kind::Store),
      passing("a store past a load", Kind::Store, Kind::Load),
      passing("a store past a store", Kind::Store, Kind::Store),
      passing("a load past a barrier", Kind::Load, Kind::Barrier),
      passing("a store past a barrier", Kind::Store, Kind::Barrier),
      passing("a vote past a barrier", Kind::Vote, Kind::Barrier),
      passing("a vote past a vote", Kind::Vote, Kind::Vote),
      passing("a volatile load past another", Kind::Volatile, Kind::Volatile),
      passing("an unknown load past another", Kind::Unknown, Kind::Unknown),
      passing("an unknown load past a volatile", Kind::Unknown, Kind::Volatile),
      passing("a load past an unknown load", Kind::Load, Kind::Unknown),
      passing("a clock past a clock", Kind::Clock, Kind::Clock),
      passingEffect("anything past an atomic", Kind::Atomic),
      passingEffect("anything past a volatile load", Kind::Volatile),
      passingEffect("anything past a fence", Kind::Fence),
      passingEffect("anything past a clock", Kind::Clock),
      passingEffect("anything past a call", Kind::Call),
      passingEffect("anything past assembly", Kind::Assembly),
      passing("a read-only load ahead of what may end the thread",
              [](const OrderSubject &S, unsigned I, unsigned J) {
                return J < I && S.kind(I) == Kind::ReadOnly &&
                       is_contained({Kind::Assembly, Kind::Call}, S.kind(J));
              }),
      passing("an instruction behind a terminator",
              [](const OrderSubject &S, unsigned I, unsigned J) {
                return I < J && S.kind(J) == Kind::Terminator;
              }),
      passing("a terminator past another", Kind::Terminator, Kind::Terminator),
  };
}

} // namespace regdem::test
