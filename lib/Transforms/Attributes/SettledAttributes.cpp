//===- SettledAttributes.cpp - decisions carried by attributes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/SettledAttributes.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

// Builds.

/// The numbers of a recipe and of a build besides, by their keys.
static constexpr std::pair<StringLiteral, unsigned BuildRecipe::*>
    RecipeNumbers[] = {
        {"max_regs", &BuildRecipe::MaxRegs},
        {"min_blocks", &BuildRecipe::MinBlocks},
        {"target", &BuildRecipe::Target},
};
static constexpr std::pair<StringLiteral, unsigned Build::*> Numbers[] = {
    {"regs", &Build::Regs},
    {"spill_store_bytes", &Build::SpillStoreBytes},
    {"spill_load_bytes", &Build::SpillLoadBytes},
    {"frame_bytes", &Build::FrameBytes},
    {"moved_frame_bytes", &Build::MovedBytes},
    {"frame_stride", &Build::FrameStride},
    {"smem", &Build::StaticShared},
    {"code_bytes", &Build::CodeBytes},
    {"thread_bytes", &Build::ThreadBytes},
    {"blocks_per_sm", &Build::BlocksPerSM},
    {"pressure_after", &Build::PressureAfter},
    {"slot_accesses", &Build::SlotAccesses},
    {"recomputations", &Build::Recomputations},
    {"l1_bytes", &Build::L1Bytes},
    {"spill_footprint", &Build::SpillFootprint},
};

json::Object toJSON(const BuildRecipe &R) {
  bool Demotes = R.What == Decision::Demote;
  json::Object O{
      {"decision", toString(R.What)},
      {"strategy", Demotes ? toString(R.How) : ""},
      {"volatile_slots", R.VolatileSlots},
      {"smem_spilling", R.SmemSpilling},
      {"rewrites", toString(R.Rewrites)},
      {"order", toString(R.Order)},
  };
  for (auto [Key, Number] : RecipeNumbers)
    O[Key] = R.*Number;
  return O;
}

BuildRecipe recipeFromJSON(const json::Object &O) {
  BuildRecipe R;
  R.What = parseDecision(O.getString("decision").value_or(""));
  R.How = parseStrategy(O.getString("strategy").value_or(""));
  R.VolatileSlots = O.getBoolean("volatile_slots").value_or(false);
  R.SmemSpilling = O.getBoolean("smem_spilling").value_or(false);
  R.Rewrites = parseRewrites(O.getString("rewrites").value_or(""));
  R.Order = parseInstOrder(O.getString("order").value_or(""));
  for (auto [Key, Number] : RecipeNumbers)
    R.*Number = static_cast<unsigned>(O.getInteger(Key).value_or(0));
  return R;
}

json::Object toJSON(const Build &V, bool IsChosen) {
  json::Object O = toJSON(V.recipe());
  O["score"] = scoreOf(V);
  O["cycles"] = V.Cycles;
  O["lone_cycles"] = V.LoneCycles;
  O["chosen"] = IsChosen;
  if (V.isRefused())
    O["refused"] = V.Refusal;
  for (auto [Key, Number] : Numbers)
    O[Key] = V.*Number;
  return O;
}

Build buildFromJSON(const json::Object &O) {
  Build V;
  V.recipe() = recipeFromJSON(O);
  V.Cycles = O.getNumber("cycles").value_or(0);
  V.LoneCycles = O.getNumber("lone_cycles").value_or(0);
  V.Refusal = O.getString("refused").value_or("").str();
  for (auto [Key, Number] : Numbers)
    V.*Number = static_cast<unsigned>(O.getInteger(Key).value_or(0));
  return V;
}

// What is settled.

static constexpr const char *SettledAttr = "regdem-settled";
static constexpr const char *RewritesAttr = "regdem-rewrites";
static constexpr const char *HashAttr = "regdem-hash";

/// Reasons that a free choice may have, under the names that they have in the
/// attribute.
static constexpr std::pair<Reason, StringLiteral> FreeReasons[] = {
    {Reason::NotRegisterLimited, "not-register-limited"},
    {Reason::DoesNotFit, "does-not-fit"},
    {Reason::WarpsDoNotPay, "warps-do-not-pay"},
    {Reason::StockFastest, "stock-fastest"},
    {Reason::PredictedFaster, "predicted-faster"},
    {Reason::CalleesNeedMore, "callees-need-more"},
    {Reason::ChosenAtLaunch, "chosen-at-launch"},
};

static std::string textOf(const json::Value &Value) {
  std::string Text;
  raw_string_ostream(Text) << Value;
  return Text;
}

/// Undoes textOf(); null for text that is none.
static json::Value valueOf(StringRef Text) {
  return expectedToOptional(json::parse(Text)).value_or(nullptr);
}

static unsigned numberIn(const json::Object &O, StringRef Key) {
  return static_cast<unsigned>(O.getInteger(Key).value_or(0));
}

/// What S says of a choice without a stated cap.
static json::Object choiceOf(const Outcome &S) {
  json::Object O;
  for (auto &[Why, Name] : FreeReasons)
    if (Why == S.Why)
      O["reason"] = Name;
  if (S.Predicted) {
    O["from_sass"] = S.Predicted->FromSass;
    O["gain"] = S.Predicted->Gain;
    O["margin"] = S.Predicted->Margin;
    O["best"] = S.Predicted->Best;
  }
  return O;
}

/// Undoes choiceOf().
static void setChoice(Outcome &S, const json::Object &O) {
  S.IsFree = true;
  S.Why = Reason::StockFastest;
  for (auto &[Why, Name] : FreeReasons)
    if (O.getString("reason") == Name)
      S.Why = Why;
  if (auto FromSass = O.getBoolean("from_sass"))
    S.Predicted =
        Prediction{*FromSass, O.getNumber("gain").value_or(0),
                   O.getNumber("margin").value_or(0), numberIn(O, "best")};
}

void writeSettled(Function &Kernel, const Outcome &S) {
  json::Object O = toJSON(S.recipe());
  O["leave_alone"] = S.LeaveAlone;
  O["from_profile"] = S.FromProfile;
  O["budget_ended"] = S.EndedEarly;
  if (S.IsFree)
    O["choice"] = choiceOf(S);
  if (const auto &B = S.Unbounded)
    O["unbounded"] = json::Object{{"regs", B->Regs},
                                  {"blocks_per_sm", B->BlocksPerSM},
                                  {"gain", B->Gain}};
  if (!S.Launches.empty())
    O["launches"] = toJSON(S.Launches);
  if (S.Staying.Bytes)
    O["staying_frame"] =
        json::Object{{"bytes", S.Staying.Bytes}, {"reason", S.Staying.Reason}};
  if (S.BuildsLeftOut)
    O["builds_left_out"] = S.BuildsLeftOut;
  json::Array Builds;
  for (const Build &V : S.Builds)
    Builds.push_back(toJSON(V, &V == S.chosen()));
  O["variants"] = std::move(Builds);
  Kernel.addFnAttr(SettledAttr, textOf(std::move(O)));
  if (any(S.Rewrites))
    writeRewrites(Kernel, S.Rewrites);
}

std::optional<Outcome> readSettled(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(SettledAttr))
    return std::nullopt;
  json::Value Value =
      valueOf(Kernel.getFnAttribute(SettledAttr).getValueAsString());
  Outcome S;
  const json::Object *O = Value.getAsObject();
  if (!O) { // Not RegDem's: nothing that is certain can be made of it.
    S.LeaveAlone = true;
    return S;
  }
  S.recipe() = recipeFromJSON(*O);
  S.Rewrites = readRewrites(Kernel);
  S.LeaveAlone = O->getBoolean("leave_alone").value_or(false);
  S.FromProfile = O->getBoolean("from_profile").value_or(false);
  S.EndedEarly = O->getBoolean("budget_ended").value_or(false);
  if (const json::Object *Choice = O->getObject("choice"))
    setChoice(S, *Choice);
  if (const json::Object *B = O->getObject("unbounded"))
    S.Unbounded =
        UnboundedBuild{numberIn(*B, "regs"), numberIn(*B, "blocks_per_sm"),
                       B->getNumber("gain").value_or(0)};
  if (const json::Value *Rows = O->get("launches"))
    S.Launches = launchRowsFromJSON(*Rows);
  S.BuildsLeftOut = numberIn(*O, "builds_left_out");
  if (const json::Object *Frame = O->getObject("staying_frame"))
    S.Staying = {numberIn(*Frame, "bytes"),
                 Frame->getString("reason").value_or("").str()};
  if (const json::Array *Builds = O->getArray("variants"))
    for (const json::Value &Item : *Builds)
      if (const json::Object *V = Item.getAsObject()) {
        if (V->getBoolean("chosen").value_or(false))
          S.Chosen = S.Builds.size();
        S.Builds.push_back(buildFromJSON(*V));
      }
  return S;
}

void writeRewrites(Function &Kernel, Rewrite Rewrites) {
  Kernel.addFnAttr(RewritesAttr, toString(Rewrites));
}

Rewrite readRewrites(const Function &Kernel) {
  return parseRewrites(Kernel.getFnAttribute(RewritesAttr).getValueAsString());
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
  return textOf(std::move(O));
}

bool decodeDecision(Function &Kernel, StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O || !O->getString(SettledAttr))
    return false;
  for (const auto &[Name, Content] : *O)
    if (!StringRef(Name).starts_with(Prefix) || !Content.getAsString())
      return false;
  for (const auto &[Name, Content] : *O)
    Kernel.addFnAttr(Name, *Content.getAsString());
  restoreJumpTables(Kernel);
  Kernel.addFnAttr(CachedAttr);
  return true;
}

} // namespace regdem
