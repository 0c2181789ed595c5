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

#include "regdem/Target/Polynomial.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace regdem::checker {

/// Factors wrap at 64 bits, as the addresses they stand for do.
using Polynomial = regdem::Polynomial<uint64_t>;

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
  llvm::Error step(const llvm::MachineInstr &MI);
  std::optional<Polynomial> operand(const llvm::MachineInstr &MI,
                                    unsigned Index) const;
  std::optional<Polynomial> compute(const llvm::MachineInstr &MI) const;
  std::optional<Polynomial> widen(const llvm::MachineInstr &MI) const;
  std::optional<uint64_t> strideOf(const Polynomial &P) const;
  std::optional<uint64_t> displacementAtEnd(const Polynomial &P) const;
  std::optional<BaseAddress> baseAt(const Polynomial &P) const;
  bool fitsHalf(const Polynomial &P) const;

  const NVPTXOpcodes &Opcodes;
  const RegionBounds &Bounds;
  CheckerError Report;
  /// What each variable is for every launch that the bounds allow.
  std::map<Variable, Polynomial> Known;
  Polynomial Linear;
  llvm::DenseMap<llvm::Register, Polynomial> Values;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H
