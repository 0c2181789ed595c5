//===- VariantJSON.cpp - variants as JSON and back ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/VariantJSON.h"

#include "regdem/Decision/Builds/Outcome.h"

using namespace llvm;

namespace regdem {

/// The numbers of a variant, by their keys.
static constexpr std::pair<StringLiteral, unsigned Variant::*> Numbers[] = {
    {"max_regs", &Variant::MaxRegs},
    {"min_blocks", &Variant::MinBlocks},
    {"target", &Variant::Target},
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
    {"score", &Variant::Score},
};

json::Object toJSON(const Variant &V) {
  json::Object O{
      {"decision", toString(V.What)},
      {"strategy", V.What == Decision::Demote ? toString(V.How) : ""},
      {"homes", V.What == Decision::Demote ? toString(V.UpTo) : ""},
      {"volatile_slots", V.VolatileSlots},
      {"smem_spilling", V.SmemSpilling},
      {"rewrites", toString(V.Rewrites)},
      {"order", toString(V.Order)},
      {"cycles", V.Cycles},
      {"lone_cycles", V.LoneCycles},
      {"chosen", V.Chosen},
  };
  for (auto [Key, Number] : Numbers)
    O[Key] = V.*Number;
  return O;
}

Variant variantFromJSON(const json::Object &O) {
  Variant V;
  V.What = parseDecision(O.getString("decision").value_or(""));
  V.How = parseStrategy(O.getString("strategy").value_or(""));
  V.UpTo = parseHome(O.getString("homes").value_or(""));
  V.VolatileSlots = O.getBoolean("volatile_slots").value_or(false);
  V.SmemSpilling = O.getBoolean("smem_spilling").value_or(false);
  V.Rewrites = parseRewrites(O.getString("rewrites").value_or(""));
  V.Order = parseInstOrder(O.getString("order").value_or(""));
  V.Cycles = O.getNumber("cycles").value_or(0);
  V.LoneCycles = O.getNumber("lone_cycles").value_or(0);
  V.Chosen = O.getBoolean("chosen").value_or(false);
  for (auto [Key, Number] : Numbers)
    V.*Number = static_cast<unsigned>(O.getInteger(Key).value_or(0));
  return V;
}

} // namespace regdem
