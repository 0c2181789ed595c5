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
  std::map<uint64_t, SpillPlace> Places;
  std::map<uint64_t, std::set<unsigned>> Lines;
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
  if (I.Class == SassClass::LocalLoad) {
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
      Lines[Offset].insert(By->SourceLine);
  }
}

std::vector<SpillPlace> SpillFinder::run() {
  for (unsigned N = 0; N != K.Blocks.size(); ++N)
    for (size_t At = 0; At != K.Blocks[N].Instructions.size(); ++At)
      add(N, At);
  std::vector<SpillPlace> Result;
  for (auto &[Offset, Place] : Places) {
    Place.Lines.assign(Lines[Offset].begin(), Lines[Offset].end());
    Result.push_back(std::move(Place));
  }
  return Result;
}

} // namespace

std::vector<SpillPlace> findSpills(const SassKernel &K) {
  return SpillFinder(K).run();
}

} // namespace regdem
