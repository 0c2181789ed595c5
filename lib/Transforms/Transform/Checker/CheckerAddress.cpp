//===- CheckerAddress.cpp - symbolic addresses of slots -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerAddress.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace regdem::checker {

/// An extent of at most \p Most, exactly \p Exact if that is not 0, makes the
/// coordinate in it 0 when it can only be 1.
static bool isFlat(unsigned Exact, unsigned Most) {
  return Exact == 1 || (Exact == 0 && Most <= 1);
}

AddressMap::AddressMap(const AlignedCode &Code, const RegionBounds &Bounds)
    : Opcodes(Code.Opcodes), Bounds(Bounds), Report(Code.MF) {
  for (Variable V : {Variable::TidX, Variable::TidY, Variable::TidZ,
                     Variable::NTidX, Variable::NTidY, Variable::Dynamic})
    Known[V] = Polynomial(V);
  // An extent that is not known is at least 1, so the threads left for the
  // others are at most those divided by the extents that are known.
  unsigned Rest = Bounds.Threads;
  auto Extent = [&](Variable Tid, Variable NTid, unsigned Exact) {
    bool Flat = isFlat(Exact, Rest);
    if (Flat)
      Known[Tid] = Polynomial();
    if (Flat || Exact)
      Known[NTid] = Polynomial(Flat ? 1 : Exact);
  };
  for (unsigned Exact : {Bounds.DimX, Bounds.DimY})
    if (Exact)
      Rest /= Exact;
  Extent(Variable::TidX, Variable::NTidX, Bounds.DimX);
  Extent(Variable::TidY, Variable::NTidY, Bounds.DimY);
  if (Rest <= 1)
    Known[Variable::TidZ] = Polynomial();
  Linear =
      Known[Variable::TidX] +
      Known[Variable::NTidX] * (Known[Variable::TidY] +
                                Known[Variable::NTidY] * Known[Variable::TidZ]);
}

Error AddressMap::evaluate(const AlignedCode &Code) {
  for (unsigned I = 0; I != Code.Aligned.PrologueEnd; ++I)
    if (Code.Aligned.Kinds[I] == InsertionKind::Address)
      if (Error E = step(*Code.Result.Instrs[I]))
        return E;
  return Error::success();
}

Error AddressMap::step(const MachineInstr &MI) {
  Register Reg = MI.getOperand(0).getReg();
  if (computes(Reg))
    return Report.at(MI, "address register " + CheckerError::name(Reg) +
                             " is defined a second time");
  std::optional<Polynomial> V = compute(MI);
  if (!V)
    return Report.at(MI, "expected a step from thread coordinates and the "
                         "region to a slot address, found this instruction");
  Values.try_emplace(Reg, std::move(*V));
  return Error::success();
}

/// The value of an immediate or of a register that the prologue has computed.
std::optional<Polynomial> AddressMap::operand(const MachineInstr &MI,
                                              unsigned Index) const {
  const MachineOperand &MO = MI.getOperand(Index);
  if (MO.isImm())
    return Polynomial(static_cast<uint64_t>(MO.getImm()));
  if (!MO.isReg())
    return std::nullopt;
  auto It = Values.find(MO.getReg());
  if (It == Values.end())
    return std::nullopt;
  return It->second;
}

/// The region's address is only ever added, and once.
static bool hasRegion(const Polynomial &P) {
  return P.factor(Variable::Region) != 0;
}

/// Whether P is known to be from 0 to 2^32 - 1: of multiples of the linear
/// index, and of what is left of dynamic shared memory before a thread's words,
/// as launches have that for all of the block's. Of no sum with the region's
/// address.
bool AddressMap::fitsHalf(const Polynomial &P) const {
  if (std::optional<uint64_t> D = displacementAtEnd(P))
    return -*D <= Bounds.ThreadBytes;
  std::optional<uint64_t> Stride = strideOf(P);
  uint64_t Limit = uint64_t(1) << 32;
  return Stride && *Stride < Limit && P.constant() < Limit &&
         *Stride * (uint64_t(Bounds.Threads) - 1) + P.constant() < Limit;
}

/// A 32-bit factor becomes 64 bits wide: the product is that of the polynomial
/// only if the factor did not wrap.
std::optional<Polynomial> AddressMap::widen(const MachineInstr &MI) const {
  std::optional<Polynomial> A = operand(MI, 1), B = operand(MI, 2);
  if (!A || !B || !MI.getOperand(2).isImm() || MI.getOperand(2).getImm() < 0 ||
      !fitsHalf(*A))
    return std::nullopt;
  return *A * *B;
}

std::optional<Polynomial> AddressMap::compute(const MachineInstr &MI) const {
  switch (Opcodes.classify(MI.getOpcode())) {
  case Op::INT_PTX_SREG_TID_x:
    return Known.at(Variable::TidX);
  case Op::INT_PTX_SREG_TID_y:
    return Known.at(Variable::TidY);
  case Op::INT_PTX_SREG_TID_z:
    return Known.at(Variable::TidZ);
  case Op::INT_PTX_SREG_NTID_x:
    return Known.at(Variable::NTidX);
  case Op::INT_PTX_SREG_NTID_y:
    return Known.at(Variable::NTidY);
  case Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE:
    return Known.at(Variable::Dynamic);
  case Op::MOV_B64_sym: {
    const MachineOperand &MO = MI.getOperand(1);
    if (!MO.isGlobal() || !Bounds.Region || MO.getGlobal() != Bounds.Region)
      return std::nullopt;
    return Polynomial(Variable::Region) +
           Polynomial(static_cast<uint64_t>(MO.getOffset()));
  }
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir: {
    std::optional<Polynomial> A = operand(MI, 1), B = operand(MI, 2),
                              C = operand(MI, 3);
    if (!A || !B || !C || hasRegion(*A) || hasRegion(*B) || hasRegion(*C))
      return std::nullopt;
    return *A * *B + *C;
  }
  case Op::MUL_WIDEu32_ri:
    return widen(MI);
  case Op::ADD64rr: {
    std::optional<Polynomial> A = operand(MI, 1), B = operand(MI, 2);
    if (!A || !B || !MI.getOperand(1).isReg() || !MI.getOperand(2).isReg() ||
        (hasRegion(*A) && hasRegion(*B)))
      return std::nullopt;
    return *A + *B;
  }
  default:
    return std::nullopt;
  }
}

/// S where P is S * linear plus a constant; 0 where P is constant.
std::optional<uint64_t> AddressMap::strideOf(const Polynomial &P) const {
  // One of the coordinates stands alone in the linear index, with the factor 1,
  // unless there is only one thread.
  uint64_t Stride = 0;
  for (const auto &[M, Factor] : Linear.terms())
    if (Factor == 1)
      Stride = P.factor(M);
  if (P == Polynomial(Stride) * Linear + Polynomial(P.constant()))
    return Stride;
  return std::nullopt;
}

/// D where P is %dynamic_smem_size - ThreadBytes * linear + D.
std::optional<uint64_t>
AddressMap::displacementAtEnd(const Polynomial &P) const {
  Polynomial Rest = P - Polynomial(Variable::Dynamic) +
                    Polynomial(Bounds.ThreadBytes) * Linear;
  if (!Bounds.ThreadBytes || !Rest.isConstant())
    return std::nullopt;
  return Rest.constant();
}

/// What P bytes after the region's address are as a base address.
std::optional<BaseAddress> AddressMap::baseAt(const Polynomial &P) const {
  if (Bounds.ThreadBytes) {
    if (std::optional<uint64_t> D = displacementAtEnd(P))
      return BaseAddress{Bounds.ThreadBytes, *D + Bounds.ThreadBytes};
    return std::nullopt;
  }
  if (std::optional<uint64_t> Stride = strideOf(P))
    return BaseAddress{*Stride, P.constant()};
  return std::nullopt;
}

Expected<BaseAddress> AddressMap::base(Register Reg,
                                       const MachineInstr &MI) const {
  auto It = Values.find(Reg);
  if (It == Values.end() || !hasRegion(It->second))
    return Report.at(MI, "expected an address in the region in " +
                             CheckerError::name(Reg) +
                             ", computed once at the top of the entry block");
  std::optional<BaseAddress> Base =
      baseAt(It->second - Polynomial(Variable::Region));
  if (!Base && Bounds.ThreadBytes)
    return Report.at(MI, "expected the end of dynamic shared memory less " +
                             Twine(Bounds.ThreadBytes) +
                             " times the thread's linear index in " +
                             CheckerError::name(Reg) + ", found another sum");
  if (!Base)
    return Report.at(MI, "expected the region plus a multiple of the thread's "
                         "linear index in " +
                             CheckerError::name(Reg) + ", found another sum");
  return *Base;
}

} // namespace regdem::checker
