//===- VariantJSON.cpp - variants as JSON and back ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/VariantJSON.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Model/VariantScore.h"

using namespace llvm;

namespace regdem {

/// The numbers of a recipe and of a variant besides, by their keys.
static constexpr std::pair<StringLiteral, unsigned BuildRecipe::*>
    RecipeNumbers[] = {
        {"max_regs", &BuildRecipe::MaxRegs},
        {"min_blocks", &BuildRecipe::MinBlocks},
        {"target", &BuildRecipe::Target},
};
static constexpr std::pair<StringLiteral, unsigned Variant::*> Numbers[] = {
    {"regs", &Variant::Regs},
    {"spill_store_bytes", &Variant::SpillStoreBytes},
    {"spill_load_bytes", &Variant::SpillLoadBytes},
    {"frame_bytes", &Variant::FrameBytes},
    {"moved_frame_bytes", &Variant::MovedBytes},
    {"smem", &Variant::StaticShared},
    {"thread_bytes", &Variant::ThreadBytes},
    {"blocks_per_sm", &Variant::BlocksPerSM},
    {"pressure_after", &Variant::PressureAfter},
    {"slot_accesses", &Variant::SlotAccesses},
    {"recomputations", &Variant::Recomputations},
    {"block_words", &Variant::BlockWords},
    {"uniform_words", &Variant::UniformWords},
    {"words_in_flight", &Variant::WordsInFlight},
    {"l1_bytes", &Variant::L1Bytes},
    {"spill_footprint", &Variant::SpillFootprint},
};

json::Object toJSON(const BuildRecipe &R) {
  bool Demotes = R.What == Decision::Demote;
  json::Object O{
      {"decision", toString(R.What)},
      {"strategy", Demotes ? toString(R.How) : ""},
      {"homes", Demotes ? toString(R.UpTo) : ""},
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
  R.UpTo = parseHome(O.getString("homes").value_or(""));
  R.VolatileSlots = O.getBoolean("volatile_slots").value_or(false);
  R.SmemSpilling = O.getBoolean("smem_spilling").value_or(false);
  R.Rewrites = parseRewrites(O.getString("rewrites").value_or(""));
  R.Order = parseInstOrder(O.getString("order").value_or(""));
  for (auto [Key, Number] : RecipeNumbers)
    R.*Number = static_cast<unsigned>(O.getInteger(Key).value_or(0));
  return R;
}

json::Object toJSON(const Variant &V, bool IsChosen) {
  json::Object O = toJSON(V.recipe());
  O["score"] = scoreOf(V);
  O["cycles"] = V.Cycles;
  O["lone_cycles"] = V.LoneCycles;
  O["chosen"] = IsChosen;
  for (auto [Key, Number] : Numbers)
    O[Key] = V.*Number;
  return O;
}

Variant variantFromJSON(const json::Object &O) {
  Variant V;
  V.recipe() = recipeFromJSON(O);
  V.Cycles = O.getNumber("cycles").value_or(0);
  V.LoneCycles = O.getNumber("lone_cycles").value_or(0);
  for (auto [Key, Number] : Numbers)
    V.*Number = static_cast<unsigned>(O.getInteger(Key).value_or(0));
  return V;
}

} // namespace regdem
