//===- CheckerSlots.cpp - the memory that slots occupy --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerSlots.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace regdem::checker {

static uint64_t alignmentOf(const GlobalVariable &Region) {
  const DataLayout &DL = Region.getParent()->getDataLayout();
  return Region.getAlign()
      .value_or(DL.getABITypeAlign(Region.getValueType()))
      .value();
}

static std::string textOf(uint64_t N) { return std::to_string(N); }

/// "8", or "8 before it" where Offset, which wraps, is before what it counts
/// from.
static std::string textOfOffset(uint64_t Offset) {
  return static_cast<int64_t>(Offset) < 0 ? textOf(-Offset) + " before it"
                                          : textOf(Offset);
}

/// Of the region or, where launches add some for each thread, of these.
Error SlotMap::expectInside(const SlotAccess &Access,
                            const MachineInstr &MI) const {
  // An offset before them wraps to a number far above any size.
  if (Bounds.ThreadBytes) {
    if (Access.Offset > Bounds.ThreadBytes ||
        Access.Offset + Access.Width > Bounds.ThreadBytes)
      return Report.at(MI, "expected an access inside the thread's " +
                               textOf(Bounds.ThreadBytes) + " bytes, found " +
                               textOf(Access.Width) + " bytes at offset " +
                               textOfOffset(Access.Offset));
    return Error::success();
  }
  uint64_t Last = Access.Stride * (uint64_t(Bounds.Threads) - 1);
  if (Access.Stride > Bounds.Bytes || Access.Offset > Bounds.Bytes ||
      Last + Access.Offset + Access.Width > Bounds.Bytes)
    return Report.at(MI, "expected an access inside the region's " +
                             textOf(Bounds.Bytes) + " bytes, found " +
                             textOf(Access.Width) + " bytes at offset " +
                             textOfOffset(Access.Offset) + " with stride " +
                             textOf(Access.Stride) + " for " +
                             textOf(Bounds.Threads) + " threads");
  return Error::success();
}

Error SlotMap::add(const SlotAccess &Access, const MachineInstr &MI) {
  if (Error E = expectInside(Access, MI))
    return E;
  if (Access.Offset % Access.Width || Access.Stride % Access.Width ||
      alignmentOf(*Bounds.Region) % Access.Width)
    return Report.at(
        MI, "expected an access aligned to its " + textOf(Access.Width) +
                " bytes, found offset " + textOf(Access.Offset) + ", stride " +
                textOf(Access.Stride) + " in a region aligned to " +
                textOf(alignmentOf(*Bounds.Region)) + " bytes");
  Pieces.push_back({Access.Stride, Access.Offset, Access.Offset + Access.Width,
                    Pieces.size(), &MI});
  return Error::success();
}

Error SlotMap::divide() {
  auto Same = [](const Piece &A, const Piece &B) {
    return A.Stride == B.Stride && A.Offset == B.Offset && A.End == B.End;
  };
  // Of equal accesses the first in the code is kept, to be reported.
  llvm::sort(Pieces, [](const Piece &A, const Piece &B) {
    return std::tie(A.Stride, A.Offset, A.End, A.Index) <
           std::tie(B.Stride, B.Offset, B.End, B.Index);
  });
  Pieces.erase(std::unique(Pieces.begin(), Pieces.end(), Same), Pieces.end());

  std::vector<std::pair<uint64_t, uint64_t>> Cuts;
  for (const Piece &P : Pieces) {
    Cuts.emplace_back(P.Stride, P.Offset);
    Cuts.emplace_back(P.Stride, P.End);
  }
  llvm::sort(Cuts);
  Cuts.erase(llvm::unique(Cuts), Cuts.end());

  // Cuts [I, I+1) is an atom if the accesses seen so far reach over it.
  std::vector<Piece> Found;
  size_t Next = 0;
  uint64_t Stride = 0, Reach = 0;
  const MachineInstr *MI = nullptr;
  for (size_t I = 0; I + 1 < Cuts.size(); ++I) {
    if (Cuts[I].first != Stride)
      Reach = 0;
    Stride = Cuts[I].first;
    for (; Next != Pieces.size() && Pieces[Next].Stride == Stride &&
           Pieces[Next].Offset == Cuts[I].second;
         ++Next)
      if (Pieces[Next].End > Reach) {
        Reach = Pieces[Next].End;
        MI = Pieces[Next].MI;
      }
    if (Cuts[I + 1].first == Stride && Cuts[I].second < Reach)
      Found.push_back(
          {Stride, Cuts[I].second, Cuts[I + 1].second, Found.size(), MI});
  }
  Pieces = std::move(Found);
  // What launches add for each thread, an access has been found to stay in.
  return Bounds.ThreadBytes ? Error::success() : paint();
}

/// Marks every byte of the region that some thread accesses with that thread
/// and the stride. Widths and alignments are multiples of two bytes. No byte is
/// marked twice by the same thread and stride, for atoms do not overlap, so the
/// work is bounded by the region's size.
Error SlotMap::paint() const {
  struct Owner {
    uint32_t Thread = ~0u;
    uint32_t Atom = 0;
  };
  std::vector<Owner> Owners(Pieces.empty() ? 0 : Bounds.Bytes / 2);
  for (uint32_t A = 0; A != Pieces.size(); ++A) {
    const Piece &P = Pieces[A];
    for (uint32_t T = 0; T != Bounds.Threads; ++T) {
      uint64_t Shift = P.Stride * T;
      for (uint64_t At = P.Offset; At != P.End; At += 2) {
        Owner &O = Owners[(At + Shift) / 2];
        if (O.Thread == ~0u) {
          O = {T, A};
          continue;
        }
        const Piece &Other = Pieces[O.Atom];
        std::string Text;
        raw_string_ostream(Text)
            << "expected bytes of thread " << T << " alone at offset "
            << At + Shift << " (stride " << P.Stride << ", slot at " << P.Offset
            << "), found bytes of thread " << O.Thread << " (stride "
            << Other.Stride << ", slot at " << Other.Offset << ") too";
        return Report.at(*P.MI, Text);
      }
    }
  }
  return Error::success();
}

SlotMap::Atoms SlotMap::atoms(const SlotAccess &Access) const {
  auto Find = [&](uint64_t Offset) {
    auto It = std::lower_bound(
        Pieces.begin(), Pieces.end(), std::make_pair(Access.Stride, Offset),
        [](const Piece &P, const std::pair<uint64_t, uint64_t> &Key) {
          return std::make_pair(P.Stride, P.Offset) < Key;
        });
    return static_cast<unsigned>(It - Pieces.begin());
  };
  return {Find(Access.Offset), Find(Access.Offset + Access.Width)};
}

} // namespace regdem::checker
