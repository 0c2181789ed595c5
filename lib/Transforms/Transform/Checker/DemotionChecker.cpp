//===- DemotionChecker.cpp - prove that demotion kept every value ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof in order: what the base address is (address); the result is the
// original plus insertions (alignment); the insertions access words of this
// thread, and every reload gives its register what it holds already (events,
// data flow).
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Checker/DemotionChecker.h"
#include "CheckerEvents.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

using namespace checker;

/// No GPU has as much shared memory in a block; bounds the checker's memory.
static constexpr uint64_t MostRegionBytes = 1 << 20;

static Error checkBounds(const RegionBounds &Bounds,
                         const CheckerError &Report) {
  uint64_t Known = 1;
  for (unsigned Extent : Bounds.Dims)
    Known = SaturatingMultiply(Known, uint64_t(std::max(Extent, 1u)));
  if (Bounds.Region->getAddressSpace() != unsigned(AddressSpace::Shared))
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
        Twine(Bounds.Dims[0]) + " x " + Twine(Bounds.Dims[1]) + " x " +
        Twine(Bounds.Dims[2]));
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

Error checkDemotion(const FunctionSnapshot &Original,
                    const MachineFunction &Result, const NVPTXOpcodes &Opcodes,
                    const RegionBounds &Bounds) {
  CheckerError Report(Result);
  const EncodedFunction &Before = Original.code();
  EncodedFunction After = encodeFunction(Result);
  if (After.Incomparable)
    return Report.at(*After.Incomparable,
                     "an operand is of a kind that cannot be compared");
  if (Bounds.Region)
    if (Error E = checkBounds(Bounds, Report))
      return E;
  Expected<SlotArea> Slots =
      SlotArea::read(Before, After, Result, Opcodes, Bounds);
  if (!Slots)
    return Slots.takeError();
  Expected<Alignment> Aligned =
      alignFunctions(Before, After, Slots->numSteps(), Result, Opcodes);
  if (!Aligned)
    return Aligned.takeError();
  if (Error E = checkRegionIsPrivate(After, *Aligned, Bounds, Report))
    return E;
  AlignedCode Code{Before, After, *Aligned, Result, Opcodes};
  Expected<EventList> Events = listEvents(Code, *Slots);
  if (!Events)
    return Events.takeError();
  return checkDataflow(Code, *Events);
}

} // namespace regdem
