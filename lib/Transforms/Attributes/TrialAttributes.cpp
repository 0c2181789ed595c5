//===- TrialAttributes.cpp - what a trial leaves on its kernel ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/TrialAttributes.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

static constexpr const char *PressureAttr = "regdem-pressure-after";
static constexpr const char *AccessesAttr = "regdem-slot-accesses";
static constexpr const char *RecomputationsAttr = "regdem-recomputations";
static constexpr const char *ThreadBytesAttr = "regdem-thread-bytes";
static constexpr const char *BlockWordsAttr = "regdem-block-words";
static constexpr const char *UniformWordsAttr = "regdem-uniform-words";
static constexpr const char *InFlightAttr = "regdem-words-in-flight";
static constexpr const char *TrialAttr = "regdem-trial";
static constexpr const char *ArithmeticAttr = "regdem-arithmetic";
static constexpr const char *DistantAttr = "regdem-distant-product";
static constexpr const char *OpenAttr = "regdem-open-product";
static constexpr const char *OtherAttr = "regdem-other-arithmetic";

void markTrial(Function &Kernel) { Kernel.addFnAttr(TrialAttr); }

bool isTrial(const Function &Kernel) {
  return Kernel.hasFnAttribute(TrialAttr);
}

void writeTrialResult(Function &Kernel, const Outcome &O) {
  Kernel.addFnAttr(PressureAttr, utostr(O.PressureAfter));
  Kernel.addFnAttr(AccessesAttr, utostr(O.SlotAccesses));
  Kernel.addFnAttr(RecomputationsAttr, utostr(O.Recomputations));
  Kernel.addFnAttr(ThreadBytesAttr, utostr(O.ThreadBytes));
  Kernel.addFnAttr(BlockWordsAttr, utostr(O.BlockWords));
  Kernel.addFnAttr(UniformWordsAttr, utostr(O.UniformWords));
  Kernel.addFnAttr(InFlightAttr, utostr(O.WordsInFlight));
}

void readTrialResult(const Function &Kernel, Variant &V) {
  auto Number = [&Kernel](StringRef Attribute) {
    return static_cast<unsigned>(
        Kernel.getFnAttributeAsParsedInteger(Attribute));
  };
  V.PressureAfter = Number(PressureAttr);
  V.SlotAccesses = Number(AccessesAttr);
  V.Recomputations = Number(RecomputationsAttr);
  V.ThreadBytes = Number(ThreadBytesAttr);
  V.BlockWords = Number(BlockWordsAttr);
  V.UniformWords = Number(UniformWordsAttr);
  V.WordsInFlight = Number(InFlightAttr);
}

static std::string aheadAttr(Rewrite Pass) {
  return "regdem-ahead-of-" + toString(Pass);
}

static std::string changedAttr(Rewrite Pass) {
  return "regdem-changed-by-" + toString(Pass);
}

void noteAhead(Function &Kernel, Rewrite Pass, uint64_t Looks) {
  Kernel.addFnAttr(aheadAttr(Pass), utostr(Looks));
}

bool isNotedAhead(const Function &Kernel, Rewrite Pass) {
  return Kernel.hasFnAttribute(aheadAttr(Pass));
}

void noteBehind(Function &Kernel, Rewrite Pass, uint64_t Looks) {
  Attribute Ahead = Kernel.getFnAttribute(aheadAttr(Pass));
  if (!Ahead.isValid() || Ahead.getValueAsString() == utostr(Looks))
    return;
  noteChange(Kernel, Pass);
}

void noteChange(Function &Kernel, Rewrite Pass) {
  Kernel.addFnAttr(changedAttr(Pass));
}

Rewrite readIdlePasses(const Function &Kernel) {
  Rewrite Idle = Rewrite::None;
  for (Rewrite Pass : EachRewrite)
    if (!Kernel.hasFnAttribute(changedAttr(Pass)))
      Idle = Idle | Pass;
  return Idle;
}

static std::string textOf(Arithmetic A) {
  return utostr(A.Products) + "," + utostr(A.Sums);
}

void noteArithmetic(Function &Kernel, Arithmetic Expected) {
  Kernel.addFnAttr(ArithmeticAttr, textOf(Expected));
}

bool hasOtherArithmetic(const Function &Kernel, Arithmetic Now) {
  Attribute Expected = Kernel.getFnAttribute(ArithmeticAttr);
  return Expected.isValid() && Expected.getValueAsString() != textOf(Now);
}

void markDistantProduct(Function &Kernel) { Kernel.addFnAttr(DistantAttr); }

bool isMarkedDistantProduct(const Function &Kernel) {
  return Kernel.hasFnAttribute(DistantAttr);
}

void markOpenProduct(Function &Kernel) { Kernel.addFnAttr(OpenAttr); }

bool isMarkedOpenProduct(const Function &Kernel) {
  return Kernel.hasFnAttribute(OpenAttr);
}

void markOtherArithmetic(Function &Kernel) { Kernel.addFnAttr(OtherAttr); }

bool isMarkedOtherArithmetic(const Function &Kernel) {
  return Kernel.hasFnAttribute(OtherAttr);
}

} // namespace regdem
