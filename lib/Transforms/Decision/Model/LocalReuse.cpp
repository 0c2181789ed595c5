//===- LocalReuse.cpp - how far apart local accesses are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalReuse.h"

#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace regdem {

namespace {

/// Marks at positions of a sequence, and how many stand behind one: a binary
/// indexed tree (Fenwick, 1994), both in logarithmic time.
class Marks {
public:
  explicit Marks(size_t Size) : Sums(Size + 1) {}

  void set(size_t Position) { change(Position, 1); }
  void clear(size_t Position) { change(Position, -1); }
  /// The number of marks behind Position.
  uint32_t behind(size_t Position) const {
    int Before = 0;
    for (size_t I = Position + 1; I; I -= I & -I)
      Before += Sums[I];
    return static_cast<uint32_t>(Total - Before);
  }

private:
  std::vector<int> Sums; ///< Sums[I]: of the I & -I positions up to I - 1.
  int Total = 0;

  void change(size_t Position, int By) {
    Total += By;
    for (size_t I = Position + 1; I < Sums.size(); I += I & -I)
      Sums[I] += By;
  }
};

} // namespace

std::optional<int64_t> stackOffset(StringRef Operands) {
  size_t Start = Operands.find("[R1");
  if (Start == StringRef::npos)
    return std::nullopt;
  StringRef Offset = Operands.drop_front(Start + 3).take_until(
      [](char C) { return C == ']'; });
  if (Offset.empty())
    return 0;
  int64_t Bytes = 0;
  if (!Offset.consume_front("+") || Offset.getAsInteger(0, Bytes))
    return std::nullopt;
  return Bytes;
}

void LocalReuse::note(const SassInstruction &I, const TraceStep &Step) {
  if (Step.Unit == TraceUnit::GlobalLoad)
    Streamed += Step.Words;
  if (isLocalAccess(Step.Unit))
    if (std::optional<int64_t> Bytes = stackOffset(I.Operands))
      for (unsigned W = 0; W != Step.Words; ++W)
        Accesses.push_back({Steps, *Bytes / 4 + W, Streamed});
  ++Steps;
}

void LocalReuse::apply(MutableArrayRef<TraceStep> Trace) const {
  // A mark stands at the last access so far to each word.
  Marks Latest(Accesses.size());
  DenseMap<int64_t, size_t> LastOf;
  for (size_t N = 0; N != Accesses.size(); ++N) {
    const Access &A = Accesses[N];
    TraceStep &Step = Trace[A.Step];
    uint32_t Distance = TraceStep::FirstUse;
    auto [Last, IsFirst] = LastOf.try_emplace(A.Word, N);
    if (!IsFirst) {
      size_t Before = Last->second;
      Distance = Latest.behind(Before) + A.Streamed - Accesses[Before].Streamed;
      Latest.clear(Before);
      Last->second = N;
    }
    Latest.set(N);
    // A wide access is as far as the farthest of its words.
    bool IsFirstWord = N == 0 || Accesses[N - 1].Step != A.Step;
    Step.ReuseDistance =
        IsFirstWord ? Distance : std::max(Step.ReuseDistance, Distance);
  }
}

float missShare(const TraceStep &S, const LocalCache &L1) {
  if (!isLocalAccess(S.Unit))
    return 0;
  double Share = 1;
  if (L1.Lines == 0 || S.ReuseDistance == TraceStep::UnknownReuse)
    Share = L1.UnknownMisses;
  else if (S.ReuseDistance != TraceStep::FirstUse)
    Share = std::max(L1.LeastMisses,
                     1 - std::exp(-double(S.ReuseDistance) / L1.Lines));
  return static_cast<float>(Share);
}

} // namespace regdem
