//===- VariantJSON.cpp - variants as JSON and back ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariantJSON.h"

#include "regdem/Decision/Outcome.h"

using namespace llvm;

namespace regdem {

json::Object toJSON(const Variant &V) {
  return json::Object{
      {"decision", toString(V.What)},
      {"max_regs", V.MaxRegs},
      {"min_blocks", V.MinBlocks},
      {"target", V.Target},
      {"strategy", V.What == Decision::Demote ? toString(V.How) : ""},
      {"homes", V.What == Decision::Demote ? toString(V.UpTo) : ""},
      {"most_slots", V.MostSlots},
      {"volatile_slots", V.VolatileSlots},
      {"smem_spilling", V.SmemSpilling},
      {"without", toString(V.Without)},
      {"order", toString(V.Order)},
      {"regs", V.Regs},
      {"spill_store_bytes", V.SpillStoreBytes},
      {"spill_load_bytes", V.SpillLoadBytes},
      {"frame_bytes", V.FrameBytes},
      {"smem", V.StaticShared},
      {"blocks_per_sm", V.BlocksPerSM},
      {"pressure_after", V.PressureAfter},
      {"slot_accesses", V.SlotAccesses},
      {"recomputations", V.Recomputations},
      {"block_words", V.BlockWords},
      {"uniform_words", V.UniformWords},
      {"words_in_flight", V.WordsInFlight},
      {"l1_bytes", V.L1Bytes},
      {"spill_footprint", V.SpillFootprint},
      {"score", V.Score},
      {"cycles", V.Cycles},
      {"chosen", V.Chosen},
  };
}

Variant variantFromJSON(const json::Object &O) {
  auto Number = [&O](StringRef Key) {
    return static_cast<unsigned>(O.getInteger(Key).value_or(0));
  };
  Variant V;
  V.What = parseDecision(O.getString("decision").value_or(""));
  V.MaxRegs = Number("max_regs");
  V.MinBlocks = Number("min_blocks");
  V.Target = Number("target");
  V.How = parseStrategy(O.getString("strategy").value_or(""));
  V.UpTo = parseHome(O.getString("homes").value_or(""));
  V.MostSlots = Number("most_slots");
  V.VolatileSlots = O.getBoolean("volatile_slots").value_or(false);
  V.SmemSpilling = O.getBoolean("smem_spilling").value_or(false);
  V.Without = parseOmission(O.getString("without").value_or(""));
  V.Order = parseInstOrder(O.getString("order").value_or(""));
  V.Regs = Number("regs");
  V.SpillStoreBytes = Number("spill_store_bytes");
  V.SpillLoadBytes = Number("spill_load_bytes");
  V.FrameBytes = Number("frame_bytes");
  V.StaticShared = Number("smem");
  V.BlocksPerSM = Number("blocks_per_sm");
  V.PressureAfter = Number("pressure_after");
  V.SlotAccesses = Number("slot_accesses");
  V.Recomputations = Number("recomputations");
  V.BlockWords = Number("block_words");
  V.UniformWords = Number("uniform_words");
  V.WordsInFlight = Number("words_in_flight");
  V.L1Bytes = Number("l1_bytes");
  V.SpillFootprint = Number("spill_footprint");
  V.Score = Number("score");
  V.Cycles = O.getNumber("cycles").value_or(0);
  V.Chosen = O.getBoolean("chosen").value_or(false);
  return V;
}

} // namespace regdem
