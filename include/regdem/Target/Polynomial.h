//===- Polynomial.h - sums of products of launch values ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact arithmetic modulo 2^32, as the GPU's integers have it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TARGET_POLYNOMIAL_H
#define REGDEM_TARGET_POLYNOMIAL_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace regdem {

/// Values that differ between threads or launches.
enum class Variable : uint8_t {
  TidX,
  TidY,
  TidZ,
  NTidX,
  NTidY,
  Rank,           ///< Of the block in its cluster.
  Dynamic,        ///< Dynamic shared memory in bytes.
  RoundedDynamic, ///< Up to a multiple of 16.
  Window,         ///< Upper half of the generic addresses of shared memory.
  LocalStack      ///< Where a thread's stack in local memory begins.
};

class Polynomial {
public:
  /// Exponents, by variable.
  using Monomial = std::array<uint8_t, size_t(Variable::LocalStack) + 1>;

  Polynomial() = default;
  explicit Polynomial(uint32_t Constant) { add(Monomial(), Constant); }
  explicit Polynomial(Variable V) {
    Monomial M = {};
    M[static_cast<size_t>(V)] = 1;
    add(M, 1);
  }

  /// The factor of M; 0 where it does not occur.
  uint32_t factor(const Monomial &M) const {
    auto Found = Terms.find(M);
    return Found == Terms.end() ? 0 : Found->second;
  }
  uint32_t constant() const { return factor(Monomial()); }
  bool isConstant() const {
    return Terms.empty() || (Terms.size() == 1 && constant());
  }
  const std::map<Monomial, uint32_t> &terms() const { return Terms; }

  Polynomial operator+(const Polynomial &O) const {
    Polynomial Sum = *this;
    for (const auto &[M, Factor] : O.Terms)
      Sum.add(M, Factor);
    return Sum;
  }
  Polynomial operator*(const Polynomial &O) const {
    Polynomial Product;
    for (const auto &[M, Factor] : Terms)
      for (const auto &[N, Other] : O.Terms) {
        Monomial Both = M;
        for (size_t I = 0; I != Both.size(); ++I)
          Both[I] = static_cast<uint8_t>(Both[I] + N[I]);
        Product.add(Both, Factor * Other);
      }
    return Product;
  }
  Polynomial operator-(const Polynomial &O) const {
    return *this + O * Polynomial(~uint32_t(0));
  }
  bool operator==(const Polynomial &O) const { return Terms == O.Terms; }

private:
  std::map<Monomial, uint32_t> Terms; ///< Without factors that are 0.

  void add(const Monomial &M, uint32_t Factor) {
    uint32_t &Place = Terms[M];
    Place += Factor;
    if (!Place)
      Terms.erase(M);
  }
};

} // namespace regdem

#endif // REGDEM_TARGET_POLYNOMIAL_H
