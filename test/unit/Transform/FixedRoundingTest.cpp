//===- FixedRoundingTest.cpp - stock's roundings, written down ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random products and sums of three blocks, of which random ones are fused: the
// PTX that LLVM generates is executed, and compared with the IR.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/FixedRounding.h"

#include "IRText.h"
#include "MachineText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

constexpr unsigned NumLeaves = 5;

/// Code of three blocks, of which the second is run for some arguments.
class RandomCode {
public:
  explicit RandomCode(std::mt19937 &Random) : Random(Random) {}

  std::string make() {
    std::string Arguments;
    for (unsigned I = 0; I != NumLeaves; ++I) {
      Values.push_back("%a" + std::to_string(I));
      Arguments += ", float " + Values.back();
    }
    std::string Body = operations();
    size_t Common = Values.size();
    Body += "%none = icmp eq i32 %n, 0\n"
            "br i1 %none, label %exit, label %then\n"
            "then:\n";
    Body += operations() + stores() + "br label %exit\nexit:\n";
    std::string There = any();
    Values.resize(Common);
    Body += "%join = phi float [ " + any() + ", %entry ], [ " + There +
            ", %then ]\n";
    Values.push_back("%join");
    Body += operations() + stores();
    return "target triple = \"nvptx64-nvidia-cuda\"\n"
           "define ptx_kernel void @f(ptr %to" +
           Arguments + ", i32 %n) {\nentry:\n" + Body + "ret void\n}\n";
  }

private:
  std::mt19937 &Random;
  std::vector<std::string> Values;
  std::set<std::string> Known;
  unsigned Names = 0, Places = 0;

  unsigned below(unsigned N) { return unsigned(Random() % N); }

  /// Mostly what was computed last, so that there are chains.
  std::string any() {
    unsigned N = Values.size();
    return Values[below(3) ? N - 1 - below(std::min(N, 4u)) : below(N)];
  }

  std::string operations() {
    std::string Body;
    for (unsigned I = 0, E = 1 + below(7); I != E; ++I) {
      std::string A = any(), B = any(), What;
      switch (below(10)) {
      case 0:
        What = "fmul contract float " + A + ", 2.0";
        break;
      case 1:
        What = "fmul contract float " + A + ", 3.0";
        break;
      case 2:
        What = "fneg contract float " + A;
        break;
      case 3:
      case 4:
        What = "fsub contract float " + A + ", " + B;
        break;
      case 5:
      case 6:
        What = "fadd contract float " + std::min(A, B) + ", " + std::max(A, B);
        break;
      default:
        What = "fmul contract float " + std::min(A, B) + ", " + std::max(A, B);
      }
      // LLVM has made one value of equal ones long before.
      if (!Known.insert(What).second)
        continue;
      Values.push_back("%v" + std::to_string(Names++));
      Body += Values.back() + " = " + What + "\n";
    }
    return Body;
  }

  std::string stores() {
    std::string Body;
    for (unsigned I = 0, E = 1 + below(2); I != E; ++I, ++Places) {
      unsigned Back = I ? 1 + below(std::min<size_t>(Values.size(), 6)) : 1;
      std::string Place = std::to_string(Places);
      Body += "%p" + Place + " = getelementptr float, ptr %to, i64 " + Place +
              "\nstore float " + Values[Values.size() - Back] + ", ptr %p" +
              Place + "\n";
    }
    return Body;
  }
};

/// The PTX of M, whose roundings are fixed.
std::string textOf(Module &M) {
  static const std::unique_ptr<TargetMachine> TM = [] {
    auto Made = createNVPTXMachine(CodeGenOptLevel::Aggressive);
    Made->Options.AllowFPOpFusion = FPOpFusion::Standard;
    return Made;
  }();
  M.setDataLayout(TM->createDataLayout());
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  TM->addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile);
  PM.run(M);
  return std::string(Text);
}

/// Executes PTX of such code.
class Execution {
public:
  /// What is stored, by place.
  std::map<std::string, float> run(StringRef PTX, ArrayRef<float> Leaves,
                                   uint32_t N) {
    for (auto [I, Leaf] : enumerate(Leaves))
      Registers["[f_param_" + std::to_string(I + 1) + "]"] =
          bit_cast<uint32_t>(Leaf);
    Registers["[f_param_" + std::to_string(Leaves.size() + 1) + "]"] = N;
    SmallVector<StringRef, 64> Lines;
    PTX.split(Lines, '\n');
    for (size_t At = 0; At != Lines.size(); ++At) {
      StringRef To = step(Lines[At].trim());
      while (!To.empty() && ++At != Lines.size())
        if (Lines[At].starts_with(To) &&
            Lines[At].drop_front(To.size()).starts_with(":"))
          break;
    }
    return Stored;
  }

private:
  std::map<std::string, uint32_t> Registers;
  std::map<std::string, float> Stored;

  uint32_t bits(StringRef Operand) {
    uint32_t Number = 0;
    if (Operand.consume_front("0f")) {
      EXPECT_FALSE(Operand.getAsInteger(16, Number));
      return Number;
    }
    if (!Operand.getAsInteger(10, Number))
      return Number;
    EXPECT_TRUE(Registers.count(Operand.str())) << Operand.str();
    return Registers[Operand.str()];
  }

  /// The label to go on at, if it is not the next instruction.
  StringRef step(StringRef Line) {
    if (!Line.consume_back(";"))
      return "";
    SmallVector<StringRef, 8> Words;
    SplitString(Line, Words, " ,\t{}");
    StringRef Name = Words[0];
    auto In = [&](unsigned N) { return bit_cast<float>(bits(Words[N])); };
    auto Set = [&](float Result) {
      Registers[Words[1].str()] = bit_cast<uint32_t>(Result);
    };
    if (Name.starts_with("@")) // A branch; all are forwards.
      return bits(Name.drop_front()) ? Words[2] : "";
    if (Name == "bra.uni")
      return Words[1];
    if (Name == "ld.param.b32" || Name == "mov.b32")
      Registers[Words[1].str()] = bits(Words[2]);
    else if (Name == "setp.eq.b32")
      Registers[Words[1].str()] = bits(Words[2]) == bits(Words[3]);
    else if (Name == "setp.ne.b32")
      Registers[Words[1].str()] = bits(Words[2]) != bits(Words[3]);
    else if (Name == "mul.rn.f32")
      Set(In(2) * In(3));
    else if (Name == "add.rn.f32")
      Set(In(2) + In(3));
    else if (Name == "sub.rn.f32")
      Set(In(2) - In(3));
    else if (Name == "neg.f32")
      Set(-In(2));
    else if (Name == "fma.rn.f32")
      Set(std::fma(In(2), In(3), In(4)));
    else if (Name.starts_with("st.")) // Perhaps of several words.
      for (unsigned I = 2; I < Words.size(); ++I)
        Stored[(Words[1] + "#" + Twine(I)).str()] = In(I);
    else if (Name.contains("32"))
      ADD_FAILURE() << Line.str();
    return "";
  }
};

/// Executes IR of such code, of which sums are fused as a text says.
class Evaluation {
public:
  Evaluation(Function &F, StringRef Fusings, ArrayRef<float> Leaves, uint32_t N)
      : Fusings(Fusings) {
    for (auto [I, Leaf] : enumerate(Leaves))
      Numbers[F.getArg(I + 1)] = Leaf;
    run(F, N);
  }
  std::vector<float> Stored;

private:
  std::map<const Value *, float> Numbers;
  StringRef Fusings;

  float number(const Value *V) const {
    if (const auto *C = dyn_cast<ConstantFP>(V))
      return C->getValueAPF().convertToFloat();
    return Numbers.at(V);
  }

  /// A sum whose operand N is fused, if that is any.
  float sum(const Instruction &I, char Says) const {
    float First = number(I.getOperand(0)), Second = number(I.getOperand(1));
    bool IsDifference = I.getOpcode() == Instruction::FSub;
    if (Says == '.')
      return IsDifference ? First - Second : First + Second;
    const Value *V = I.getOperand(Says == 's');
    float Sign = IsDifference && Says == 's' ? -1.0f : 1.0f;
    while (cast<Instruction>(V)->getOpcode() == Instruction::FNeg) {
      V = cast<Instruction>(V)->getOperand(0);
      Sign = -Sign;
    }
    const auto *P = cast<Instruction>(V);
    float Other = Says == 'f' ? (IsDifference ? -Second : Second) : First;
    return std::fma(Sign * number(P->getOperand(0)), number(P->getOperand(1)),
                    Other);
  }

  void run(Function &F, uint32_t N) {
    std::map<const Instruction *, char> Says;
    size_t At = 0;
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (I.getOpcode() == Instruction::FAdd ||
            I.getOpcode() == Instruction::FSub)
          Says[&I] = Fusings[At++];
    const BasicBlock *From = nullptr, *Now = &F.getEntryBlock();
    while (Now) {
      const BasicBlock *Next = nullptr;
      for (const Instruction &I : *Now) {
        if (const auto *Phi = dyn_cast<PHINode>(&I))
          Numbers[&I] = number(Phi->getIncomingValueForBlock(From));
        else if (I.getOpcode() == Instruction::FMul)
          Numbers[&I] = number(I.getOperand(0)) * number(I.getOperand(1));
        else if (I.getOpcode() == Instruction::FNeg)
          Numbers[&I] = -number(I.getOperand(0));
        else if (Says.count(&I))
          Numbers[&I] = sum(I, Says[&I]);
        else if (isa<StoreInst>(I))
          Stored.push_back(number(I.getOperand(0)));
        else if (const auto *Branch = dyn_cast<BranchInst>(&I))
          Next = Branch->getSuccessor(Branch->isConditional() && N ? 1 : 0);
      }
      From = Now;
      Now = Next;
    }
  }
};

/// A way in which the sums of M's function, which is numbered, may be fused.
std::string anyFusing(Module &M, std::mt19937 &Random) {
  std::string Says;
  const auto Sums = numberSums(M.getFunction("f")).front();
  for (const NumberedSum &S : Sums) {
    std::string Ways = ".";
    for (unsigned N : {0, 1})
      if (S.Products[N])
        Ways += N ? "ss" : "ff";
    Says += Ways[Random() % Ways.size()];
  }
  return Says;
}

TEST(FixedRounding, ComputesWhatIsStated) {
  std::mt19937 Random(7);
  constexpr unsigned Kernels = 150;
  for (unsigned N = 0; N != Kernels && !testing::Test::HasFailure(); ++N) {
    LLVMContext Context;
    std::unique_ptr<Module> M = parseModule(RandomCode(Random).make(), Context);
    ASSERT_TRUE(M);
    Function &F = *M->getFunction("f");
    for (BasicBlock &Block : reverse(F))
      for (Instruction &I : make_early_inc_range(reverse(Block)))
        if (isInstructionTriviallyDead(&I))
          I.eraseFromParent();
    std::unique_ptr<Module> Source = CloneModule(*M);
    std::string Says = anyFusing(*Source, Random);
    ASSERT_TRUE(fixRoundings(F, (FusingPrefix + Says).str()));
    EXPECT_EQ(findRoundings(&F, /*FusesAll=*/false), Roundings::Fixed);
    std::string PTX = textOf(*M);
    for (unsigned Inputs = 0; Inputs != 8; ++Inputs) {
      std::vector<float> Leaves(NumLeaves);
      for (float &Leaf : Leaves)
        Leaf = std::uniform_real_distribution<float>(-2, 2)(Random);
      std::multiset<float> Expected, Found;
      Evaluation IR(*Source->getFunction("f"), Says, Leaves, Inputs % 4);
      Expected.insert(IR.Stored.begin(), IR.Stored.end());
      for (const auto &[Place, Value] :
           Execution().run(PTX, Leaves, Inputs % 4))
        Found.insert(Value);
      EXPECT_EQ(Expected, Found) << Says << PTX;
    }
  }
}

TEST(FixedRounding, ProductsByTwoAreSumsUnlessTheyAreFused) {
  auto Sums = [](StringRef Body) {
    LLVMContext Context;
    std::unique_ptr<Module> M =
        parseModule(("define void @f(float %a, float %b, float %c, ptr %to) {\n"
                     "%p = fmul contract float %a, %b\n"
                     "%two = fmul contract float %p, 2.0\n" +
                     Body + "ret void\n}\n")
                        .str(),
                    Context);
    return usualFusing(numberSums(M->getFunction("f")).front());
  };
  EXPECT_EQ(Sums("store float %two, ptr %to\n"), "sums:f");
  EXPECT_EQ(Sums("%s = fadd contract float %two, %c\n"
                 "store float %s, ptr %to\n"),
            "sums:f");
  // The other product is fused with the sum, as that alone reads it.
  EXPECT_EQ(Sums("%q = fmul contract float %a, %c\n"
                 "%s = fadd contract float %two, %q\n"
                 "store float %s, ptr %to\n"
                 "store float %two, ptr %to\n"),
            "sums:fs");
}

TEST(FixedRounding, IsOpenWhereProductsMeetSums) {
  auto Find = [](const Twine &Body, bool FusesAll = false) {
    LLVMContext Context;
    std::unique_ptr<Module> M = parseModule(
        ("define float @f(float %a, float %b, float %c) {\n" + Body + "}\n")
            .str(),
        Context);
    return findRoundings(M->getFunction("f"), FusesAll);
  };
  EXPECT_EQ(Find("%p = fmul contract float %a, %b\n"
                 "%s = fadd contract float %p, %c\n"
                 "ret float %s\n"),
            Roundings::Open);
  EXPECT_EQ(Find("%p = fmul float %a, %b\n"
                 "%s = fadd float %p, %c\n"
                 "ret float %s\n"),
            Roundings::Fixed);
  EXPECT_EQ(Find("%s = fadd contract float %a, %c\n"
                 "ret float %s\n"),
            Roundings::Fixed);
  // LLVM adds what is multiplied by two to itself.
  EXPECT_EQ(Find("%p = fmul contract float %a, %b\n"
                 "%s = fmul contract float %p, 2.0\n"
                 "ret float %s\n"),
            Roundings::Open);
  // Assembly computes halves, too, as integers.
  std::string Product = "%p = call i32 asm \"{mul.f16x2 $0,$1,$1;}\", \"=r,r\""
                        "(i32 0)\n",
              Sum = "%s = call i32 asm \"add.ftz.f16x2 $0,$1,$1;\", \"=r,r\""
                    "(i32 0)\n",
              Rounded = "%r = call i32 asm \"add.rn.f16x2 $0,$1,$1;\", "
                        "\"=r,r\"(i32 0)\n";
  EXPECT_EQ(Find(Product + Sum + "ret float %a\n"), Roundings::Open);
  EXPECT_EQ(Find(Product + Rounded + "ret float %a\n"), Roundings::Fixed);
  EXPECT_EQ(Find("%q = fmul float %a, %b\n" + Sum + "ret float %q\n"),
            Roundings::Open);
  EXPECT_EQ(Find(Sum + "ret float %a\n"), Roundings::Fixed);
  EXPECT_EQ(Find("%s = fadd reassoc float %a, %c\n"
                 "ret float %s\n"),
            Roundings::Reorderable);
  // libdevice has no flags, and clang fuses CUDA's sums all the same.
  EXPECT_EQ(Find("%p = fmul float %a, %b\n"
                 "%s = fadd float %p, %c\n"
                 "ret float %s\n",
                 /*FusesAll=*/true),
            Roundings::Open);
}

// Quotients may be approximate, and remainders come of them.
TEST(FixedRounding, IsInexactWhereTheGPUComputesSomethingElse) {
  auto Find = [](StringRef Body, StringRef Attributes = "") {
    LLVMContext Context;
    std::unique_ptr<Module> M =
        parseModule(("define void @f(float %a, double %d, i32 %i, ptr %to) " +
                     Attributes + " {\n" + Body + "ret void\n}\n")
                        .str(),
                    Context);
    return findRoundings(M->getFunction("f"), /*FusesAll=*/false);
  };
  EXPECT_EQ(Find("%q = fdiv float %a, %a\n"), Roundings::Fixed);
  EXPECT_EQ(Find("%q = fdiv afn float %a, %a\n"), Roundings::Inexact);
  EXPECT_EQ(Find("%s = fadd reassoc float %a, %a\n"
                 "%r = frem float %a, %a\n"),
            Roundings::Inexact);
  EXPECT_EQ(Find("%c = sitofp i32 %i to bfloat\n"), Roundings::Inexact);
  EXPECT_EQ(Find("%c = sitofp i32 %i to float\n"), Roundings::Fixed);
  StringRef Flushes = "\"denormal-fp-math-f32\"=\"preserve-sign\"";
  for (StringRef Flushed :
       {"%n = fneg float %a\n", "%t = fptrunc double %d to float\n",
        "%c = fcmp olt float %a, 0.0\n",
        "%m = call float @llvm.minnum.f32(float %a, float %a)\n"}) {
    EXPECT_EQ(Find(Flushed), Roundings::Fixed) << Flushed.str();
    EXPECT_EQ(Find(Flushed, Flushes), Roundings::Inexact) << Flushed.str();
  }
  for (StringRef Kept :
       {"%s = fadd double %d, %d\n", "store float %a, ptr %to\n",
        "%b = bitcast float %a to i32\n", "%c = sitofp i32 %i to float\n"})
    EXPECT_EQ(Find(Kept, Flushes), Roundings::Fixed) << Kept.str();
}

} // namespace
