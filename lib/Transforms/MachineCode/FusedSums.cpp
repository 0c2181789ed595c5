//===- FusedSums.cpp - which products machine code fuses ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/FusedSums.h"

#include "regdem/MachineCode/SassDefinitions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr StringLiteral FusedOpcodes[] = {"FFMA", "FFMA2", "DFMA", "HFMA2"};
constexpr StringLiteral SumOpcodes[] = {"FADD", "FADD2", "DADD", "HADD2"};

/// Where FFMA and its like have their factors, after the result and ahead of
/// what is added, which is the last of at least so many operands.
constexpr unsigned Factors[] = {1, 2}, LeastOperands = 4;

/// Pairs of ones, as bits: half and bfloat16.
constexpr int64_t PairsOfOnes[] = {0x3c003c00, 0x3f803f80};

/// Whether I multiplies by ones: ptxas writes sums of halves so, too.
bool multipliesByOne(const SassInstruction &I) {
  return any_of(Factors, [&I](unsigned N) {
    return I.Operands[N].isNumber() &&
           is_contained(PairsOfOnes, I.Operands[N].Number);
  });
}

/// The product that LLVM would take: the first that nothing else reads.
Fusing preferred(const NumberedSum &S) {
  const auto &[First, Second] = S.Products;
  if (!First || (Second && Second->IsReadOnce && !First->IsReadOnce))
    return Fusing::Second;
  return Fusing::First;
}

/// What becomes of S where nothing is in the way: LLVM fuses it with a product
/// that it alone reads, or that is in its block.
Fusing usual(const NumberedSum &S) {
  bool IsFused = any_of(S.Products, [](const auto &P) {
    return P && (P->IsReadOnce || P->IsNear);
  });
  return IsFused ? preferred(S) : Fusing::None;
}

class Reading {
public:
  explicit Reading(const SassKernel &K) : K(K), Definitions(K) {
    for (const auto &[N, B] : enumerate(K.Blocks))
      for (size_t At = 0; At != B.Instructions.size(); ++At)
        if (unsigned Line = B.Instructions[At].SourceLine)
          Places[Line].push_back({static_cast<unsigned>(N), At});
  }

  /// What becomes of S. Its line may have other sums, too: negations.
  Fusing find(const NumberedSum &S) const {
    bool IsThere = false;
    for (const Place &P : Places.lookup(S.Line)) {
      const SassInstruction &I = at(P);
      bool IsFMA = is_contained(FusedOpcodes, I.base()) &&
                   I.Operands.size() >= LeastOperands;
      if (IsFMA && !multipliesByOne(I))
        return fusedBy(P, S);
      IsThere |= IsFMA || is_contained(SumOpcodes, I.base());
    }
    return IsThere ? Fusing::None : usual(S);
  }

private:
  struct Place {
    unsigned Block;
    size_t At;
  };

  const SassKernel &K;
  SassDefinitions Definitions;
  DenseMap<unsigned, SmallVector<Place, 1>> Places; ///< By line.

  const SassInstruction &at(const Place &P) const {
    return K.Blocks[P.Block].Instructions[P.At];
  }

  /// The lines of what may have written operand N of the instruction at P.
  SmallVector<unsigned, 4> linesOf(const Place &P, unsigned N) const {
    SmallVector<unsigned, 4> Lines;
    const SassOperand &O = at(P).Operands[N];
    if (O.isRegister() && !O.Register.isConstant())
      for (const SassInstruction *By :
           Definitions.find(P.Block, P.At, O.Register))
        Lines.push_back(By->SourceLine);
    return Lines;
  }

  /// How much speaks for Product being what the instruction at P multiplies,
  /// and Other what it adds.
  unsigned evidence(const Place &P, const NumberedProduct &Product,
                    const NumberedProduct &Other) const {
    unsigned Found =
        2 * is_contained(linesOf(P, at(P).Operands.size() - 1), Other.Line);
    for (unsigned N : Factors)
      Found += any_of(linesOf(P, N), [&Product](unsigned Line) {
        return is_contained(Product.Operands, Line);
      });
    return Found;
  }

  /// The operand of S that the instruction at P multiplies.
  Fusing fusedBy(const Place &P, const NumberedSum &S) const {
    const auto &[First, Second] = S.Products;
    if (!First || !Second)
      return First || Second ? preferred(S) : Fusing::None;
    unsigned OfFirst = evidence(P, *First, *Second);
    unsigned OfSecond = evidence(P, *Second, *First);
    if (OfFirst == OfSecond)
      return preferred(S);
    return OfFirst > OfSecond ? Fusing::First : Fusing::Second;
  }
};

} // namespace

/// What Of says of each of Sums, as a text.
static std::string textOf(const std::vector<NumberedSum> &Sums,
                          function_ref<Fusing(const NumberedSum &)> Of) {
  std::string All = FusingPrefix.str();
  for (const NumberedSum &S : Sums)
    All += static_cast<char>(Of(S));
  return All;
}

std::string usualFusing(const std::vector<NumberedSum> &Sums) {
  return textOf(Sums, usual);
}

std::string readFusing(const SassKernel &K,
                       const std::vector<NumberedSum> &Sums) {
  Reading Code(K);
  return textOf(Sums, [&Code](const NumberedSum &S) { return Code.find(S); });
}

} // namespace regdem
