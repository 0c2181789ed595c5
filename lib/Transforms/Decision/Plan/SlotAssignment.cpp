//===- SlotAssignment.cpp - which values share a slot ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotAssignment.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace regdem {

static bool isFree(const BitVector &Taken, ArrayRef<PlaceRange> Places) {
  return all_of(Places, [&](const PlaceRange &R) {
    return Taken.find_first_in(R.First, R.Last + 1) == -1;
  });
}

SlotAssignment assignSlots(const KernelGraph &Graph, unsigned NumPlaces,
                           ArrayRef<SlotUse> Uses, unsigned MaxWords) {
  std::vector<unsigned> Order(Uses.size());
  std::iota(Order.begin(), Order.end(), 0u);
  auto First = [&](unsigned U) {
    return std::make_pair(Uses[U].Occupied.front().First, U);
  };
  llvm::sort(Order,
             [&](unsigned A, unsigned B) { return First(A) < First(B); });

  SlotAssignment Result;
  Result.FirstWord.resize(Uses.size());
  std::vector<BitVector> Taken; ///< By word, over the places.
  for (unsigned U : Order) {
    unsigned Size = Graph.words(Uses[U].Value);
    unsigned Word = 0;
    for (;; Word += Size) {
      if (Word + Size > MaxWords) {
        Result.Words = MaxWords + 1;
        return Result;
      }
      while (Taken.size() < Word + Size)
        Taken.emplace_back(NumPlaces);
      if (all_of(seq(Word, Word + Size), [&](unsigned W) {
            return isFree(Taken[W], Uses[U].Occupied);
          }))
        break;
    }
    for (unsigned W = Word; W != Word + Size; ++W)
      for (const PlaceRange &R : Uses[U].Occupied)
        Taken[W].set(R.First, R.Last + 1);
    Result.FirstWord[U] = Word;
    Result.Words = std::max(Result.Words, Word + Size);
  }
  return Result;
}

} // namespace regdem
