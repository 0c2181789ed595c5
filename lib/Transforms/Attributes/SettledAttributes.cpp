//===- SettledAttributes.cpp - decisions carried by attributes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/SettledAttributes.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/VariantJSON.h"
#include "regdem/Decision/Builds/Settled.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

static constexpr const char *TargetAttr = "regdem-target";
static constexpr const char *StrategyAttr = "regdem-strategy";
static constexpr const char *HomesAttr = "regdem-homes";
static constexpr const char *VolatileAttr = "regdem-volatile-slots";
static constexpr const char *SmemSpillingAttr = "regdem-smem-spilling";
static constexpr const char *RewritesAttr = "regdem-rewrites";
static constexpr const char *OrderAttr = "regdem-order";
static constexpr const char *LeaveAloneAttr = "regdem-leave-alone";
static constexpr const char *MaxRegsAttr = "regdem-max-regs";
static constexpr const char *MinBlocksAttr = "regdem-min-blocks";
static constexpr const char *ProfileAttr = "regdem-from-profile";
static constexpr const char *EndedEarlyAttr = "regdem-budget-ended";
static constexpr const char *HashAttr = "regdem-hash";
static constexpr const char *VariantsAttr = "regdem-variants";
static constexpr const char *ChoiceAttr = "regdem-choice";
static constexpr const char *UnboundedAttr = "regdem-unbounded";
static constexpr const char *LaunchesAttr = "regdem-launches";

/// Reasons that a free choice may have, under the names that they have in the
/// attribute.
static constexpr std::pair<Reason, StringLiteral> FreeReasons[] = {
    {Reason::NotRegisterLimited, "not-register-limited"},
    {Reason::DoesNotFit, "does-not-fit"},
    {Reason::BudgetEnded, "budget-ended"},
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
  Expected<json::Value> Parsed = json::parse(Text);
  if (Parsed)
    return std::move(*Parsed);
  consumeError(Parsed.takeError());
  return nullptr;
}

static std::string encode(const FreeChoice &C) {
  json::Object O{{"decision", toString(C.What)},
                 {"max_regs", C.MaxRegs},
                 {"min_blocks", C.MinBlocks}};
  for (auto &[Why, Name] : FreeReasons)
    if (Why == C.Why)
      O["reason"] = Name;
  if (C.Predicted) {
    O["scorer"] = toString(C.Predicted->By);
    O["from_sass"] = C.Predicted->FromSass;
    O["gain"] = C.Predicted->Gain;
    O["margin"] = C.Predicted->Margin;
    O["best"] = C.Predicted->Best;
  }
  return textOf(std::move(O));
}

/// Undoes encode(); text that is none gives none.
static std::optional<FreeChoice> decodeFreeChoice(StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O)
    return std::nullopt;
  auto Number = [O](StringRef Key) {
    return static_cast<unsigned>(O->getInteger(Key).value_or(0));
  };
  FreeChoice C;
  C.What = parseDecision(O->getString("decision").value_or(""));
  C.MaxRegs = Number("max_regs");
  C.MinBlocks = Number("min_blocks");
  for (auto &[Why, Name] : FreeReasons)
    if (O->getString("reason") == Name)
      C.Why = Why;
  if (auto By = O->getString("scorer"))
    C.Predicted = Prediction{
        *By == toString(Scorer::Paper) ? Scorer::Paper : Scorer::Model,
        O->getBoolean("from_sass").value_or(false),
        O->getNumber("gain").value_or(0), O->getNumber("margin").value_or(0),
        Number("best")};
  return C;
}

static std::string encode(const UnboundedBuild &B) {
  return textOf(json::Object{
      {"regs", B.Regs}, {"blocks_per_sm", B.BlocksPerSM}, {"gain", B.Gain}});
}

/// Undoes encode(); text that is none gives none.
static std::optional<UnboundedBuild> decodeUnbounded(StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Object *O = Value.getAsObject();
  if (!O)
    return std::nullopt;
  return UnboundedBuild{
      static_cast<unsigned>(O->getInteger("regs").value_or(0)),
      static_cast<unsigned>(O->getInteger("blocks_per_sm").value_or(0)),
      O->getNumber("gain").value_or(0)};
}

static std::string encode(ArrayRef<Variant> Variants) {
  json::Array List;
  for (const Variant &V : Variants)
    List.push_back(toJSON(V));
  return textOf(std::move(List));
}

/// Undoes encode(); text that is none gives none.
static std::vector<Variant> decodeVariants(StringRef Text) {
  json::Value Value = valueOf(Text);
  const json::Array *List = Value.getAsArray();
  if (!List)
    return {};
  std::vector<Variant> Result;
  for (const json::Value &Item : *List) {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return {};
    Result.push_back(variantFromJSON(*O));
  }
  return Result;
}

void writeSettled(Function &Kernel, const Settled &S) {
  Kernel.addFnAttr(TargetAttr, utostr(S.Target));
  Kernel.addFnAttr(StrategyAttr, toString(S.How));
  Kernel.addFnAttr(HomesAttr, toString(S.UpTo));
  if (S.VolatileSlots)
    Kernel.addFnAttr(VolatileAttr);
  if (S.SmemSpilling)
    Kernel.addFnAttr(SmemSpillingAttr);
  if (any(S.Rewrites))
    writeRewrites(Kernel, S.Rewrites);
  if (S.Order != InstOrder::Source)
    Kernel.addFnAttr(OrderAttr, toString(S.Order));
  if (S.LeaveAlone)
    Kernel.addFnAttr(LeaveAloneAttr);
  if (S.MaxRegs)
    Kernel.addFnAttr(MaxRegsAttr, utostr(S.MaxRegs));
  if (S.MinBlocks)
    Kernel.addFnAttr(MinBlocksAttr, utostr(S.MinBlocks));
  if (S.FromProfile)
    Kernel.addFnAttr(ProfileAttr);
  if (S.EndedEarly)
    Kernel.addFnAttr(EndedEarlyAttr);
  if (S.Free)
    Kernel.addFnAttr(ChoiceAttr, encode(*S.Free));
  if (S.Unbounded)
    Kernel.addFnAttr(UnboundedAttr, encode(*S.Unbounded));
  if (!S.Launches.empty())
    Kernel.addFnAttr(LaunchesAttr, textOf(toJSON(S.Launches)));
  Kernel.addFnAttr(VariantsAttr, encode(S.Variants));
}

static unsigned readNumber(const Function &Kernel, StringRef Attribute) {
  return static_cast<unsigned>(Kernel.getFnAttributeAsParsedInteger(Attribute));
}

std::optional<Settled> readSettled(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(TargetAttr))
    return std::nullopt;
  Settled S;
  S.Target = readNumber(Kernel, TargetAttr);
  S.MaxRegs = readNumber(Kernel, MaxRegsAttr);
  S.MinBlocks = readNumber(Kernel, MinBlocksAttr);
  S.FromProfile = Kernel.hasFnAttribute(ProfileAttr);
  S.EndedEarly = Kernel.hasFnAttribute(EndedEarlyAttr);
  S.How = parseStrategy(Kernel.getFnAttribute(StrategyAttr).getValueAsString());
  S.UpTo = parseHome(Kernel.getFnAttribute(HomesAttr).getValueAsString());
  S.VolatileSlots = Kernel.hasFnAttribute(VolatileAttr);
  S.SmemSpilling = Kernel.hasFnAttribute(SmemSpillingAttr);
  S.Rewrites = readRewrites(Kernel);
  S.Order = parseInstOrder(Kernel.getFnAttribute(OrderAttr).getValueAsString());
  S.LeaveAlone = Kernel.hasFnAttribute(LeaveAloneAttr);
  if (Kernel.hasFnAttribute(ChoiceAttr))
    S.Free =
        decodeFreeChoice(Kernel.getFnAttribute(ChoiceAttr).getValueAsString());
  S.Unbounded =
      decodeUnbounded(Kernel.getFnAttribute(UnboundedAttr).getValueAsString());
  S.Launches = launchRowsFromJSON(
      valueOf(Kernel.getFnAttribute(LaunchesAttr).getValueAsString()));
  S.Variants =
      decodeVariants(Kernel.getFnAttribute(VariantsAttr).getValueAsString());
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

static constexpr const char *CachedAttr = "regdem-cached";
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
  if (!O || !O->getString(TargetAttr))
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

bool isFromCache(const Function &Kernel) {
  return Kernel.hasFnAttribute(CachedAttr);
}

} // namespace regdem
