//===- SpillTrace.cpp - which values ptxas spills -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "regdem/MachineCode/SassDefinitions.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace regdem {

static constexpr SassRegister FrameRegister = {SassFile::General, StackPointer};

/// Adds instruction At of Block, if it is spill code, to its place.
static void addAccess(const SassKernel &K, const SassDefinitions &Definitions,
                      unsigned Block, size_t At,
                      std::map<uint64_t, SpillPlace> &Places) {
  const SassBlock &B = K.Blocks[Block];
  const SassInstruction &I = B.Instructions[At];
  const SassOperand *Address = I.address();
  if (!I.IsSpill || !Address || !Address->isPlainAddress() ||
      Address->Register != FrameRegister)
    return;
  auto Offset = static_cast<uint64_t>(Address->Number);
  SpillPlace &Place = Places[Offset];
  Place.Offset = Offset;
  Place.Bytes = std::max<uint64_t>(Place.Bytes, I.Bytes);
  bool IsLoad = I.Class == SassClass::LocalLoad;
  if (I.SourceLine)
    (IsLoad ? Place.ReloadedAt : Place.StoredAt).insert(I.SourceLine);
  if (IsLoad) {
    ++Place.Reloads;
    Place.ReloadRuns += B.Frequency;
    return;
  }
  ++Place.Stores;
  Place.StoreRuns += B.Frequency;
  for (SassRegister R : I.Reads)
    if (R != FrameRegister)
      for (const SassInstruction *By : Definitions.find(Block, At, R))
        Place.Lines.insert(By->SourceLine);
}

std::vector<SpillPlace> findSpills(const SassKernel &K) {
  SassDefinitions Definitions(K);
  std::map<uint64_t, SpillPlace> Places;
  for (unsigned N = 0; N != K.Blocks.size(); ++N)
    for (size_t At = 0; At != K.Blocks[N].Instructions.size(); ++At)
      addAccess(K, Definitions, N, At, Places);
  auto ByOffset = make_second_range(Places);
  return {ByOffset.begin(), ByOffset.end()};
}

} // namespace regdem
