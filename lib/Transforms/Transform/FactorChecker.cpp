//===- FactorChecker.cpp - whether two factors are the same ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorChecker.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace regdem {

/// A factor stands two casts and an element behind what it was.
static constexpr unsigned Deepest = MaxAnalysisRecursionDepth + 3;

uint64_t FactorChecker::randomWord() {
  uint8_t Bytes[sizeof(Drawn)];
  support::endian::write64le(Bytes, ++Drawn);
  return xxh3_64bits(Bytes);
}

/// A random value of V's type that has the bits known of V; null where V is no
/// integer.
Constant *FactorChecker::leaf(Value *V) {
  auto *Type = dyn_cast<IntegerType>(V->getType());
  if (!Type)
    return nullptr;
  SmallVector<uint64_t, 2> Words(divideCeil(Type->getBitWidth(), 64));
  for (uint64_t &Word : Words)
    Word = randomWord();
  KnownBits Known = computeKnownBits(V, Layout);
  return ConstantInt::get(
      Type, (APInt(Type->getBitWidth(), Words) & ~Known.Zero) | Known.One);
}

/// V in the run of Values, Depth operands away from what is compared; null
/// where it is no integer and does not fold.
Constant *FactorChecker::compute(Value *V, Run &Values, unsigned Depth) {
  if (auto *C = dyn_cast<Constant>(V))
    return C;
  if (auto Known = Values.find(V); Known != Values.end())
    return Known->second;
  Constant *Result = nullptr;
  auto *I = dyn_cast<Instruction>(V);
  if (isa_and_nonnull<BinaryOperator, CastInst, CmpInst, SelectInst,
                      ExtractElementInst>(I) &&
      Depth <= Deepest) {
    SmallVector<Constant *, 3> In;
    for (Value *Operand : I->operands())
      if (Constant *C = compute(Operand, Values, Depth + 1))
        In.push_back(C);
    if (In.size() == I->getNumOperands())
      Result = ConstantFoldInstOperands(I, In, Layout);
    if (isa_and_nonnull<UndefValue>(Result)) // Nothing is said of this run.
      Result = nullptr;
  }
  if (!Result)
    Result = leaf(V);
  Values[V] = Result;
  return Result;
}

Error FactorChecker::compare(Value *Old, Value *New) {
  for (Run &Values : Runs)
    if (Constant *Before = compute(Old, Values);
        !Before || Before != compute(New, Values))
      return createStringError(
          "internal error: a product has another factor than before");
  return Error::success();
}

} // namespace regdem
