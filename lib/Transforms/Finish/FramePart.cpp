//===- FramePart.cpp - the places of a frame that are used most -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses are aligned to their size, a power of two, so that of two that share
// a byte one is within the other: the widest ones divide the frame into places.
//
//===----------------------------------------------------------------------===//

#include "FramePart.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

namespace {

/// What one or several accesses share.
struct FramePlace {
  unsigned Offset = 0, Bytes = 0;
  double Executions = 0; ///< Of all of them.
};

} // namespace

uint64_t strideOf(uint64_t Bytes, unsigned Widest) {
  uint64_t Stride = alignTo(Bytes, Widest);
  return Stride / Widest % 2 ? Stride : Stride + Widest;
}

/// The places of the frame, in order of their offsets.
static std::vector<FramePlace> placesOf(std::vector<FrameAccess> Accesses) {
  sort(Accesses, [](const FrameAccess &X, const FrameAccess &Y) {
    return std::tuple(X.Offset & ~3u, Y.Bytes, X.Address) <
           std::tuple(Y.Offset & ~3u, X.Bytes, Y.Address);
  });
  std::vector<FramePlace> Places;
  for (const FrameAccess &A : Accesses) {
    unsigned Word = A.Offset & ~3u;
    if (Places.empty() || Word >= Places.back().Offset + Places.back().Bytes)
      Places.push_back({Word, std::max(A.Bytes, 4u)});
    Places.back().Executions += A.Runs;
  }
  return Places;
}

Expected<FramePart> choosePart(const FrameUse &Use, uint64_t Most) {
  if (Use.HasAddresses)
    return createStringError("addresses in its frame are computed, so that no "
                             "part of it can move");
  std::vector<FramePlace> Places = placesOf(Use.Accesses);
  sort(Places, [](const FramePlace &X, const FramePlace &Y) {
    return std::tuple(Y.Executions * X.Bytes, X.Offset) <
           std::tuple(X.Executions * Y.Bytes, Y.Offset);
  });
  std::vector<FramePlace> Chosen;
  FramePart Part;
  for (const FramePlace &P : Places) {
    unsigned Widest = std::max(Part.Widest, P.Bytes);
    uint64_t Stride = strideOf(Part.Bytes + P.Bytes, Widest);
    if (Stride > Most)
      continue;
    Part.Bytes += P.Bytes;
    Part.Widest = Widest;
    Part.Stride = Stride;
    Chosen.push_back(P);
  }
  if (Chosen.empty())
    return createStringError("no place of its frame fits");
  // The widest come first, so that all are aligned.
  sort(Chosen, [](const FramePlace &X, const FramePlace &Y) {
    return std::pair(Y.Bytes, X.Offset) < std::pair(X.Bytes, Y.Offset);
  });
  unsigned To = 0;
  for (const FramePlace &P : Chosen)
    for (unsigned Word = 0; Word != P.Bytes; Word += 4, To += 4)
      Part.Words[P.Offset + Word] = To;
  return Part;
}

} // namespace regdem
