//===- InvariantBranchesTest.cpp - branches that leave a loop -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/InvariantBranches.h"

#include "IRText.h"
#include "MachineText.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Transform/ArrayChecker.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <random>

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// A loop of @f. Body goes from block %loop to block %end and computes %r,
/// which is stored, of the arguments %a, %b and %c and of %i, the iteration. It
/// may use %array, as Ahead may, which stands before the loop.
std::string loopOf(const std::string &Body, const std::string &Ahead = "") {
  return "declare void @llvm.lifetime.start.p0(ptr)\n"
         "declare void @llvm.lifetime.end.p0(ptr)\n"
         "declare i32 @effect(i32)\n"
         "@table = internal constant [4 x i32] [i32 3, i32 5, i32 7, i32 9]\n"
         "define void @f(ptr %p, i32 %a, i32 %b, i1 %c) {\n"
         "entry:\n  %array = alloca [4 x i32]\n" +
         Ahead +
         "  br label %loop\n"
         "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %end ]\n" +
         Body +
         "end:\n  %place = getelementptr i32, ptr %p, i32 %i\n"
         "  store i32 %r, ptr %place\n  %next = add i32 %i, 1\n"
         "  %more = icmp slt i32 %next, 5\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n  ret void\n}\n";
}

/// Whether that loop loses branches; it has to do the same afterwards.
bool loses(const std::string &Body, const std::string &Ahead = "") {
  LLVMContext Context;
  auto M = parseModule(loopOf(Body, Ahead), Context);
  Function &F = *M->getFunction("f");
  ValueToValueMapTy Map;
  Function *Before = CloneFunction(&F, Map);
  bool Expected = hasInvariantBranches(F);
  std::unique_ptr<TargetMachine> TM = createNVPTXMachine();
  FunctionAnalyses Analyses(*TM);
  EXPECT_EQ(hoistInvariantBranches(F, Analyses), Expected);
  EXPECT_FALSE(verifyFunction(F, &errs()));
  EXPECT_FALSE(hasInvariantBranches(F));
  EXPECT_EQ(toString(checkArrays(*Before, F, {})), "") << Body;
  // An array that is accessed ahead of the loop has to live there.
  for (const Instruction &I : instructions(F))
    EXPECT_FALSE(Expected && I.isLifetimeStartOrEnd()) << Ahead << Body;
  return Expected;
}

/// A branch by Condition, %d or %c, around what computes %s.
std::string around(const std::string &Condition, const std::string &Slow) {
  return "  br i1 " + Condition + ", label %slow, label %join\nslow:\n" + Slow +
         "  br label %join\n"
         "join:\n  %q = phi i32 [ %a, %loop ], [ %s, %slow ]\n"
         "  %r = add i32 %q, %i\n  br label %end\n";
}

const char *const Product = "  %s = mul i32 %a, %b\n";

TEST(InvariantBranches, LeaveTheLoop) {
  EXPECT_TRUE(loses(around("%c", Product)));
}

TEST(InvariantBranches, TakeWhatTellsTheWay) {
  EXPECT_TRUE(loses("  %x = xor i32 %a, 5\n  %d = icmp slt i32 %x, %b\n" +
                    around("%d", "  %s = mul i32 %x, %b\n")));
}

TEST(InvariantBranches, TakeTablesThatTheyLeadTo) {
  EXPECT_TRUE(
      loses(around("%c", "  %m = and i32 %a, 3\n"
                         "  %t = getelementptr i32, ptr @table, i32 %m\n"
                         "  %s = load i32, ptr %t\n")));
}

TEST(InvariantBranches, TakeLoopsThatTheyLeadTo) {
  EXPECT_TRUE(loses("  br i1 %c, label %slow, label %join\n"
                    "slow:\n  %j = phi i32 [ 0, %loop ], [ %j.next, %slow ]\n"
                    "  %s = phi i32 [ %a, %loop ], [ %s.next, %slow ]\n"
                    "  %s.next = mul i32 %s, %b\n  %j.next = add i32 %j, 1\n"
                    "  %again = icmp slt i32 %j.next, 3\n"
                    "  br i1 %again, label %slow, label %join\n"
                    "join:\n  %q = phi i32 [ %a, %loop ], [ %s.next, %slow ]\n"
                    "  %r = add i32 %q, %i\n  br label %end\n"));
}

TEST(InvariantBranches, TakeArraysOfOneIteration) {
  const char *Access = "  call void @llvm.lifetime.start.p0(ptr %array)\n"
                       "  store i32 %b, ptr %array\n"
                       "  %e = getelementptr i32, ptr %array, i32 1\n"
                       "  store i32 %a, ptr %e\n  %m = and i32 %b, 1\n"
                       "  %t = getelementptr i32, ptr %array, i32 %m\n"
                       "  %s = load i32, ptr %t\n"
                       "  call void @llvm.lifetime.end.p0(ptr %array)\n";
  EXPECT_TRUE(loses(around("%c", Access)));
}

/// Fills %array and reads it to Result, by names that start so.
std::string livesOnce(const std::string &Result) {
  std::string Index = Result + ".index", Place = Result + ".place",
              Read = Result + ".read";
  return "  call void @llvm.lifetime.start.p0(ptr %array)\n"
         "  store <4 x i32> splat (i32 7), ptr %array\n  " +
         Index + " = and i32 %b, 1\n  " + Place +
         " = getelementptr i32, ptr %array, i32 " + Index +
         "\n  store i32 %a, ptr " + Place + "\n  " + Read +
         " = getelementptr i32, ptr %array, i32 %a.index\n  " + Result +
         " = load i32, ptr " + Read +
         "\n  call void @llvm.lifetime.end.p0(ptr %array)\n";
}

// Of an iteration that was peeled: behind its end the array would be dead.
TEST(InvariantBranches, TakeArraysThatHaveLivedBefore) {
  EXPECT_TRUE(loses(around("%c", livesOnce("%s")),
                    "  %a.index = and i32 %a, 3\n" + livesOnce("%first") +
                        "  %far = getelementptr i32, ptr %p, i32 9\n"
                        "  store i32 %first, ptr %far\n"));
}

TEST(InvariantBranches, LeaveArraysOfSeveralIterations) {
  const char *Access = "  store i32 %b, ptr %array\n"
                       "  %s = load i32, ptr %array\n";
  EXPECT_FALSE(loses("  store i32 %i, ptr %array\n" + around("%c", Access)));
  EXPECT_FALSE(loses(around("%c", Access)));
}

TEST(InvariantBranches, StayWhereTheWayDependsOnTheIteration) {
  EXPECT_FALSE(loses("  %d = icmp eq i32 %i, %a\n" + around("%d", Product)));
}

TEST(InvariantBranches, StayWhereTheyComputeOtherValues) {
  EXPECT_FALSE(loses(around("%c", "  %s = mul i32 %a, %i\n")));
}

TEST(InvariantBranches, StayWhereTheyHaveEffectsOrSeeThem) {
  EXPECT_FALSE(loses(around("%c", "  %s = call i32 @effect(i32 %a)\n")));
  EXPECT_FALSE(loses(around("%c", "  %s = load i32, ptr %p\n")));
  EXPECT_FALSE(
      loses(around("%c", "  store i32 %b, ptr %p\n" + std::string(Product))));
}

/// What comes behind a call that may never return might never be done.
TEST(InvariantBranches, StayBehindWhatMayNotReturn) {
  EXPECT_FALSE(
      loses("  %w = call i32 @effect(i32 %i)\n" + around("%c", Product)));
}

TEST(InvariantBranches, StayInWhatIsNotDoneInEachIteration) {
  EXPECT_FALSE(loses("  %d = icmp slt i32 %i, %b\n"
                     "  br i1 %d, label %some, label %join\n"
                     "some:\n  br i1 %c, label %slow, label %both\n"
                     "slow:\n  %s = mul i32 %a, %b\n  br label %both\n"
                     "both:\n  %o = phi i32 [ %a, %some ], [ %s, %slow ]\n"
                     "  br label %join\n"
                     "join:\n  %r = phi i32 [ %i, %loop ], [ %o, %both ]\n"
                     "  br label %end\n"));
}

/// Bodies of random branches, of which some may leave.
class RandomBody {
public:
  explicit RandomBody(unsigned Seed) : Random(Seed) {
    for (unsigned I = 0; I != 6; ++I)
      if (pick(4))
        branch();
      else
        effect();
    Text +=
        "  %r = add i32 " + value() + ", " + value() + "\n  br label %end\n";
  }
  std::string text() const { return Text; }

private:
  std::mt19937 Random;
  std::string Text, Block = "%loop";
  std::vector<std::string> Values = {"%a", "%b", "%a", "%i", "3"};
  unsigned Names = 0;

  unsigned pick(unsigned Of) { return Random() % Of; }
  std::string value() { return Values[pick(Values.size())]; }
  std::string name() { return "%v" + std::to_string(Names++); }

  std::string compute() {
    const char *const Operations[] = {"add", "mul", "xor", "sub", "and"};
    std::string Name = name();
    Text += "  " + Name + " = " + Operations[pick(5)] + " i32 " + value() +
            ", " + value() + "\n";
    return Name;
  }

  /// Memory is written, or read.
  void effect() {
    if (pick(2)) {
      Text += "  store i32 " + value() + ", ptr %p\n";
      return;
    }
    std::string Name = name();
    Text += "  " + Name + " = load i32, ptr %p\n";
    Values.push_back(Name);
  }

  /// A branch to one block or two, which may read what is known before.
  void branch() {
    Values.push_back(compute());
    std::string Condition = "%c";
    if (pick(3)) {
      Condition = name();
      Text += "  " + Condition + " = icmp slt i32 " + value() + ", " + value() +
              "\n";
    }
    std::string N = std::to_string(Names++), From = Block;
    bool HasElse = pick(2);
    Text += "  br i1 " + Condition + ", label %then" + N + ", label %" +
            (HasElse ? "else" : "join") + N + "\nthen" + N + ":\n";
    if (!pick(6))
      Text += "  store i32 " + value() + ", ptr %p\n";
    std::string Then = compute(), Else = value();
    Text += "  br label %join" + N + "\n";
    if (HasElse) {
      From = "%else" + N;
      Text += "else" + N + ":\n";
      Else = compute();
      Text += "  br label %join" + N + "\n";
    }
    Block = "%join" + N;
    std::string Phi = name();
    Text += "join" + N + ":\n  " + Phi + " = phi i32 [ " + Then + ", %then" +
            N + " ], [ " + Else + ", " + From + " ]\n";
    Values.push_back(Phi);
  }
};

TEST(InvariantBranches, RandomBodiesDoTheSame) {
  unsigned Lost = 0;
  for (unsigned Seed = 0; Seed != 1000; ++Seed)
    Lost += loses(RandomBody(Seed).text());
  EXPECT_GT(Lost, 250u);
  EXPECT_LT(Lost, 950u);
}

} // namespace
