//===- FixedRoundingTest.cpp - stock's roundings, written down ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random products and sums of one block, as LLVM generates code for them, with
// and without fixed roundings: the PTX of both is executed.
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

std::string randomBlock(std::mt19937 &Random) {
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  std::string Arguments, Body;
  std::vector<std::string> Values;
  std::set<std::string> Known;
  for (unsigned I = 0; I != NumLeaves; ++I) {
    Values.push_back("%a" + std::to_string(I));
    Arguments += ", float " + Values.back();
  }
  for (unsigned I = 0, E = 3 + Below(9); I != E; ++I) {
    // Mostly what was computed last, so that there are chains.
    auto Any = [&] {
      unsigned N = Values.size();
      return Values[Below(3) ? N - 1 - Below(std::min(N, 4u)) : Below(N)];
    };
    std::string A = Any(), B = Any(), What;
    switch (Below(10)) {
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
    std::string To = "%v" + std::to_string(I);
    Body += To + " = " + What + "\n";
    Values.push_back(To);
  }
  for (unsigned I = 0, E = 1 + Below(3); I != E; ++I) {
    unsigned Back = I ? 1 + Below(std::min<size_t>(Values.size(), 6)) : 1;
    Body += "%p" + std::to_string(I) + " = getelementptr float, ptr %to, i64 " +
            std::to_string(I) + "\nstore float " +
            Values[Values.size() - Back] + ", ptr %p" + std::to_string(I) +
            "\n";
  }
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "define ptx_kernel void @f(ptr %to" +
         Arguments + ") {\n" + Body + "ret void\n}\n";
}

std::string textOf(Module &M) {
  static const std::unique_ptr<TargetMachine> TM = [] {
    auto Made = createNVPTXMachine(CodeGenOptLevel::Aggressive);
    Made->Options.AllowFPOpFusion = FPOpFusion::Fast;
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

/// What PTX stores, in order of the addresses.
std::map<std::string, float> execute(StringRef PTX, ArrayRef<float> Leaves) {
  std::map<std::string, float> Registers, Stored;
  auto Read = [&](StringRef Operand) {
    uint32_t Bits = 0;
    if (Operand.consume_front("0f")) {
      EXPECT_FALSE(Operand.getAsInteger(16, Bits));
      return bit_cast<float>(Bits);
    }
    EXPECT_TRUE(Registers.count(Operand.str())) << Operand.str();
    return Registers[Operand.str()];
  };
  for (StringRef Line : split(PTX, '\n')) {
    Line = Line.trim();
    if (!Line.consume_back(";"))
      continue;
    auto [Name, Rest] = Line.split('\t');
    Name = Name.trim();
    SmallVector<StringRef, 4> Operands;
    SplitString(Rest, Operands, " ,\t");
    auto In = [&](unsigned N) { return Read(Operands[N]); };
    if (Name == "ld.param.b32") {
      unsigned N = 0;
      StringRef From = Operands[1];
      EXPECT_TRUE(From.consume_front("[f_param_") && From.consume_back("]"));
      EXPECT_FALSE(From.getAsInteger(10, N));
      Registers[Operands[0].str()] = Leaves[N - 1];
    } else if (Name == "mov.b32") {
      Registers[Operands[0].str()] = In(1);
    } else if (Name == "mul.f32" || Name == "mul.rn.f32") {
      Registers[Operands[0].str()] = In(1) * In(2);
    } else if (Name == "add.f32" || Name == "add.rn.f32") {
      Registers[Operands[0].str()] = In(1) + In(2);
    } else if (Name == "sub.f32" || Name == "sub.rn.f32") {
      Registers[Operands[0].str()] = In(1) - In(2);
    } else if (Name == "neg.f32") {
      Registers[Operands[0].str()] = -In(1);
    } else if (Name == "fma.rn.f32") {
      Registers[Operands[0].str()] = std::fma(In(1), In(2), In(3));
    } else if (Name.consume_front("st.") && Name.consume_back("b32")) {
      // Several words at once: {%r1, %r2}.
      SmallVector<StringRef, 4> Words;
      SplitString(Rest.split(']').second, Words, " ,\t{}");
      for (unsigned I = 0; I != Words.size(); ++I)
        Stored[Operands[0].str() + "#" + std::to_string(I)] = Read(Words[I]);
    } else if (!Name.starts_with("ld.param.b64") && Name.contains(".f32")) {
      ADD_FAILURE() << Line.str();
    }
  }
  return Stored;
}

TEST(FixedRounding, ComputesWhatStockDoes) {
  std::mt19937 Random(7);
  unsigned Fixed = 0;
  constexpr unsigned Blocks = 400;
  for (unsigned N = 0; N != Blocks && !testing::Test::HasFailure(); ++N) {
    LLVMContext Context;
    std::unique_ptr<Module> M = parseModule(randomBlock(Random), Context);
    ASSERT_TRUE(M);
    Function &F = *M->getFunction("f");
    for (Instruction &I : make_early_inc_range(reverse(F.getEntryBlock())))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
    std::string IR;
    raw_string_ostream(IR) << *M;
    RoundingScope Scope;
    Scope.Blocks.insert(&F.getEntryBlock());
    if (fixRounding(F, Scope) != RoundingFix::Fixed)
      continue;
    ++Fixed;
    std::string Ours = textOf(*M);
    std::string Stock = textOf(*parseModule(IR, Context));
    for (unsigned Inputs = 0; Inputs != 8; ++Inputs) {
      float Leaves[NumLeaves];
      for (float &Leaf : Leaves)
        Leaf = std::uniform_real_distribution<float>(-2, 2)(Random);
      EXPECT_EQ(execute(Stock, Leaves), execute(Ours, Leaves))
          << IR << Stock << Ours;
    }
  }
  EXPECT_GT(Fixed, Blocks / 8);
}

} // namespace
