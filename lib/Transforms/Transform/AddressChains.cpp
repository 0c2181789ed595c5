//===- AddressChains.cpp - addresses from the ones before them ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/AddressChains.h"

#include "ValueChecker.h"
#include "regdem/Analysis/AddressForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

constexpr unsigned GlobalMemory = 1; ///< The address space.

/// Earlier addresses of one base that a new one may start from.
constexpr size_t MostRemembered = 64;

/// Terms that an address must have to be worth a start from another: with one,
/// base and factor * value, it is a single instruction as it is.
constexpr size_t LeastTerms = 2;

/// A register that accesses add constants to.
struct Anchor {
  AddressForm Form;
  Value *Address;
};

/// Factor * value as a value of 64 bits.
struct StepValue {
  AddressTerm Term;
  Value *Bytes;
};

/// Where an address starts from, and what is added to that.
struct Start {
  size_t From; ///< Index of an anchor.
  AddressStep Step;
};

/// Whether an access may add Bytes, modulo 2^64, to a register on every target.
bool isSmall(uint64_t Bytes) { return isInt<24>(static_cast<int64_t>(Bytes)); }

/// An access that got another address. The old one stays until all is done:
/// forms are known by the values that they describe.
struct Replacement {
  Instruction *Access;
  WeakTrackingVH Old;
};

/// The operand of I that is an address in global memory; null if none is.
Use *globalAddress(Instruction &I) {
  Use *Address = nullptr;
  if (isa<LoadInst>(I))
    Address = &I.getOperandUse(LoadInst::getPointerOperandIndex());
  else if (isa<StoreInst>(I))
    Address = &I.getOperandUse(StoreInst::getPointerOperandIndex());
  if (Address &&
      Address->get()->getType()->getPointerAddressSpace() != GlobalMemory)
    return nullptr;
  return Address;
}

class Chains {
public:
  Chains(Function &F, bool MayChange)
      : F(F), Forms(F.getDataLayout()), MayChange(MayChange) {}

  /// The number of accesses that get another address.
  unsigned run() {
    unsigned Changed = 0;
    for (BasicBlock &Block : F) {
      Anchors.clear();
      Steps.clear();
      for (Instruction &I : Block)
        Changed += visit(I);
    }
    return Changed;
  }

  /// Success if each address is what it was.
  Error check() const {
    ValueChecker Checker(F.getDataLayout());
    const Replacement *Next = Replaced.begin();
    for (BasicBlock &Block : F) {
      Checker.startBlock();
      for (Instruction &I : Block) {
        Use *Address = globalAddress(I);
        if (!Address)
          continue;
        bool IsNew = Next != Replaced.end() && Next->Access == &I;
        Value *Old = Address->get();
        if (IsNew)
          Old = Next++->Old;
        if (Error E = Checker.compare(Old, Address->get()))
          return E;
      }
    }
    return Error::success();
  }

  /// Deletes what nobody reads any more.
  void cleanUp() {
    for (Replacement &R : Replaced)
      if (R.Old)
        RecursivelyDeleteTriviallyDeadInstructions(R.Old);
  }

private:
  Function &F;
  AddressForms Forms;
  bool MayChange;
  SmallVector<Anchor, MostRemembered> Anchors; ///< The last used comes last.
  SmallVector<StepValue, 8> Steps;             ///< Of the block.
  SmallVector<Replacement, 0> Replaced;

  /// Whether I gets another address.
  bool visit(Instruction &I) {
    Use *Pointer = globalAddress(I);
    if (!Pointer)
      return false;
    auto [Address, Displacement] = withoutConstant(*Pointer);
    Anchor New{Forms.of(Address), Address};
    std::optional<Start> S = findStart(New);
    if (!S || !isSmall(Displacement + S->Step.Offset)) {
      remember(std::move(New));
      return false;
    }
    Anchor &From = Anchors[S->From];
    if (!S->Step.Term.Factor) { // The register is there already.
      bool IsOther = From.Address != Address;
      if (IsOther && MayChange)
        replace(I, *Pointer, From.Address, Displacement + S->Step.Offset);
      std::rotate(&From, &From + 1, Anchors.end());
      return IsOther;
    }
    if (isStepFrom(*Address, From, S->Step)) {
      remember(std::move(New));
      return false;
    }
    New.Form.Offset -= S->Step.Offset;
    if (MayChange) {
      New.Address =
          IRBuilder<>(&I).CreatePtrAdd(From.Address, valueOf(S->Step.Term, I));
      replace(I, *Pointer, New.Address, Displacement + S->Step.Offset);
    }
    remember(std::move(New));
    return true;
  }

  /// What Pointer adds a small constant to, and the constant, modulo 2^64.
  std::pair<Value *, uint64_t> withoutConstant(Value *Pointer) const {
    APInt Displacement(64, 0);
    Value *Address = Pointer;
    while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
      APInt Sum = Displacement;
      if (!GEP->accumulateConstantOffset(F.getDataLayout(), Sum) ||
          !isSmall(Sum.getZExtValue()))
        break;
      Displacement = Sum;
      Address = GEP->getPointerOperand();
    }
    return {Address, Displacement.getZExtValue()};
  }

  /// The anchor from which New takes least: a constant if there is one, else
  /// one term, from the anchor used last.
  std::optional<Start> findStart(const Anchor &New) const {
    std::optional<Start> Nearest;
    for (size_t N = Anchors.size(); N--;) {
      std::optional<AddressStep> Step = stepBetween(Anchors[N].Form, New.Form);
      if (!Step || !isSmall(Step->Offset))
        continue;
      if (!Step->Term.Factor)
        return Start{N, *Step};
      if (!Nearest && New.Form.Terms.size() >= LeastTerms)
        Nearest = Start{N, *Step};
    }
    return Nearest;
  }

  /// Whether Address is computed from From by Step alone as it is.
  bool isStepFrom(const Value &Address, const Anchor &From,
                  const AddressStep &Step) const {
    const auto *GEP = dyn_cast<GEPOperator>(&Address);
    return GEP && GEP->getPointerOperand() == From.Address && !Step.Offset;
  }

  void remember(Anchor A) {
    if (Anchors.size() == MostRemembered)
      Anchors.erase(Anchors.begin());
    Anchors.push_back(std::move(A));
  }

  void replace(Instruction &I, Use &Pointer, Value *Address,
               uint64_t Displacement) {
    IRBuilder<> Builder(&I);
    if (Displacement)
      Address = Builder.CreatePtrAdd(Address, Builder.getInt64(Displacement));
    Replaced.push_back({&I, Pointer.get()});
    Pointer.set(Address);
  }

  /// Term, computed ahead of Reader unless the block has it already.
  Value *valueOf(const AddressTerm &Term, Instruction &Reader) {
    for (const StepValue &S : Steps)
      if (S.Term.hasSameValue(Term) && S.Term.Factor == Term.Factor)
        return S.Bytes;
    IRBuilder<> Builder(&Reader);
    Value *Wide = Term.Of;
    if (Term.By == Extension::Sign)
      Wide = Builder.CreateSExt(Wide, Builder.getInt64Ty());
    else if (Term.By == Extension::Zero)
      Wide = Builder.CreateZExt(Wide, Builder.getInt64Ty());
    if (Term.Factor != 1)
      Wide = Builder.CreateMul(Wide, Builder.getInt64(Term.Factor));
    Steps.push_back({Term, Wide});
    return Wide;
  }
};

} // namespace

unsigned countChainable(Function &F) {
  return Chains(F, /*MayChange=*/false).run();
}

Expected<unsigned> chainAddresses(Function &F, bool Verify) {
  Chains All(F, /*MayChange=*/true);
  unsigned Changed = All.run();
  if (Verify)
    if (Error E = All.check())
      return E;
  All.cleanUp();
  return Changed;
}

} // namespace regdem
