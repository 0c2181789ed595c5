//===- SassFuzzTest.cpp - damaged machine code ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the text, reading it ends with a sound kernel or with one line.
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace regdem;

namespace {

/// Reads Text and checks what came of it; whether it is a kernel.
bool check(StringRef Text) {
  Expected<SassKernel> K = parseSass(Text, "branches");
  if (!K) {
    std::string Why = toString(K.takeError());
    EXPECT_FALSE(Why.empty());
    EXPECT_EQ(StringRef(Why).count('\n'), 0u) << Why;
    return false;
  }
  EXPECT_FALSE(K->Functions.empty());
  for (const SassFunction &F : K->Functions)
    EXPECT_LT(F.Entry, K->Blocks.size());
  for (const SassBlock &B : K->Blocks) {
    EXPECT_FALSE(B.Instructions.empty());
    EXPECT_TRUE(std::isfinite(B.Frequency));
    EXPECT_GE(B.Frequency, 0);
    EXPECT_LE(B.Frequency, 1e15);
    EXPECT_LT(B.Function, K->Functions.size());
    EXPECT_EQ(B.LoopDepth, B.Loop ? K->Loops[*B.Loop].Depth : 0);
    for (unsigned S : B.Successors) {
      EXPECT_LT(S, K->Blocks.size());
      if (S < K->Blocks.size()) {
        EXPECT_EQ(K->Blocks[S].Function, B.Function);
      }
    }
  }
  for (const SassLoop &L : K->Loops)
    EXPECT_GE(L.Trips, 1);
  return true;
}

TEST(SassFuzz, CutAnywhere) {
  std::string Text = recordedSass("branches-sm_90.sass");
  for (size_t Length = 0; Length < Text.size(); Length += 7)
    check(StringRef(Text).take_front(Length));
  EXPECT_TRUE(check(Text));
}

TEST(SassFuzz, ChangedCharacters) {
  std::string Text = recordedSass("branches-sm_90.sass");
  std::mt19937 Random(1);
  unsigned Readable = 0;
  for (unsigned Round = 0; Round != 400; ++Round) {
    std::string Damaged = Text;
    for (unsigned N = 0; N <= Round % 8; ++N) {
      size_t At = Random() % Damaged.size();
      switch (Random() % 3) {
      case 0:
        Damaged[At] = static_cast<char>(Random());
        break;
      case 1:
        Damaged.erase(At, Random() % 9);
        break;
      case 2:
        Damaged.insert(At, Damaged.substr(Random() % Damaged.size(), 9));
        break;
      }
    }
    Readable += check(Damaged);
  }
  EXPECT_GT(Readable, 20u);
  EXPECT_LT(Readable, 400u);
}

/// Lines in another order: labels move, so that any control flow comes about.
TEST(SassFuzz, MovedLabels) {
  std::string Text = recordedSass("branches-sm_90.sass");
  std::mt19937 Random(2);
  unsigned Readable = 0, Loops = 0;
  for (unsigned Round = 0; Round != 300; ++Round) {
    SmallVector<StringRef, 0> Lines;
    StringRef(Text).split(Lines, '\n');
    for (unsigned N = 0; N != 12; ++N) {
      size_t From = Random() % Lines.size();
      if (!Lines[From].starts_with(".L_"))
        continue;
      StringRef Label = Lines[From];
      Lines.erase(Lines.begin() + static_cast<ptrdiff_t>(From));
      // Not between the two halves of an instruction.
      size_t To = Random() % Lines.size();
      while (To != 0 && Lines[To].starts_with(" /* 0x"))
        --To;
      Lines.insert(Lines.begin() + static_cast<ptrdiff_t>(To), Label);
    }
    std::string Moved;
    for (StringRef Line : Lines)
      Moved += (Line + "\n").str();
    bool Read = check(Moved);
    Readable += Read;
    if (Read)
      Loops += static_cast<unsigned>(mustParse(Moved, "branches").Loops.size());
  }
  EXPECT_GT(Readable, 100u);
  EXPECT_GT(Loops, Readable);
}

} // namespace
