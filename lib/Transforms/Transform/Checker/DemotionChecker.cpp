//===- DemotionChecker.cpp - prove that demotion kept every value ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof in order: the result is the original plus insertions (alignment);
// the insertions address slots of this thread (addresses, slots); every reload
// gives its register what it holds already (events, data flow).
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Checker/DemotionChecker.h"
#include "CheckerEvents.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace regdem {

using namespace checker;

/// No GPU has as much shared memory in a block; bounds the checker's memory.
static constexpr uint64_t MostRegionBytes = 1 << 20;

static Error checkBounds(const RegionBounds &Bounds,
                         const CheckerError &Report) {
  uint64_t Known =
      uint64_t(std::max(Bounds.DimX, 1u)) * uint64_t(std::max(Bounds.DimY, 1u));
  if (!Bounds.Region ||
      Bounds.Region->getAddressSpace() != unsigned(AddressSpace::Shared))
    return Report.inKernel("expected a region in shared memory");
  if (Bounds.ThreadBytes && !Bounds.Region->isDeclaration())
    return Report.inKernel("expected the start of dynamic shared memory, found "
                           "a variable of the kernel's own");
  if (Bounds.Bytes > MostRegionBytes || Bounds.ThreadBytes > MostRegionBytes ||
      Bounds.Threads == 0 || Known > Bounds.Threads)
    return Report.inKernel(
        "expected a region of at most " + Twine(MostRegionBytes) +
        " bytes for at least one thread, found " + Twine(Bounds.Bytes) +
        " bytes for " + Twine(Bounds.Threads) + " threads in blocks of " +
        Twine(Bounds.DimX) + " x " + Twine(Bounds.DimY));
  return Error::success();
}

/// The region belongs to the insertions: no original instruction may know it.
static Error checkRegionIsPrivate(const EncodedFunction &Code,
                                  const Alignment &Aligned,
                                  const RegionBounds &Bounds,
                                  const CheckerError &Report) {
  for (auto [MI, Kind] : llvm::zip_equal(Code.Instrs, Aligned.Kinds))
    if (Kind == InsertionKind::None)
      for (const MachineOperand &MO : MI->operands())
        if (MO.isGlobal() && MO.getGlobal() == Bounds.Region)
          return Report.at(
              *MI, "an instruction of the original code names the region");
  return Error::success();
}

/// Whether an inserted instruction has to do with the region.
static bool isRegionUsed(const Alignment &Aligned) {
  return llvm::any_of(Aligned.Kinds, [](InsertionKind K) {
    return K != InsertionKind::None && K != InsertionKind::Recompute;
  });
}

Error checkDemotion(const FunctionSnapshot &Original,
                    const MachineFunction &Result, const NVPTXOpcodes &Opcodes,
                    const RegionBounds &Bounds) {
  CheckerError Report(Result);
  const EncodedFunction &Before = Original.code();
  EncodedFunction After = encodeFunction(Result);
  if (After.Incomparable)
    return Report.at(*After.Incomparable,
                     "an operand is of a kind that cannot be compared");
  Expected<Alignment> Aligned = alignFunctions(Before, After, Result, Opcodes);
  if (!Aligned)
    return Aligned.takeError();
  if (isRegionUsed(*Aligned)) {
    if (Error E = checkBounds(Bounds, Report))
      return E;
    if (Error E = checkRegionIsPrivate(After, *Aligned, Bounds, Report))
      return E;
  }
  AlignedCode Code{Before, After, *Aligned, Result, Opcodes};
  AddressMap Addresses(Code, Bounds);
  if (Error E = Addresses.evaluate(Code))
    return E;
  SlotMap Slots(Result, Bounds);
  Expected<EventList> Events = listEvents(Code, Addresses, Slots);
  if (!Events)
    return Events.takeError();
  return checkDataflow(Code, *Events, Slots);
}

} // namespace regdem
