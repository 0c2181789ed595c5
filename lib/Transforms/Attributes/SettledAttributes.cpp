//===- SettledAttributes.cpp - decisions carried by attributes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/SettledAttributes.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

// Builds.

/// More than a thread or a block has of any memory, and little enough for sums
/// and products with threads.
static constexpr NumberRange AnyBytes = {0, 1 << 21};
/// For figures that are compared and told only.
static constexpr NumberRange AnyNumber = {0, ~0u};
static constexpr NumberRange AnyRegs = {0, MaxRegsRange.High},
                             AnyBlocks = {0, MinBlocksRange.High};

/// Stock's recipe is read of one that would not be written. A kernel's own cap
/// may be less than ptxas takes.
static void recipeFields(JSONFields &J, BuildRecipe &R) {
  std::string What = toString(R.What).str(), Text = toText(R);
  J.value("decision", What);
  J.value("recipe", Text);
  if (!J.reads())
    return;
  R = expectedToOptional(parseRecipe(Text, /*LeastCap=*/1))
          .value_or(BuildRecipe());
  for (Decision D : {Decision::Stock, Decision::Rewrite, Decision::Cap,
                     Decision::Pragma, Decision::Demote})
    if (What == toString(D))
      R.What = D;
}

void fields(JSONFields &J, Build &V) {
  recipeFields(J, V);
  J.value("cycles", V.Cycles);
  J.value("lone_cycles", V.LoneCycles);
  J.IsValid &= V.Cycles >= 0 && V.LoneCycles >= 0;
  J.optional("refused", V.Refusal, V.isRefused());
  J.number("regs", V.Regs, AnyRegs);
  J.number("spill_store_bytes", V.SpillStoreBytes, AnyBytes);
  J.number("spill_load_bytes", V.SpillLoadBytes, AnyBytes);
  J.number("frame_bytes", V.FrameBytes, AnyBytes);
  J.number("moved_frame_bytes", V.MovedBytes, AnyBytes);
  J.number("frame_stride", V.FrameStride, AnyBytes);
  J.number("smem", V.StaticShared, AnyBytes);
  J.number("code_bytes", V.CodeBytes, AnyNumber);
  J.number("thread_bytes", V.ThreadBytes, AnyBytes);
  J.number("blocks_per_sm", V.BlocksPerSM, AnyBlocks);
  J.number("pressure_after", V.PressureAfter, AnyNumber);
  J.number("slot_accesses", V.SlotAccesses, AnyNumber);
  J.number("recomputations", V.Recomputations, AnyNumber);
  J.number("l1_bytes", V.L1Bytes, AnyBytes);
  J.number("spill_footprint", V.SpillFootprint, AnyNumber);
}

json::Object toJSON(const Build &V, bool IsChosen) {
  json::Value Value = toJSON(V);
  json::Object &O = *Value.getAsObject();
  O["score"] = scoreOf(V);
  O["chosen"] = IsChosen;
  return std::move(O);
}

// What is settled.

static constexpr const char *SettledAttr = "regdem-settled";
static constexpr const char *HashAttr = "regdem-hash";

/// Reasons that a free choice may have, under the names that they have in the
/// attribute.
static constexpr std::pair<Reason, StringLiteral> FreeReasons[] = {
    {Reason::WorkSpent, "work-spent"},
    {Reason::NotRegisterLimited, "not-register-limited"},
    {Reason::DoesNotFit, "does-not-fit"},
    {Reason::FitsCapped, "fits-capped"},
    {Reason::WarpsDoNotPay, "warps-do-not-pay"},
    {Reason::StockFastest, "stock-fastest"},
    {Reason::PredictedFaster, "predicted-faster"},
    {Reason::CalleesNeedMore, "callees-need-more"},
    {Reason::ChosenAtLaunch, "chosen-at-launch"},
};

/// Whether brackets are nested little more than in what is written: LLVM's
/// parser calls itself for each.
static bool isShallow(StringRef Text) {
  constexpr unsigned MostDepth = 16;
  unsigned Depth = 0;
  bool IsString = false;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (C == '"')
      IsString = !IsString;
    else if (IsString)
      I += C == '\\' && I + 1 != Text.size();
    else if ((C == '[' || C == '{') && ++Depth > MostDepth)
      return false;
    else if ((C == ']' || C == '}') && Depth)
      --Depth;
  }
  return true;
}

/// Text as JSON; null for text that is none.
static json::Value valueOf(StringRef Text) {
  if (!isShallow(Text))
    return nullptr;
  return expectedToOptional(json::parse(Text)).value_or(nullptr);
}

static void fields(JSONFields &J, Outcome &S) {
  recipeFields(J, S);
  J.value("leave_alone", S.LeaveAlone);
  J.value("from_profile", S.FromProfile);
  J.value("stated", S.IsStated);
  J.value("budget_ended", S.EndedEarly);
  J.value("cached", S.FromCache);
  if (J.has("choice", S.IsFree))
    J.object("choice", [&](JSONFields &Choice) {
      if (J.reads())
        S.Why = Reason::StockFastest;
      S.IsFree = true;
      Choice.name("reason", S.Why, FreeReasons);
      if (!Choice.has("gain", S.Predicted.has_value()))
        return;
      Prediction &P = S.Predicted ? *S.Predicted : S.Predicted.emplace();
      Choice.value("gain", P.Gain);
      Choice.value("margin", P.Margin);
      Choice.value("best", P.Best);
    });
  if (J.has("unbounded", S.Unbounded.has_value()))
    J.object("unbounded", [&](JSONFields &Its) {
      UnboundedBuild &B = S.Unbounded ? *S.Unbounded : S.Unbounded.emplace();
      Its.number("regs", B.Regs, AnyRegs);
      Its.number("blocks_per_sm", B.BlocksPerSM, AnyBlocks);
      Its.value("gain", B.Gain);
    });
  J.optional("launches", S.Launches, !S.Launches.empty());
  J.optional("block_sizes", S.LaunchSizes, !S.LaunchSizes.empty());
  if (J.has("staying_frame", S.Staying.Bytes))
    J.object("staying_frame", [&](JSONFields &Frame) {
      Frame.value("bytes", S.Staying.Bytes);
      Frame.value("reason", S.Staying.Reason);
    });
  J.optional("work", S.Work, S.Work);
  J.optional("builds_left_out", S.BuildsLeftOut, S.BuildsLeftOut);
}

std::string encodeOutcome(const Outcome &S) {
  json::Value Value = toJSON(S);
  json::Array Builds;
  for (const Build &V : S.Builds)
    Builds.push_back(toJSON(V, &V == S.chosen()));
  (*Value.getAsObject())["variants"] = std::move(Builds);
  return formatv("{0}", Value);
}

/// Undoes encodeOutcome(); none for text that is no object. IsValid: what it
/// has may be so.
static std::optional<Outcome> outcomeOf(StringRef Text, bool &IsValid) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O)
    return std::nullopt;
  Outcome S;
  JSONFields From(*O);
  fields(From, S);
  IsValid = From.IsValid;
  if (const json::Array *Builds = O->getArray("variants"))
    for (const json::Value &Item : *Builds)
      if (const json::Object *V = Item.getAsObject()) {
        if (V->getBoolean("chosen").value_or(false))
          S.Chosen = S.Builds.size();
        JSONFields Its(*V);
        fields(Its, S.Builds.emplace_back());
        IsValid &= Its.IsValid;
      }
  return S;
}

void writeSettled(Function &Kernel, const Outcome &S) {
  Kernel.addFnAttr(SettledAttr, encodeOutcome(S));
}

std::optional<Outcome> readSettled(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(SettledAttr))
    return std::nullopt;
  bool IsValid = false;
  std::optional<Outcome> S =
      outcomeOf(Kernel.getFnAttribute(SettledAttr).getValueAsString(), IsValid);
  if (S)
    return S;
  S.emplace(); // Not RegDem's: nothing that is certain can be made of it.
  S->LeaveAlone = true;
  return S;
}

void writeHash(Function &Kernel, StringRef Hash) {
  Kernel.addFnAttr(HashAttr, Hash);
}

StringRef readHash(const Function &Kernel) {
  return Kernel.getFnAttribute(HashAttr).getValueAsString();
}

static constexpr const char *Prefix = "regdem-";

std::string encodeDecision(const Function &Kernel) {
  json::Object O;
  for (Attribute A : Kernel.getAttributes().getFnAttrs())
    if (A.isStringAttribute() && A.getKindAsString().starts_with(Prefix) &&
        A.getKindAsString() != HashAttr)
      O[A.getKindAsString()] = A.getValueAsString();
  return formatv("{0}", json::Value(std::move(O)));
}

// That Text is just what is made of what was read leaves out unknown names and
// fields, and numbers that are cut off.
std::optional<Outcome> decodeOutcome(StringRef Text) {
  bool IsValid = false;
  std::optional<Outcome> S = outcomeOf(Text, IsValid);
  if (!IsValid || encodeOutcome(*S) != Text ||
      (S->Predicted && S->Predicted->Best &&
       S->Predicted->Best >= S->Builds.size()))
    return std::nullopt;
  S->FromCache = true;
  return S;
}

/// Whether RegDem could have settled attribute Name with this Content.
static bool mayBeSettled(StringRef Name, StringRef Content) {
  if (Name == SettledAttr)
    return decodeOutcome(Content).has_value();
  return isCodeAttribute(Name, Content);
}

bool decodeDecision(Function &Kernel, StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O || !O->getString(SettledAttr))
    return false;
  for (const auto &[Name, Content] : *O) {
    std::optional<StringRef> Is = Content.getAsString();
    if (!Is)
      return false;
    Attribute Ahead = Kernel.getFnAttribute(Name);
    bool WasAhead = Ahead.isValid() && Ahead.getValueAsString() == *Is;
    if (!(WasAhead && StringRef(Name).starts_with(Prefix)) &&
        !mayBeSettled(Name, *Is))
      return false;
  }
  for (const auto &[Name, Content] : *O)
    Kernel.addFnAttr(Name, *Content.getAsString());
  Outcome S = *readSettled(Kernel);
  S.FromCache = true;
  writeSettled(Kernel, S);
  return true;
}

} // namespace regdem
