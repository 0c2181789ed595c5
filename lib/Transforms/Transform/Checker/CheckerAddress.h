//===- CheckerAddress.h - symbolic addresses of slots -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the address computation at the top of the entry block as a
// polynomial over the thread's coordinates and the block's extents, and proves
// of each base address that it is
//
//   region + Stride * linear + Displacement,
//   linear = tid.x + ntid.x * (tid.y + ntid.y * tid.z)
//
// where no two threads of a block have the same linear index, and it is below
// the number of threads. Where launches add ThreadBytes bytes of dynamic shared
// memory for each thread, region is where that begins, and the base address is
//
//   region + %dynamic_smem_size - ThreadBytes * linear + Displacement
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H

#include "CheckerAlignment.h"
#include "CheckerError.h"

#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <optional>

namespace regdem::checker {

/// Sums and products of the thread coordinates with integer coefficients.
/// Coefficients wrap at 64 bits, as the addresses they stand for do.
class Polynomial {
public:
  enum Variable : unsigned {
    TidX,
    TidY,
    TidZ,
    NTidX,
    NTidY,
    DynamicSize,
    Count
  };

  Polynomial() = default;
  explicit Polynomial(uint64_t Constant);
  explicit Polynomial(Variable V);

  Polynomial operator+(const Polynomial &Other) const;
  Polynomial operator*(const Polynomial &Other) const;
  Polynomial operator-(const Polynomial &Other) const {
    return *this + Polynomial(~uint64_t(0)) * Other;
  }
  bool operator==(const Polynomial &Other) const {
    return Terms == Other.Terms;
  }

  uint64_t constantTerm() const;
  /// The coefficient of \p V alone.
  uint64_t coefficientOf(Variable V) const;

private:
  using Monomial = std::array<uint8_t, Count>;
  void addTerm(const Monomial &M, uint64_t Coefficient);
  std::map<Monomial, uint64_t> Terms;
};

/// Bytes. Where launches add them for each thread, they are counted from the
/// start of what the last thread has, and from the last thread to the first.
struct BaseAddress {
  uint64_t Stride = 0;
  uint64_t Displacement = 0;
};

class AddressMap {
public:
  AddressMap(const AlignedCode &Code, const RegionBounds &Bounds);

  /// Evaluates the Address instructions of the prologue.
  llvm::Error evaluate(const AlignedCode &Code);

  /// Whether the prologue computes \p Reg.
  bool computes(llvm::Register Reg) const { return Values.count(Reg); }

  /// The base address in \p Reg, read by \p MI.
  llvm::Expected<BaseAddress> base(llvm::Register Reg,
                                   const llvm::MachineInstr &MI) const;

private:
  struct Value {
    Polynomial P;
    /// Whether the region's address is added to P.
    bool Region = false;
    /// What it is as a base address, if it is one.
    std::optional<BaseAddress> Base = std::nullopt;
  };

  llvm::Error step(const llvm::MachineInstr &MI);
  std::optional<Polynomial> operand(const llvm::MachineInstr &MI,
                                    unsigned Index) const;
  std::optional<Value> compute(const llvm::MachineInstr &MI) const;
  std::optional<Value> widen(const llvm::MachineInstr &MI) const;
  std::optional<Value> add(const llvm::MachineInstr &MI) const;
  std::optional<uint64_t> strideOf(const Polynomial &P) const;
  std::optional<uint64_t> displacementAtEnd(const Polynomial &P) const;
  std::optional<BaseAddress> baseAt(const Polynomial &P) const;
  bool fitsHalf(const Polynomial &P) const;

  const NVPTXOpcodes &Opcodes;
  const RegionBounds &Bounds;
  CheckerError Report;
  /// What each variable is for every launch that the bounds allow.
  std::array<Polynomial, Polynomial::Count> Known;
  Polynomial Linear;
  llvm::DenseMap<llvm::Register, Value> Values;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H
