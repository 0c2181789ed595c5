//===- SpillTrace.cpp - which values ptxas spills -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "regdem/MachineCode/SassDefinitions.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace regdem {

namespace {

constexpr SassRegister FrameRegister = {SassFile::General, StackPointer};

class SpillFinder {
public:
  explicit SpillFinder(const SassKernel &K) : K(K), Definitions(K) {}

  std::vector<SpillPlace> run();

private:
  void add(unsigned Block, size_t At);

  const SassKernel &K;
  SassDefinitions Definitions;
  struct Sets {
    std::set<unsigned> Values, Stores, Reloads; ///< Lines.
  };
  std::map<uint64_t, SpillPlace> Places;
  std::map<uint64_t, Sets> Lines;
};

void SpillFinder::add(unsigned Block, size_t At) {
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
    (IsLoad ? Lines[Offset].Reloads : Lines[Offset].Stores)
        .insert(I.SourceLine);
  if (IsLoad) {
    ++Place.Reloads;
    Place.ReloadRuns += B.Frequency;
    return;
  }
  ++Place.Stores;
  Place.StoreRuns += B.Frequency;
  for (SassRegister R : I.Reads) {
    if (R == FrameRegister)
      continue;
    for (const SassInstruction *By : Definitions.find(Block, At, R))
      Lines[Offset].Values.insert(By->SourceLine);
  }
}

std::vector<SpillPlace> SpillFinder::run() {
  for (unsigned N = 0; N != K.Blocks.size(); ++N)
    for (size_t At = 0; At != K.Blocks[N].Instructions.size(); ++At)
      add(N, At);
  std::vector<SpillPlace> Result;
  for (auto &[Offset, Place] : Places) {
    const Sets &Its = Lines[Offset];
    Place.Lines.assign(Its.Values.begin(), Its.Values.end());
    Place.StoredAt.assign(Its.Stores.begin(), Its.Stores.end());
    Place.ReloadedAt.assign(Its.Reloads.begin(), Its.Reloads.end());
    Result.push_back(std::move(Place));
  }
  return Result;
}

} // namespace

std::vector<SpillPlace> findSpills(const SassKernel &K) {
  return SpillFinder(K).run();
}

} // namespace regdem
