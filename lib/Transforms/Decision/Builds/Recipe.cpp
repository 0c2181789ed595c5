//===- Recipe.cpp - how a kernel is built, in one line --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Recipe.h"

#include "regdem/Decision/Builds/Build.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>

using namespace llvm;

namespace regdem {

StringRef toString(Decision D) {
  // In the order of Decision.
  static constexpr StringLiteral Names[] = {"stock", "rewrite", "cap", "pragma",
                                            "demote"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(Decision::Demote) + 1);
  return Names[static_cast<unsigned>(D)];
}

StringRef toString(Strategy S) {
  return S == Strategy::Belady ? "belady" : "resident";
}

StringRef toString(InstOrder Order) {
  // In the order of InstOrder.
  static constexpr StringLiteral Names[] = {"", "near", "deep", "forward"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(InstOrder::Forward) + 1);
  return Names[static_cast<unsigned>(Order)];
}

static constexpr StringLiteral SmemSpilling = "smem-spilling";

std::string toText(const BuildRecipe &R) {
  SmallVector<std::string, 8> Parts;
  if (R.MaxRegs)
    Parts.push_back(formatv("cap={0}", R.MaxRegs));
  if (R.MinBlocks)
    Parts.push_back(formatv("min-blocks={0}", R.MinBlocks));
  if (R.Target)
    Parts.push_back(formatv("demote={0}:{1}", toString(R.How), R.Target));
  if (R.SmemSpilling)
    Parts.push_back(SmemSpilling.str());
  if (R.Order != InstOrder::Source)
    Parts.push_back(formatv("order={0}", toString(R.Order)));
  if (any(R.Rewrites))
    Parts.push_back("rewrites=" + toString(R.Rewrites));
  return Parts.empty() ? "stock" : join(Parts, " ");
}

std::string toText(const Build &V) {
  std::string Text = toText(V.recipe());
  if (!V.MovedBytes)
    return Text;
  std::string Frame = "frame=";
  if (V.ThreadBytes)
    Frame += "end";
  else
    Frame += V.FrameBytes ? "part:" + utostr(V.FrameStride) : "whole";
  return Text == "stock" ? Frame : Text + " " + Frame;
}

/// Sets Value to the number that Text states; false where it is none of these.
static bool readNumber(StringRef Text, NumberRange Allowed, unsigned &Value) {
  return !Text.getAsInteger(10, Value) && Value >= Allowed.Low &&
         Value <= Allowed.High;
}

/// Sets Value to the one of Choices with this Name; false where there is none.
template <typename T, typename Range>
static bool readName(StringRef Name, const Range &Choices, T &Value) {
  auto It = find_if(Choices, [&](T One) { return toString(One) == Name; });
  if (It == std::end(Choices))
    return false;
  Value = *It;
  return true;
}

static bool readDemotion(StringRef Text, BuildRecipe &R) {
  auto [How, Words] = Text.split(':');
  return readName(How, std::array{Strategy::Belady, Strategy::Resident},
                  R.How) &&
         readNumber(Words, TargetRange, R.Target);
}

static std::string describe(StringRef Form, NumberRange Allowed) {
  return formatv("{0}, a number from {1} to {2}", Form, Allowed.Low,
                 Allowed.High);
}

/// Lays one part of a recipe over R. What it has to be, where it is not; empty:
/// it is.
static std::string readPart(StringRef Part, NumberRange Caps, BuildRecipe &R) {
  auto [Key, Value] = Part.split('=');
  auto Unless = [](bool IsRead, const std::string &Form) {
    return IsRead ? "" : Form;
  };
  if (Key == "cap")
    return Unless(readNumber(Value, Caps, R.MaxRegs), describe("cap=N", Caps));
  if (Key == "min-blocks")
    return Unless(readNumber(Value, MinBlocksRange, R.MinBlocks),
                  describe("min-blocks=N", MinBlocksRange));
  if (Key == "demote")
    return Unless(
        readDemotion(Value, R),
        describe("demote=belady:N or demote=resident:N", TargetRange));
  if (Key == "order")
    return Unless(readName(Value, OtherOrders, R.Order),
                  "order=near, order=deep or order=forward");
  if (Key == "rewrites") {
    R.Rewrites = parseRewrites(Value);
    return Unless(any(R.Rewrites), "rewrites= and some of " +
                                       toString(~Rewrite::None) +
                                       " in this order");
  }
  R.SmemSpilling |= Part == SmemSpilling;
  return Unless(Part == SmemSpilling,
                "a part of a recipe: these are cap=, min-blocks=, demote=, "
                "smem-spilling, order= and rewrites=");
}

Expected<BuildRecipe> parseRecipe(StringRef Text,
                                  std::optional<unsigned> LeastCap) {
  NumberRange Caps{LeastCap.value_or(MaxRegsRange.Low), MaxRegsRange.High};
  BuildRecipe R;
  SmallVector<StringRef, 8> Parts, Keys;
  SplitString(Text, Parts);
  if (Parts.empty())
    return createStringError("a recipe is 'stock' or has parts");
  if (Text.trim() == toString(Decision::Stock))
    return R;
  for (StringRef Part : Parts) {
    StringRef Key = Part.split('=').first;
    if (is_contained(Keys, Key))
      return createStringError("'" + Key + "' is stated twice");
    Keys.push_back(Key);
    if (std::string Wanted = readPart(Part, Caps, R); !Wanted.empty())
      return createStringError("'" + Part + "' is not " + Wanted);
  }
  R.What = R.Target                   ? Decision::Demote
           : R.SmemSpilling           ? Decision::Pragma
           : R.MaxRegs || R.MinBlocks ? Decision::Cap
                                      : Decision::Rewrite;
  return R;
}

} // namespace regdem
