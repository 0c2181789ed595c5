//===- AddressChainsTest.cpp - addresses from the ones before them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/AddressChains.h"

#include "IRText.h"
#include "ValueChecker.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

class AddressChainsTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  Function &parse(StringRef Body) {
    M = parseAddressCode(Body, Context);
    return *M->getFunction("f");
  }

  /// Chains, and returns the number of changed accesses.
  unsigned chain(Function &F) {
    unsigned Countable = countChainable(F);
    unsigned Changed = chainAddresses(F);
    EXPECT_FALSE(verifyFunction(F, &errs()));
    EXPECT_EQ(Countable != 0, Changed != 0);
    return Changed;
  }

  /// Has somebody else use V at the end of its block, so that it stays.
  static void keep(Value *V) {
    auto *Block = cast<Instruction>(V)->getParent();
    new StoreInst(V,
                  ConstantPointerNull::get(
                      PointerType::get(V->getContext(), /*AddressSpace=*/0)),
                  Block->getTerminator()->getIterator());
  }

  /// The pointers of all loads, in order.
  static std::vector<Value *> addresses(Function &F) {
    std::vector<Value *> List;
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I))
        List.push_back(Load->getPointerOperand());
    return List;
  }

  /// What the address V is added to; null where it is no sum.
  static Value *startOf(Value *V) {
    auto *GEP = dyn_cast<GetElementPtrInst>(V);
    return GEP ? GEP->getPointerOperand() : nullptr;
  }
};

/// Three fields of one site.
constexpr StringLiteral Fields = R"(
%site = getelementptr float, ptr addrspace(1) %p, i64 %x
%f0 = load float, ptr addrspace(1) %site
%wide = sext i32 %n to i64
%a1 = getelementptr float, ptr addrspace(1) %site, i64 %wide
%f1 = load float, ptr addrspace(1) %a1
%twice = shl nsw i64 %wide, 1
%a2 = getelementptr float, ptr addrspace(1) %site, i64 %twice
%f2 = load float, ptr addrspace(1) %a2)";

TEST_F(AddressChainsTest, FieldStartsFromTheFieldBefore) {
  Function &F = parse(Fields);
  EXPECT_EQ(chain(F), 1u); // The second has the first as its start already.
  std::vector<Value *> A = addresses(F);
  EXPECT_EQ(startOf(A[1]), A[0]);
  EXPECT_EQ(startOf(A[2]), A[1]);
}

TEST_F(AddressChainsTest, WhatNobodyReadsIsDeleted) {
  Function &F = parse(Fields);
  chain(F);
  for (Instruction &I : instructions(F)) {
    EXPECT_NE(I.getName(), "a2");
    EXPECT_NE(I.getName(), "twice");
  }
}

TEST_F(AddressChainsTest, ChainedAgainNothingChanges) {
  Function &F = parse(Fields);
  chain(F);
  EXPECT_EQ(countChainable(F), 0u);
}

TEST_F(AddressChainsTest, CountingChangesNothing) {
  Function &F = parse(Fields);
  EXPECT_EQ(countChainable(F), 1u);
  EXPECT_EQ(addresses(F)[2]->getName(), "a2");
}

TEST_F(AddressChainsTest, ConstantsStayWithTheAccess) {
  Function &F = parse(Fields.str() + R"(
%sum = add i64 %twice, 3
%a3 = getelementptr float, ptr addrspace(1) %site, i64 %sum
%f3 = load float, ptr addrspace(1) %a3)");
  EXPECT_EQ(chain(F), 2u);
  std::vector<Value *> A = addresses(F);
  EXPECT_EQ(startOf(A[3]), A[2]);
  auto *GEP = cast<GetElementPtrInst>(A[3]);
  EXPECT_EQ(cast<ConstantInt>(GEP->getOperand(1))->getZExtValue(), 12u);
}

TEST_F(AddressChainsTest, ConstantTooLargeForAnAccessIsLeft) {
  for (StringRef Bytes : {"16777216", "-16777216", "-9223372036854775808"}) {
    Function &F = parse(R"(
%i = getelementptr i8, ptr addrspace(1) %p, i64 %x
%j = getelementptr i8, ptr addrspace(1) %i, i64 %y
%f = load float, ptr addrspace(1) %j
%far = add i64 %y, )" + Bytes.str() +
                        R"(
%k = getelementptr i8, ptr addrspace(1) %i, i64 %far
%g = load float, ptr addrspace(1) %k)");
    EXPECT_EQ(chain(F), 0u) << Bytes.str();
  }
}

TEST_F(AddressChainsTest, BaseAndOneValueAreLeft) {
  // One instruction computes it, and nothing has to stay for it.
  Function &F = parse(R"(
%f = load float, ptr addrspace(1) %p
%i = getelementptr float, ptr addrspace(1) %p, i64 %x
%g = load float, ptr addrspace(1) %i
%twice = shl i64 %x, 1
%j = getelementptr float, ptr addrspace(1) %p, i64 %twice
%h = load float, ptr addrspace(1) %j)");
  EXPECT_EQ(chain(F), 0u);
}

TEST_F(AddressChainsTest, OtherBlocksAndOtherMemoryAreLeft) {
  Function &F = parse(Fields.str() + R"(
br label %next
next:
%a3 = getelementptr float, ptr addrspace(1) %a2, i64 %x
%f3 = load float, ptr addrspace(1) %a3
%t = getelementptr float, ptr addrspace(3) %s, i64 %x
%g0 = load float, ptr addrspace(3) %t
%u = getelementptr float, ptr addrspace(3) %t, i64 %wide
%g1 = load float, ptr addrspace(3) %u
%v = getelementptr float, ptr addrspace(3) %t, i64 %twice
%g2 = load float, ptr addrspace(3) %v)");
  EXPECT_EQ(chain(F), 1u);
}

TEST_F(AddressChainsTest, StoresAreChainedWithLoads) {
  Function &F = parse(Fields.str() + R"(
%thrice = mul i64 %wide, 3
%a3 = getelementptr float, ptr addrspace(1) %site, i64 %thrice
store float %f2, ptr addrspace(1) %a3)");
  EXPECT_EQ(chain(F), 2u);
  auto *Store = cast<StoreInst>(std::prev(F.front().end(), 2));
  EXPECT_EQ(startOf(Store->getPointerOperand()), addresses(F)[2]);
}

TEST_F(AddressChainsTest, OverflowThatIsAllowedKeepsAnAddress) {
  // Without "nsw" the index may be anything for a large %n.
  Function &F = parse(R"(
%site = getelementptr float, ptr addrspace(1) %p, i64 %x
%wide = sext i32 %n to i64
%a1 = getelementptr float, ptr addrspace(1) %site, i64 %wide
%f1 = load float, ptr addrspace(1) %a1
%twice = shl i32 %n, 1
%far = sext i32 %twice to i64
%a2 = getelementptr float, ptr addrspace(1) %site, i64 %far
%f2 = load float, ptr addrspace(1) %a2)");
  EXPECT_EQ(chain(F), 0u);
}

TEST_F(AddressChainsTest, EarlierAccessMayHaveNoAddressWhereTheNextHasOne) {
  // Eight times %n overflows where four times does not, but then the first
  // access has no meaning.
  Function &F = parse(R"(
%site = getelementptr i64, ptr addrspace(1) %p, i64 %x
%n8 = shl nsw i32 %n, 3
%w8 = sext i32 %n8 to i64
%a8 = getelementptr i64, ptr addrspace(1) %site, i64 %w8
%f8 = load i64, ptr addrspace(1) %a8
%n4 = shl nsw i32 %n, 2
%w4 = sext i32 %n4 to i64
%a4 = getelementptr i64, ptr addrspace(1) %site, i64 %w4
%f4 = load i64, ptr addrspace(1) %a4)");
  EXPECT_EQ(chain(F), 1u);
}

/// The text of a random integer expression of Bits bits, with the instructions
/// ahead of it in Body.
class RandomIndices {
public:
  explicit RandomIndices(unsigned Seed) : Random(Seed) {}

  std::string kernel(unsigned Accesses) {
    for (unsigned N = 0; N != Accesses; ++N) {
      std::string Start = below(3) && N ? formatv("%g{0}", below(N)).str()
                          : below(2)    ? "%p"
                                        : "%q";
      std::string Index = below(2) ? extended() : number(64, 3);
      Body += formatv("%g{0} = getelementptr i{1}, ptr addrspace(1) {2}, i64 "
                      "{3}\n%l{0} = load i8, ptr addrspace(1) %g{0}\n",
                      N, 8 << below(3), Start, Index);
    }
    return Body;
  }

private:
  std::mt19937 Random;
  std::string Body;
  unsigned Names = 0;

  unsigned below(unsigned N) { return Random() % N; }

  std::string define(const std::string &Text) {
    std::string Name = "%v" + std::to_string(Names++);
    Body += Name + " = " + Text + "\n";
    return Name;
  }
  std::string extended() {
    const char *By[] = {"sext", "zext", "zext nneg"};
    return define(std::string(By[below(3)]) + " i32 " + number(32, 3) +
                  " to i64");
  }
  std::string number(unsigned Bits, unsigned Depth) {
    const char *Leaves[] = {"%a", "%b", "%n"};
    if (!Depth || !below(4))
      return Bits == 32 ? Leaves[below(3)] : below(2) ? "%x" : "%y";
    if (Bits == 64 && !below(3))
      return extended();
    const char *Flags[] = {"", " nsw", " nuw", " nuw nsw"};
    const char *Sums[] = {"add", "sub"}, *Products[] = {"mul", "shl"};
    bool IsSum = below(2);
    std::string Left = number(Bits, Depth - 1);
    std::string Right =
        IsSum && below(3) ? number(Bits, Depth - 1) : std::to_string(below(9));
    return define(std::string(IsSum ? Sums[below(2)] : Products[below(2)]) +
                  Flags[below(4)] + " i" + std::to_string(Bits) + " " + Left +
                  ", " + Right);
  }
};

TEST_F(AddressChainsTest, RandomAddressesStayWhatTheyAre) {
  unsigned Changed = 0;
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    Function &F = parse(RandomIndices(Seed).kernel(20));
    std::vector<Value *> Old = addresses(F);
    for_each(Old, keep);
    Changed += chain(F);
    ValueChecker Checker(M->getDataLayout());
    Checker.startBlock();
    for (auto [Was, Is] : zip_equal(Old, addresses(F))) {
      Error E = Checker.compare(Was, Is);
      EXPECT_FALSE(E) << Seed;
      consumeError(std::move(E));
    }
  }
  EXPECT_GT(Changed, 300u);
}

TEST_F(AddressChainsTest, CheckerRejectsOtherAddresses) {
  Function &F = parse(R"(
%t = mul nsw i32 %n, 3
%w = sext i32 %t to i64
%g0 = getelementptr i8, ptr addrspace(1) %p, i64 %w
%l0 = load i8, ptr addrspace(1) %g0
%v = sext i32 %n to i64
%u = mul i64 %v, 3
%g1 = getelementptr i8, ptr addrspace(1) %p, i64 %u
%l1 = load i8, ptr addrspace(1) %g1
%o = add i64 %u, 1
%g2 = getelementptr i8, ptr addrspace(1) %p, i64 %o
%l2 = load i8, ptr addrspace(1) %g2
%z = zext i32 %n to i64
%k = mul i64 %z, 3
%g3 = getelementptr i8, ptr addrspace(1) %p, i64 %k
%l3 = load i8, ptr addrspace(1) %g3
%g4 = getelementptr i8, ptr addrspace(1) %q, i64 %u
%l4 = load i8, ptr addrspace(1) %g4
%h = mul i32 %n, 3
%i = sext i32 %h to i64
%g5 = getelementptr i8, ptr addrspace(1) %p, i64 %i
%l5 = load i8, ptr addrspace(1) %g5)");
  std::vector<Value *> A = addresses(F);
  ValueChecker Checker(M->getDataLayout());
  auto AreSame = [&](Value *Old, Value *New) {
    Checker.startBlock();
    Error E = Checker.compare(Old, New);
    bool Same = !E;
    consumeError(std::move(E));
    return Same;
  };
  EXPECT_TRUE(AreSame(A[0], A[1])); // Where the product does not overflow.
  EXPECT_FALSE(AreSame(A[1], A[2]));
  EXPECT_FALSE(AreSame(A[1], A[3]));
  EXPECT_FALSE(AreSame(A[1], A[4]));
  EXPECT_FALSE(AreSame(A[5], A[1]));
}

} // namespace
