//===- SettledAttributes.cpp - decisions carried by attributes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/SettledAttributes.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/JSONFields.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

// Builds.

/// More than a thread or a block has of any memory, and little enough for sums
/// and products with threads.
static constexpr unsigned MostBytes = 1 << 21;
/// For figures that are compared and told only.
static constexpr unsigned AnyNumber = ~0u;

/// All but those of its recipe.
static constexpr JSONField<Build> BuildNumbers[] = {
    {"regs", &Build::Regs, MaxRegsRange.High},
    {"spill_store_bytes", &Build::SpillStoreBytes, MostBytes},
    {"spill_load_bytes", &Build::SpillLoadBytes, MostBytes},
    {"frame_bytes", &Build::FrameBytes, MostBytes},
    {"moved_frame_bytes", &Build::MovedBytes, MostBytes},
    {"frame_stride", &Build::FrameStride, MostBytes},
    {"smem", &Build::StaticShared, MostBytes},
    {"code_bytes", &Build::CodeBytes, AnyNumber},
    {"thread_bytes", &Build::ThreadBytes, MostBytes},
    {"blocks_per_sm", &Build::BlocksPerSM, MinBlocksRange.High},
    {"pressure_after", &Build::PressureAfter, AnyNumber},
    {"slot_accesses", &Build::SlotAccesses, AnyNumber},
    {"recomputations", &Build::Recomputations, AnyNumber},
    {"l1_bytes", &Build::L1Bytes, MostBytes},
    {"spill_footprint", &Build::SpillFootprint, AnyNumber},
};

static unsigned numberIn(const json::Object &O, StringRef Key) {
  return static_cast<unsigned>(O.getInteger(Key).value_or(0));
}

/// The fields that say how V is built.
static json::Object recipeJSON(const BuildRecipe &R) {
  return json::Object{{"decision", toString(R.What)}, {"recipe", toText(R)}};
}

/// Undoes recipeJSON(); stock's recipe for what it would not make. A kernel's
/// own cap may be less than ptxas takes.
static BuildRecipe recipeFromJSON(const json::Object &O) {
  BuildRecipe R =
      expectedToOptional(parseRecipe(O.getString("recipe").value_or("stock"),
                                     /*LeastCap=*/1))
          .value_or(BuildRecipe());
  for (Decision D : {Decision::Stock, Decision::Rewrite, Decision::Cap,
                     Decision::Pragma, Decision::Demote})
    if (O.getString("decision") == toString(D))
      R.What = D;
  return R;
}

json::Object toJSON(const Build &V, bool IsChosen) {
  json::Object O = recipeJSON(V);
  O["score"] = scoreOf(V);
  O["cycles"] = V.Cycles;
  O["lone_cycles"] = V.LoneCycles;
  O["chosen"] = IsChosen;
  if (V.isRefused())
    O["refused"] = V.Refusal;
  writeFields(O, BuildNumbers, V);
  return O;
}

Build buildFromJSON(const json::Object &O) {
  Build V;
  V.recipe() = recipeFromJSON(O);
  V.Cycles = O.getNumber("cycles").value_or(0);
  V.LoneCycles = O.getNumber("lone_cycles").value_or(0);
  V.Refusal = O.getString("refused").value_or("").str();
  for (const auto &N : BuildNumbers)
    V.*N.Number = numberIn(O, N.Key);
  return V;
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

static std::string textOf(const json::Value &Value) {
  std::string Text;
  raw_string_ostream(Text) << Value;
  return Text;
}

/// Whether brackets are nested little more than in what textOf() makes: LLVM's
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

/// Undoes textOf(); null for text that is none.
static json::Value valueOf(StringRef Text) {
  if (!isShallow(Text))
    return nullptr;
  return expectedToOptional(json::parse(Text)).value_or(nullptr);
}

/// What S says of a choice without a stated cap.
static json::Object choiceOf(const Outcome &S) {
  json::Object O;
  for (auto &[Why, Name] : FreeReasons)
    if (Why == S.Why)
      O["reason"] = Name;
  if (S.Predicted) {
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
  if (auto Gain = O.getNumber("gain"))
    S.Predicted = Prediction{*Gain, O.getNumber("margin").value_or(0),
                             numberIn(O, "best")};
}

std::string encodeOutcome(const Outcome &S) {
  json::Object O = recipeJSON(S);
  O["leave_alone"] = S.LeaveAlone;
  O["from_profile"] = S.FromProfile;
  O["stated"] = S.IsStated;
  O["budget_ended"] = S.EndedEarly;
  O["cached"] = S.FromCache;
  if (S.IsFree)
    O["choice"] = choiceOf(S);
  if (const auto &B = S.Unbounded)
    O["unbounded"] = json::Object{{"regs", B->Regs},
                                  {"blocks_per_sm", B->BlocksPerSM},
                                  {"gain", B->Gain}};
  if (!S.Launches.empty())
    O["launches"] = toJSON(S.Launches);
  if (!S.LaunchSizes.empty())
    O["block_sizes"] = S.LaunchSizes;
  if (S.Staying.Bytes)
    O["staying_frame"] =
        json::Object{{"bytes", S.Staying.Bytes}, {"reason", S.Staying.Reason}};
  if (S.Work)
    O["work"] = S.Work;
  if (S.BuildsLeftOut)
    O["builds_left_out"] = S.BuildsLeftOut;
  json::Array Builds;
  for (const Build &V : S.Builds)
    Builds.push_back(toJSON(V, &V == S.chosen()));
  O["variants"] = std::move(Builds);
  return textOf(std::move(O));
}

/// Undoes encodeOutcome(); none for text that is no object.
static std::optional<Outcome> outcomeOf(StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O)
    return std::nullopt;
  Outcome S;
  S.recipe() = recipeFromJSON(*O);
  S.LeaveAlone = O->getBoolean("leave_alone").value_or(false);
  S.FromProfile = O->getBoolean("from_profile").value_or(false);
  S.IsStated = O->getBoolean("stated").value_or(false);
  S.EndedEarly = O->getBoolean("budget_ended").value_or(false);
  if (const json::Value *Work = O->get("work"))
    S.Work = Work->getAsUINT64().value_or(0);
  S.FromCache = O->getBoolean("cached").value_or(false);
  if (const json::Object *Choice = O->getObject("choice"))
    setChoice(S, *Choice);
  if (const json::Object *B = O->getObject("unbounded"))
    S.Unbounded =
        UnboundedBuild{numberIn(*B, "regs"), numberIn(*B, "blocks_per_sm"),
                       B->getNumber("gain").value_or(0)};
  if (const json::Value *Rows = O->get("launches"))
    S.Launches = launchRowsFromJSON(*Rows);
  if (const json::Array *Sizes = O->getArray("block_sizes"))
    for (const json::Value &Threads : *Sizes)
      S.LaunchSizes.push_back(
          static_cast<unsigned>(Threads.getAsUINT64().value_or(0)));
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

void writeSettled(Function &Kernel, const Outcome &S) {
  Kernel.addFnAttr(SettledAttr, encodeOutcome(S));
}

std::optional<Outcome> readSettled(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(SettledAttr))
    return std::nullopt;
  std::optional<Outcome> S =
      outcomeOf(Kernel.getFnAttribute(SettledAttr).getValueAsString());
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
  return textOf(std::move(O));
}

static bool isUsable(const Build &V) {
  return V.Cycles >= 0 && V.LoneCycles >= 0 &&
         all_of(BuildNumbers,
                [&](const auto &N) { return V.*N.Number <= N.Most; });
}

// That Text is just what is made of what was read leaves out unknown names and
// fields, missing ones, and numbers that are cut off.
std::optional<Outcome> decodeOutcome(StringRef Text) {
  std::optional<Outcome> S = outcomeOf(Text);
  bool IsUsable =
      S && encodeOutcome(*S) == Text &&
      all_of(S->Builds, [](const Build &V) { return isUsable(V); }) &&
      (!S->Predicted || !S->Predicted->Best ||
       S->Predicted->Best < S->Builds.size()) &&
      (!S->Unbounded || (S->Unbounded->Regs <= MaxRegsRange.High &&
                         S->Unbounded->BlocksPerSM <= MinBlocksRange.High));
  if (!IsUsable)
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
