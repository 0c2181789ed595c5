//===- PtxDemoterTest.cpp - demotion in PTX, and its checker --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/PtxDemoter.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "regdem/Transform/Checker/PtxDemotionChecker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A value of each width that waits over a loop, and one that is demoted on the
/// way into another.
constexpr StringLiteral Waiting = R"(
.version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
.maxntid 64
{
  .reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [k_param_0];
  ld.global.b32 %r1, [%rd1];
  ld.global.b64 %rd2, [%rd1+8];
  ld.global.b16 %rs1, [%rd1+16];
  ld.global.b32 %r2, [%rd1+20];
  ld.global.b32 %r3, [%rd1+24];
  mov.u32 %r9, %tid.x;
  setp.eq.s32 %p3, %r3, 0;
  @%p3 bra $L3;
$L1:
  mul.lo.s32 %r4, %r3, %r2;
  xor.b32 %r5, %r4, %r2;
  add.s32 %r6, %r5, %r4;
  shl.b32 %r7, %r6, %r5;
  sub.s32 %r8, %r7, %r4;
  add.s32 %r3, %r8, %r5;
  setp.lt.s32 %p1, %r3, 100;
  @%p1 bra $L1;
$L3:
  add.s32 %r10, %r3, %r1;
  cvt.u32.u16 %r11, %rs1;
  add.s32 %r12, %r10, %r11;
  st.global.b32 [%rd1], %r12;
  st.global.b64 [%rd1+8], %rd2;
  st.global.b32 [%rd1+16], %r9;
  ret;
}
)";

/// The text with a plan for Target words, and whether the checker takes it.
std::string demoted(StringRef Text, unsigned Target, Strategy How) {
  PtxFile File(Text);
  const PtxFunction &Kernel = *File.find("k");
  PtxGraph G = cantFail(readPtxGraph(File.bodyOf(Kernel)));
  DemotionPlan Plan = planDemotion(G.Graph, {Target, 40, How});
  EXPECT_FALSE(Plan.empty());
  SlotLayout Layout = layOutSlots(Plan, G.Graph, 64, /*AtEnd=*/false);
  PtxChange Change;
  Change.Body =
      demoteInPtx(File, Kernel, G, Plan, Layout, Layout.bytes(), {0, 0, 0});
  return File.changed({{"k", Change}});
}

std::string checked(StringRef Original, StringRef Demoted) {
  return toString(checkPtxDemotion(PtxFile(Original), PtxFile(Demoted), "k"));
}

TEST(PtxDemoter, PlansAreCarriedOut) {
  for (Strategy How : {Strategy::Belady, Strategy::Resident})
    for (unsigned Target : {5, 6, 7}) {
      std::string Text = demoted(Waiting, Target, How);
      EXPECT_EQ(checked(Waiting, Text), "") << Text;
    }
}

TEST(PtxDemoter, ValuesOfAllWidthsGoToSlots) {
  std::string Text = demoted(Waiting, 6, Strategy::Belady);
  for (StringRef Line :
       {".shared .align 8 .b8 __regdem_slots[", "st.shared.b32 [%regdemw0+",
        "mov.b64 {%regdem1, %regdem2}, %rd2;", "st.shared.b16 [%regdemw0+",
        "ld.shared.b16 %rs1, [%regdemw0+", "mov.u32 %r9, %tid.x;"})
    EXPECT_TRUE(StringRef(Text).contains(Line)) << Line.str() << "\n" << Text;
}

/// Lines of Text, of which those that have one of Marks are told by their
/// numbers.
std::vector<size_t> linesWith(ArrayRef<StringRef> Lines,
                              ArrayRef<StringRef> Marks) {
  std::vector<size_t> Found;
  for (auto [I, L] : enumerate(Lines))
    if (any_of(Marks, [&](StringRef Mark) { return L.contains(Mark); }))
      Found.push_back(I);
  return Found;
}

class PtxMutation : public testing::Test {
protected:
  std::string Text = demoted(Waiting, 6, Strategy::Belady);
  SmallVector<StringRef, 0> Lines;

  void SetUp() override { StringRef(Text).split(Lines, "\n"); }

  std::string with(size_t Line, const Twine &New) const {
    std::string Changed;
    for (auto [I, L] : enumerate(Lines))
      Changed += (I == Line ? New.str() : L.str()) + "\n";
    return checked(Waiting, Changed);
  }
};

TEST_F(PtxMutation, StoresAreMissed) {
  auto Stores = linesWith(Lines, {"st.shared"});
  ASSERT_GE(Stores.size(), 3u);
  for (size_t I : Stores)
    EXPECT_NE(with(I, ""), "") << Lines[I].str();
}

TEST_F(PtxMutation, OtherSlotsAreFound) {
  auto Accesses = linesWith(Lines, {"st.shared", "ld.shared"});
  for (size_t I : Accesses) {
    std::string Moved = Lines[I].str();
    size_t At = Moved.find("w0+");
    Moved.insert(At + 3, "256000");
    EXPECT_NE(with(I, Moved), "") << Moved;
    Moved = Lines[I].str();
    Moved.insert(Moved.find(']'), "1");
    EXPECT_NE(with(I, Moved), "") << Moved;
  }
}

TEST_F(PtxMutation, OtherRegistersAreFound) {
  for (size_t I : linesWith(Lines, {"ld.shared.b32 %r", "st.shared.b32 ["})) {
    std::string Other = Lines[I].str();
    for (StringRef Name : {"%regdem1", "%regdem2"})
      if (size_t At = Other.find(Name.str() + ";"); At != std::string::npos)
        Other.replace(At, Name.size(), "%r13");
    if (Other == Lines[I])
      Other =
          std::string(Lines[I].take_until([](char C) { return C == '%'; })) +
          (Lines[I].contains("ld.shared")
               ? "%r13, [" + Lines[I].split('[').second.str()
               : "%regdemw0+0], %r13;");
    EXPECT_NE(with(I, Other), "") << Other;
  }
}

TEST_F(PtxMutation, OriginalLinesAreFound) {
  PtxFile File(Waiting);
  for (size_t I = 0; I != Lines.size(); ++I) {
    StringRef L = Lines[I].trim();
    // What reads the thread's number may be repeated; nothing runs behind the
    // end.
    if (L.contains("regdem") || !Waiting.contains(L) || !L.ends_with(";") ||
        L.starts_with(".") || L.contains("%tid") || L == "ret;")
      continue;
    EXPECT_NE(with(I, ""), "") << L.str();
    EXPECT_NE(with(I, L + " " + L), "") << L.str();
  }
}

TEST_F(PtxMutation, OtherAddressesAreFound) {
  for (size_t I : linesWith(
           Lines, {"regdem0, %tid", "mul.wide", "add.s64", "__regdem_slots["}))
    EXPECT_NE(with(I, ""), "") << Lines[I].str();
  std::string Smaller = Text;
  size_t At = Smaller.find("__regdem_slots[") + 15;
  Smaller.replace(At, Smaller.find(']', At) - At, "256");
  EXPECT_NE(checked(Waiting, Smaller), "");
  std::string Larger = Text; // More threads than the slots are for.
  Larger.replace(Larger.find(".maxntid 64"), 11, ".maxntid 96");
  EXPECT_NE(checked(Waiting, Larger), "");
}

/// For blocks of 64 threads in one row.
constexpr StringLiteral SetUpOfRow = R"(
  .reg .b32 %regdem<3>; .reg .b64 %regdemw<2>;
  .shared .align 8 .b8 __regdem_slots[256];
  mov.u32 %regdem0, %tid.x;
  mul.wide.u32 %regdemw1, %regdem0, 4;
  mov.b64 %regdemw0, __regdem_slots;
  add.s64 %regdemw0, %regdemw0, %regdemw1;
)";

TEST(PtxDemotionChecker, BlanksSayNothing) {
  constexpr StringLiteral Start = ".entry k() .reqntid 64 {",
                          Code = ".reg .b32 %r<3>; mov.u32 %r1,%tid.x; mov.u32 "
                                 "%r2,%ctaid.x; "
                                 "ts: .branchtargets L; brx.idx %r2,ts; L: ",
                          End = "mov.u32 %r0 ,%r1; ret; }";
  EXPECT_EQ(
      checked((Start + Code + End).str(),
              (Start + SetUpOfRow + Code + "mov.u32 %r1,%tid.x; " + End).str()),
      "");
}

/// Each line is looked at by itself: the time is that of one more line.
TEST(PtxDemotionChecker, ManyScopesAndPlacesInTheSourceAreRead) {
  std::string Text = Waiting.str(), Scopes;
  for (unsigned N = 0; N != 2000; ++N)
    Scopes += "  .loc 1 " + utostr(N + 1) +
              " 3\n  { .reg .b32 %t1; "
              "mov.u32 %t1, 7; st.global.b32 [%rd1+32], %t1; }\n";
  Text.insert(Text.find("$L3:\n") + StringRef("$L3:\n").size(), Scopes);
  EXPECT_EQ(checked(Text, demoted(Text, 6, Strategy::Belady)), "");
}

TEST(PtxDemotionChecker, DefinitionsAreSeenHoweverTheyAreWritten) {
  auto Seen = [](StringRef Definition) {
    constexpr StringLiteral Start = ".entry k() .maxntid 64 {",
                            Declared = ".reg.f32 %f<4>; .reg .pred %p<2>; ";
    std::string End = Definition.str() + " ret; }";
    std::string Original = (Start + Declared + End).str();
    size_t At = Original.find(".maxntid 64");
    Original.replace(At, 11, ".reqntid 64");
    std::string Demoted = (".entry k() .reqntid 64 {" + SetUpOfRow + Declared +
                           "st.shared.b32 [%regdemw0+0], %f1; " + Definition +
                           " ld.shared.b32 %f1, [%regdemw0+0]; ret; }")
                              .str();
    return checked(Original, Demoted);
  };
  EXPECT_EQ(Seen("mov.f32 %f2, %f3;"), "");
  for (StringRef Definition :
       {"@%p1 ld.global.v2.f32{%f0,%f1},[0];",
        "ld .global .v2 .f32 {%f0,%f1}, [0];", "@ %p1 mov.f32 %f1, %f2;",
        "@ ! %p1 mov.f32 %f1, %f2;", ".loc 1 3 2 mov.f32 %f1, %f2;",
        ".loc 1 3 2, function_name L+4, inlined_at 1 2 3 mov.f32 %f1, %f2;"})
    EXPECT_NE(Seen(Definition), "") << Definition.str();
}

TEST(PtxDemotionChecker, PathsMeet) {
  constexpr StringLiteral Original = R"(
.entry k(.param .u64 k_param_0)
.maxntid 64
{
  .reg .pred %p<2>; .reg .b32 %r<4>;
  mov.u32 %r1, %laneid;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra $L1;
  add.s32 %r1, %r1, 5;
$L1:
  st.global.b32 [0], %r1;
  ret;
}
)";
  constexpr StringLiteral SetUp = R"(
  .reg .b32 %regdem<3>; .reg .b64 %regdemw<2>;
  .shared .align 8 .b8 __regdem_slots[256];
  mov.u32 %regdem0, %tid.z;
  mov.u32 %regdem1, %tid.y;
  mov.u32 %regdem2, %ntid.y;
  mad.lo.u32 %regdem0, %regdem0, %regdem2, %regdem1;
  mov.u32 %regdem1, %tid.x;
  mov.u32 %regdem2, %ntid.x;
  mad.lo.u32 %regdem0, %regdem0, %regdem2, %regdem1;
  mul.wide.u32 %regdemw1, %regdem0, 4;
  mov.b64 %regdemw0, __regdem_slots;
  add.s64 %regdemw0, %regdemw0, %regdemw1;
)";
  auto With = [&](StringRef Behind, StringRef New, StringRef Behind2 = "",
                  StringRef New2 = "") {
    std::string Text = Original.str();
    Text.insert(Text.find('{') + 1, SetUp.str());
    Text.insert(Text.find(Behind) + Behind.size(), New.str());
    if (!Behind2.empty())
      Text.insert(Text.find(Behind2) + Behind2.size(), New2.str());
    return checked(Original, Text);
  };
  constexpr StringLiteral Store = "st.shared.b32 [%regdemw0+0], %r1;",
                          Load = "ld.shared.b32 %r1, [%regdemw0+0];";
  EXPECT_EQ(With("%laneid;", (Store + Load).str()), "");
  // On the way that adds 5 the slot holds the sum's operand yet.
  EXPECT_NE(With("%laneid;", Store, "$L1:", Load), "");
  EXPECT_EQ(With("%r1, 5;", Store, "%r1, 5;", ""), "");
  EXPECT_NE(With("%r1, 5;", Store, "$L1:", Load), "");
  // A guard, another width, a pragma in between.
  EXPECT_NE(With("%laneid;", ("@%p1 " + Store).str()), "");
  EXPECT_NE(With("%laneid;", "st.shared.b16 [%regdemw0+0], %r1;"), "");
  EXPECT_NE(With("%laneid;", "mov.u32 %r1, %tid.x;"), "");
}

} // namespace
