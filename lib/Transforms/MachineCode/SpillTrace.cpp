//===- SpillTrace.cpp - which values ptxas spills -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace regdem {

namespace {

constexpr SassRegister FrameRegister = {SassFile::General, StackPointer};

class SpillFinder {
public:
  explicit SpillFinder(const SassKernel &K)
      : K(K), Predecessors(K.Blocks.size()) {
    for (const auto &[N, B] : enumerate(K.Blocks))
      for (unsigned S : B.Successors)
        Predecessors[S].push_back(static_cast<unsigned>(N));
  }

  std::vector<SpillPlace> run();

private:
  void add(unsigned Block, size_t At);
  std::set<unsigned> definitions(unsigned Block, size_t At,
                                 SassRegister R) const;

  const SassKernel &K;
  std::vector<std::vector<unsigned>> Predecessors;
  std::map<uint64_t, SpillPlace> Places;
  std::map<uint64_t, std::set<unsigned>> Lines;
};

/// Lines of what may have written R last before instruction At of Block. A
/// write under a predicate does not end the search.
std::set<unsigned> SpillFinder::definitions(unsigned Block, size_t At,
                                            SassRegister R) const {
  std::set<unsigned> Found, Seen;
  std::vector<std::pair<unsigned, size_t>> Work{{Block, At}};
  while (!Work.empty()) {
    auto [N, End] = Work.back();
    Work.pop_back();
    ArrayRef<SassInstruction> Before =
        ArrayRef(K.Blocks[N].Instructions).take_front(End);
    bool Ends = false;
    for (const SassInstruction &I : reverse(Before)) {
      if (!is_contained(I.Writes, R))
        continue;
      Found.insert(I.SourceLine);
      Ends = !I.isPredicated();
      if (Ends)
        break;
    }
    if (Ends)
      continue;
    for (unsigned P : Predecessors[N])
      if (Seen.insert(P).second)
        Work.emplace_back(P, K.Blocks[P].Instructions.size());
  }
  return Found;
}

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
    std::set<unsigned> Found = definitions(Block, At, R);
    Lines[Offset].insert(Found.begin(), Found.end());
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
