//===- OrderMutationTest.cpp - the order's checker finds every mistake ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each mutation is made at every place of many random blocks where it can be
// made; the checker must reject all mutants. Of orders at random it must accept
// those in which whatever conflicts has stayed, and none that a run shows to be
// wrong.
//
//===----------------------------------------------------------------------===//

#include "OrderMutations.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

constexpr unsigned Subjects = 60, OrdersOfEach = 20;

void expectAllFound(const std::vector<OrderMutation> &Mutations) {
  std::vector<unsigned> Made(Mutations.size());
  for (unsigned Seed = 0; Seed != Subjects; ++Seed) {
    OrderSubject S(randomOrderCode(Seed));
    for (size_t M = 0; M != Mutations.size(); ++M)
      Mutations[M].Make(S, [&] {
        ++Made[M];
        if (S.check().empty())
          ADD_FAILURE() << "accepted: " << Mutations[M].Name << "\n"
                        << S.text();
      });
    EXPECT_EQ(S.check(), "") << "a mutation was not taken back";
  }
  for (size_t M = 0; M != Mutations.size(); ++M) {
    EXPECT_GT(Made[M], 0u) << Mutations[M].Name;
    outs() << formatv("{0,-50} {1,5} rejected\n", Mutations[M].Name, Made[M]);
  }
  outs().flush();
}

/// An order at random in which each pair that S says is ordered has stayed.
std::vector<unsigned> legalOrder(const OrderSubject &S, std::mt19937 &Random) {
  unsigned Count = static_cast<unsigned>(S.insts().size());
  std::vector<unsigned> Left(Count), Order;
  std::iota(Left.begin(), Left.end(), 0u);
  while (!Left.empty()) {
    std::vector<unsigned> Ready;
    for (unsigned I : Left)
      if (none_of(Left, [&](unsigned J) { return J < I && S.isOrdered(J, I); }))
        Ready.push_back(I);
    Order.push_back(Ready[Random() % Ready.size()]);
    Left.erase(find(Left, Order.back()));
  }
  return Order;
}

TEST(OrderMutation, InstructionsInWrongPlacesAreFound) {
  expectAllFound(orderMutations());
}

TEST(OrderMutation, OtherInstructionsAreFound) {
  expectAllFound(contentMutations());
}

TEST(OrderProperty, LegalOrdersAreAccepted) {
  unsigned Changed = 0;
  for (unsigned Seed = 0; Seed != Subjects; ++Seed) {
    OrderSubject S(randomOrderCode(Seed));
    std::mt19937 Random(Seed);
    for (unsigned I = 0; I != OrdersOfEach; ++I) {
      std::vector<unsigned> Order = legalOrder(S, Random);
      Changed += !is_sorted(Order);
      S.arrange(Order);
      EXPECT_EQ(S.check(), "") << S.text();
      EXPECT_FALSE(S.isHarmful()) << S.text();
    }
  }
  EXPECT_GT(Changed, Subjects * OrdersOfEach / 2);
}

TEST(OrderProperty, AcceptedOrdersDoNoHarm) {
  unsigned Accepted = 0, Harmful = 0;
  for (unsigned Seed = 0; Seed != Subjects; ++Seed) {
    OrderSubject S(randomOrderCode(Seed));
    std::mt19937 Random(Seed);
    for (unsigned I = 0; I != 3 * OrdersOfEach; ++I) {
      // A few instructions move a few places: most orders at random are wrong.
      std::vector<unsigned> Order(S.insts().size());
      std::iota(Order.begin(), Order.end(), 0u);
      for (unsigned Moves = 1 + Random() % 3; Moves; --Moves) {
        auto From = Order.begin() + Random() % (Order.size() - 3);
        std::rotate(From, From + 1, From + 2 + Random() % 3);
      }
      S.arrange(Order);
      bool IsHarmful = S.isHarmful();
      Harmful += IsHarmful;
      if (!S.check().empty())
        continue;
      Accepted += !is_sorted(Order);
      EXPECT_FALSE(IsHarmful) << S.text();
    }
  }
  EXPECT_GT(Accepted, Subjects);
  EXPECT_GT(Harmful, Subjects);
}

} // namespace
