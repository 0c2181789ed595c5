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

Error SlotMap::add(SlotAccess &Access, const MachineInstr &MI) {
  if (Error E = expectInside(Access, MI))
    return E;
  if (Access.Offset % Access.Width || Access.Stride % Access.Width ||
      alignmentOf(*Bounds.Region) % Access.Width)
    return Report.at(
        MI, "expected an access aligned to its " + textOf(Access.Width) +
                " bytes, found offset " + textOf(Access.Offset) + ", stride " +
                textOf(Access.Stride) + " in a region aligned to " +
                textOf(alignmentOf(*Bounds.Region)) + " bytes");
  for (unsigned Byte = 0; Byte != Access.Width; Byte += AtomBytes) {
    unsigned Next = Atoms.size();
    auto It = Atoms.try_emplace({Access.Stride, Access.Offset + Byte},
                                Atom{Next, &MI});
    Access.Atoms.push_back(It.first->second.Number);
  }
  return Error::success();
}

/// Marks every byte of the region that some thread accesses with that thread
/// and the stride. No byte is marked twice by the same thread and stride, for
/// atoms do not overlap, so the work is bounded by the region's size.
Error SlotMap::paint() const {
  // What launches add for each thread, an access has been found to stay in.
  if (Bounds.ThreadBytes || Atoms.empty())
    return Error::success();
  struct Owner {
    uint32_t Thread = ~0u;
    uint64_t Stride = 0, Slot = 0;
  };
  std::vector<Owner> Owners(Bounds.Bytes / AtomBytes);
  for (const auto &[Key, A] : Atoms) {
    auto [Stride, Slot] = Key;
    for (uint32_t T = 0; T != Bounds.Threads; ++T) {
      uint64_t At = Slot + Stride * T;
      Owner &O = Owners[At / AtomBytes];
      if (O.Thread == ~0u) {
        O = {T, Stride, Slot};
        continue;
      }
      std::string Text;
      raw_string_ostream(Text)
          << "expected bytes of thread " << T << " alone at offset " << At
          << " (stride " << Stride << ", slot at " << Slot
          << "), found bytes of thread " << O.Thread << " (stride " << O.Stride
          << ", slot at " << O.Slot << ") too";
      return Report.at(*A.MI, Text);
    }
  }
  return Error::success();
}

} // namespace regdem::checker
