//===- host.cpp - elliptic-curve arithmetic: input and reference ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

namespace {
constexpr uint32_t Prime[Limbs] = PRIME_LIMBS;

/// A residue, not in Montgomery's form: products are sums of doubled values.
class Residue {
public:
  std::array<uint32_t, Limbs> L{};

  friend Residue operator+(const Residue &A, const Residue &B) {
    Residue Sum;
    uint64_t Carry = 0;
    for (int I = 0; I < Limbs; ++I, Carry >>= 32) {
      Carry += uint64_t(A.L[I]) + B.L[I];
      Sum.L[I] = uint32_t(Carry);
    }
    return Carry || !Sum.belowPrime() ? Sum.lessPrime() : Sum;
  }
  friend Residue operator*(const Residue &A, const Residue &B) {
    Residue Product;
    for (int Bit = 32 * Limbs - 1; Bit >= 0; --Bit) {
      Product = Product + Product;
      if (B.L[Bit / 32] >> Bit % 32 & 1)
        Product = Product + A;
    }
    return Product;
  }
  friend Residue operator-(const Residue &A, const Residue &B) {
    Residue Minus; // prime - B, which is 0 for 0 after the addition
    int64_t Borrow = 0;
    for (int I = 0; I < Limbs; ++I, Borrow >>= 32) {
      Borrow += int64_t(Prime[I]) - B.L[I];
      Minus.L[I] = uint32_t(Borrow);
    }
    return A + Minus;
  }
  /// Half of the value.
  Residue half() const {
    uint64_t Sum[Limbs + 1] = {}, Carry = 0;
    for (int I = 0; I < Limbs; ++I, Carry >>= 32) {
      Carry += uint64_t(L[I]) + (L[0] & 1 ? Prime[I] : 0);
      Sum[I] = uint32_t(Carry);
    }
    Sum[Limbs] = Carry;
    Residue Half;
    for (int I = 0; I < Limbs; ++I)
      Half.L[I] = uint32_t(Sum[I] >> 1 | Sum[I + 1] << 31);
    return Half;
  }
  bool belowPrime() const {
    return std::lexicographical_compare(L.rbegin(), L.rend(),
                                        std::rbegin(Prime), std::rend(Prime));
  }

private:
  Residue lessPrime() const {
    Residue Result;
    int64_t Borrow = 0;
    for (int I = 0; I < Limbs; ++I, Borrow >>= 32) {
      Borrow += int64_t(L[I]) - Prime[I];
      Result.L[I] = uint32_t(Borrow);
    }
    return Result;
  }
};
} // namespace

/// Coordinate \p Index of point \p T, out of Montgomery's form.
static Residue read(const Array<uint32_t> &Data, int Index, size_t T,
                    int Points) {
  Residue R;
  for (int I = 0; I < Limbs; ++I)
    R.L[I] = Data[size_t(Index * Limbs + I) * Points + T];
  for (int Bit = 0; Bit < 32 * Limbs; ++Bit)
    R = R.half();
  return R;
}

void bench::describe(Problem &P) {
  const int Points = P.quick() ? 512 : 1 << 19;
  auto &Starts = P.bits<uint32_t>(size_t(3) * Limbs * Points, 0);
  auto &Results = P.output<uint32_t>(size_t(3) * Limbs * Points);
  for (int C = 0; C < 3; ++C) // the highest limb: below the prime
    for (int T = 0; T < Points; ++T)
      Starts[size_t(C * Limbs + Limbs - 1) * Points + T] &= 0x7FFFFFFFu;

  P.launch("ecc", {ceilDiv(Points, BlockSize)}, {BlockSize}, Starts, Results,
           Points);

  // The formulas hold for any residues, on a curve or not. Written with the
  // slope instead of shared products.
  P.verify(Points, 64, 0, [=, &Starts, &Results](size_t T, Checker &C) {
    Residue X = read(Starts, 0, T, Points), Y = read(Starts, 1, T, Points);
    Residue Z = read(Starts, 2, T, Points);
    for (int Step = 0; Step < Steps; ++Step) {
      Residue YY = Y * Y, XYY = X * YY, Z4 = Z * Z * Z * Z;
      Residue Slope = X * X - Z4;
      Slope = Slope + Slope + Slope;
      Residue S = XYY + XYY + XYY + XYY;
      Z = Y * Z + Y * Z;
      X = Slope * Slope - S - S;
      Residue Y4 = YY * YY + YY * YY;
      Y4 = Y4 + Y4;
      Y = Slope * (S - X) - Y4 - Y4;
    }
    const Residue Want[3] = {X, Y, Z};
    for (int I = 0; I < 3; ++I)
      C.equal(read(Results, I, T, Points).L, Want[I].L);
  });
}
