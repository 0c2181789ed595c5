//===- KernelIsolationTest.cpp - what the copy of a kernel keeps ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/KernelIsolation.h"

#include "IRText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

constexpr StringLiteral Program = R"(
define ptx_kernel void @kernel(ptr %out, i32 %x) #0 {
entry:
  %a = add i32 %x, 1
  %b = mul i32 %a, %x
  %c = call i32 @helper(i32 %a, i32 %x)
  %small = icmp ult i32 %b, %a
  br i1 %small, label %then, label %end
then:
  store i32 %b, ptr %out, align 4
  br label %end
end:
  store i32 %c, ptr %out, align 4
  ret void
  uselistorder i32 %x, { 1, 2, 0 }
  uselistorder i32 %a, { 2, 0, 1 }
  uselistorder i32 %b, { 1, 0 }
  uselistorder label %end, { 1, 0 }
}
define internal i32 @helper(i32 %x, i32 %y) {
  %s = sub i32 %x, %y
  %t = mul i32 %x, %s
  ret i32 %t
  uselistorder i32 %x, { 1, 0 }
}
define ptx_kernel void @other(i32 %x) {
  %y = call i32 @helper(i32 %x, i32 %x)
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
)";

/// For each value of F the places of its uses, in the order that they have:
/// instruction and operand by number.
std::string usesIn(const Function &F) {
  DenseMap<const User *, unsigned> Numbers;
  for (const Instruction &I : instructions(F))
    Numbers.try_emplace(&I, Numbers.size());
  std::string Text;
  raw_string_ostream OS(Text);
  auto Print = [&](const Value &V) {
    OS << V.getName() << ":";
    for (const Use &U : V.uses())
      OS << " " << Numbers.lookup(U.getUser()) << "." << U.getOperandNo();
    OS << "\n";
  };
  for (const Argument &A : F.args())
    Print(A);
  for (const BasicBlock &B : F)
    Print(B);
  for (const Instruction &I : instructions(F))
    Print(I);
  return Text;
}

class KernelIsolationTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M = parseModule(Program, Context);

  std::unique_ptr<Module> isolate() {
    return isolateKernel(*M->getFunction("kernel"), *M);
  }
};

TEST_F(KernelIsolationTest, OtherKernelsGoAndWhatIsCalledStays) {
  std::unique_ptr<Module> Copy = isolate();
  EXPECT_EQ(Copy->getFunction("other"), nullptr);
  ASSERT_NE(Copy->getFunction("helper"), nullptr);
  EXPECT_FALSE(Copy->getFunction("helper")->isDeclaration());
}

TEST_F(KernelIsolationTest, UsesKeepTheirOrder) {
  std::unique_ptr<Module> Copy = isolate();
  for (StringRef Name : {"kernel", "helper"})
    EXPECT_EQ(usesIn(*Copy->getFunction(Name)), usesIn(*M->getFunction(Name)))
        << Name.str();
}

TEST_F(KernelIsolationTest, TheOrderIsNotTheOneThatCopyingGives) {
  std::string Stated = usesIn(*M->getFunction("kernel"));
  std::string Plain = Program.str();
  for (size_t At; (At = Plain.find("  uselistorder")) != std::string::npos;)
    Plain.erase(At, Plain.find('\n', At) + 1 - At);
  auto Other = parseModule(Plain, Context);
  ASSERT_NE(Other, nullptr);
  EXPECT_NE(usesIn(*Other->getFunction("kernel")), Stated);
}

TEST_F(KernelIsolationTest, ACopyStandsBehindItsFunctionAndHasItsOrderOfUses) {
  Function *Kernel = M->getFunction("kernel");
  Function *Copy = copyBehind(*Kernel);
  EXPECT_EQ(&*std::next(Kernel->getIterator()), Copy);
  EXPECT_EQ(usesIn(*Copy), usesIn(*Kernel));
}

} // namespace
