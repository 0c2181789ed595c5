//===- SharedBases.cpp - one register for neighbouring places -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/SharedBases.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <map>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regdem {

namespace {

/// Instructions in one another that a sum is made of.
constexpr unsigned MostDepth = 6;

/// Of so many accesses one has to lose an address of its own for that to be
/// worth a build.
constexpr unsigned LeastSaved = 4;

/// A sum of values, each times a number, and of a constant. It is an integer:
/// nothing in it wraps as a signed number.
struct ExactSum {
  std::map<Value *, int64_t> Terms;
  int64_t Constant = 0;
  /// In part it is known not to wrap as a signed number only, and extended as
  /// one without a sign: LLVM does not see through that.
  bool IsHidden = false;

  /// Adds V times Times. IsUnsigned: V is extended without its sign.
  void add(Value &V, int64_t Times, bool IsUnsigned = false,
           unsigned Depth = 0);
};

void ExactSum::add(Value &V, int64_t Times, bool IsUnsigned, unsigned Depth) {
  Value *A = nullptr, *B = nullptr;
  const APInt *C = nullptr;
  if (match(&V, m_APInt(C)) && C->getSignificantBits() <= 32) {
    Constant += Times * C->getSExtValue();
    return;
  }
  if (Depth != MostDepth) {
    if (match(&V, m_CombineOr(m_SExt(m_Value(A)), m_NNegZExt(m_Value(A)))))
      return add(*A, Times, isa<ZExtInst>(V), Depth + 1);
    bool IsSum = match(&V, m_CombineOr(m_NSWAdd(m_Value(A), m_Value(B)),
                                       m_DisjointOr(m_Value(A), m_Value(B))));
    if (IsSum || match(&V, m_NSWSub(m_Value(A), m_Value(B)))) {
      const auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(&V);
      IsHidden |= IsUnsigned && Wrapping && !Wrapping->hasNoUnsignedWrap();
      add(*A, Times, IsUnsigned, Depth + 1);
      return add(*B, IsSum ? Times : -Times, IsUnsigned, Depth + 1);
    }
  }
  if ((Terms[&V] += Times) == 0)
    Terms.erase(&V);
}

/// An address, by what all that differ from it by a constant have in common.
using Place = std::tuple<Value *, uint64_t, std::map<Value *, int64_t>>;

struct Address {
  GetElementPtrInst *At;
  int64_t Bytes; ///< From the place.
  bool IsHidden;
};

/// Whether addresses of Space have 32 bits in machine code, as indices have:
/// there ptxas finds what they have in common.
bool hasShortAddresses(unsigned Space) {
  return Space == AddressSpace::Shared || Space == AddressSpace::Local;
}

/// The addresses of B that differ by constants from the first of their list.
std::vector<std::vector<Address>> findShared(BasicBlock &B) {
  const DataLayout &Layout = B.getDataLayout();
  std::map<Place, std::vector<Address>> Places;
  for (Instruction &I : B) {
    auto *G = dyn_cast<GetElementPtrInst>(&I);
    if (!G || G->getNumIndices() != 1 || !G->getType()->isPointerTy() ||
        hasShortAddresses(G->getPointerAddressSpace()))
      continue;
    uint64_t Size =
        Layout.getTypeAllocSize(G->getSourceElementType()).getFixedValue();
    ExactSum Index;
    Index.add(**G->idx_begin(), 1);
    if (Index.Terms.empty())
      continue;
    uint64_t Bytes = Size * uint64_t(Index.Constant);
    std::vector<Address> &List =
        Places[{G->getPointerOperand(), Size, Index.Terms}];
    if (!List.empty() || programUndefinedIfPoison(G))
      List.push_back({G, static_cast<int64_t>(Bytes), Index.IsHidden});
  }
  std::vector<std::vector<Address>> Shared;
  for (auto &Its : Places) {
    std::vector<Address> &List = Its.second;
    bool IsHidden = any_of(List, [](const Address &A) { return A.IsHidden; });
    bool Differ = any_of(List, [&List](const Address &A) {
      return A.Bytes != List.front().Bytes;
    });
    if (IsHidden && Differ)
      Shared.push_back(std::move(List));
  }
  return Shared;
}

} // namespace

bool hasSharedBases(Function &Kernel) {
  size_t Saved = 0, Accesses = 0;
  for (BasicBlock &B : Kernel) {
    for (ArrayRef<Address> List : findShared(B))
      Saved += List.size() - 1;
    Accesses += count_if(B, [](const Instruction &I) {
      return getLoadStorePointerOperand(&I) != nullptr;
    });
  }
  return Saved && LeastSaved * Saved >= Accesses;
}

bool shareBases(Function &Kernel) {
  bool Changed = false;
  for (BasicBlock &B : Kernel)
    for (ArrayRef<Address> List : findShared(B))
      for (const Address &Other : List.drop_front()) {
        IRBuilder<> At(Other.At);
        Value *New = At.CreatePtrAdd(
            List.front().At, At.getInt64(Other.Bytes - List.front().Bytes));
        New->takeName(Other.At);
        Other.At->replaceAllUsesWith(New);
        Other.At->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace regdem
