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

Polynomial::Polynomial(uint64_t Constant) { addTerm(Monomial{}, Constant); }

Polynomial::Polynomial(Variable V) {
  Monomial M{};
  M[V] = 1;
  addTerm(M, 1);
}

void Polynomial::addTerm(const Monomial &M, uint64_t Coefficient) {
  uint64_t &Sum = Terms[M];
  Sum += Coefficient;
  if (Sum == 0)
    Terms.erase(M);
}

Polynomial Polynomial::operator+(const Polynomial &Other) const {
  Polynomial Result = *this;
  for (const auto &[M, C] : Other.Terms)
    Result.addTerm(M, C);
  return Result;
}

Polynomial Polynomial::operator*(const Polynomial &Other) const {
  Polynomial Result;
  for (const auto &[M, C] : Terms)
    for (const auto &[N, D] : Other.Terms) {
      Monomial Product;
      for (unsigned I = 0; I != Count; ++I)
        Product[I] = M[I] + N[I];
      Result.addTerm(Product, C * D);
    }
  return Result;
}

uint64_t Polynomial::constantTerm() const {
  auto It = Terms.find(Monomial{});
  return It == Terms.end() ? 0 : It->second;
}

uint64_t Polynomial::coefficientOf(Variable V) const {
  Monomial M{};
  M[V] = 1;
  auto It = Terms.find(M);
  return It == Terms.end() ? 0 : It->second;
}

/// An extent of at most \p Most, exactly \p Exact if that is not 0, makes the
/// coordinate in it 0 when it can only be 1.
static bool isFlat(unsigned Exact, unsigned Most) {
  return Exact == 1 || (Exact == 0 && Most <= 1);
}

AddressMap::AddressMap(const AlignedCode &Code, const RegionBounds &Bounds)
    : Opcodes(Code.Opcodes), Bounds(Bounds), Report(Code.MF) {
  for (unsigned I = 0; I != Polynomial::Count; ++I)
    Known[I] = Polynomial(static_cast<Polynomial::Variable>(I));
  // An extent that is not known is at least 1, so the threads left for the
  // others are at most those divided by the extents that are known.
  unsigned Rest = Bounds.Threads;
  auto Extent = [&](Polynomial::Variable Tid, Polynomial::Variable NTid,
                    unsigned Exact) {
    bool Flat = isFlat(Exact, Rest);
    if (Flat)
      Known[Tid] = Polynomial();
    if (Flat || Exact)
      Known[NTid] = Polynomial(Flat ? 1 : Exact);
  };
  for (unsigned Exact : {Bounds.DimX, Bounds.DimY})
    if (Exact)
      Rest /= Exact;
  Extent(Polynomial::TidX, Polynomial::NTidX, Bounds.DimX);
  Extent(Polynomial::TidY, Polynomial::NTidY, Bounds.DimY);
  if (Rest <= 1)
    Known[Polynomial::TidZ] = Polynomial();
  Linear = Known[Polynomial::TidX] +
           Known[Polynomial::NTidX] *
               (Known[Polynomial::TidY] +
                Known[Polynomial::NTidY] * Known[Polynomial::TidZ]);
}

Error AddressMap::evaluate(const AlignedCode &Code) {
  for (unsigned I = 0; I != Code.Aligned.PrologueEnd; ++I)
    if (Code.Aligned.Kinds[I] == InsertionKind::Address)
      if (Error E = step(*Code.Result.Instrs[I].MI))
        return E;
  return Error::success();
}

Error AddressMap::step(const MachineInstr &MI) {
  Register Reg = MI.getOperand(0).getReg();
  if (computes(Reg))
    return Report.at(MI, "address register " + CheckerError::name(Reg) +
                             " is defined a second time");
  std::optional<Value> V = compute(MI);
  if (!V)
    return Report.at(MI, "expected a step from thread coordinates and the "
                         "region to a slot address, found this instruction");
  if (V->Region)
    V->Base = baseAt(V->P);
  Values.try_emplace(Reg, std::move(*V));
  return Error::success();
}

/// The value of an immediate or of a register that the prologue has computed
/// and that does not contain the region's address.
std::optional<Polynomial> AddressMap::operand(const MachineInstr &MI,
                                              unsigned Index) const {
  const MachineOperand &MO = MI.getOperand(Index);
  if (MO.isImm())
    return Polynomial(static_cast<uint64_t>(MO.getImm()));
  if (!MO.isReg())
    return std::nullopt;
  auto It = Values.find(MO.getReg());
  if (It == Values.end() || It->second.Region)
    return std::nullopt;
  return It->second.P;
}

std::optional<AddressMap::Value> AddressMap::add(const MachineInstr &MI) const {
  if (!MI.getOperand(1).isReg() || !MI.getOperand(2).isReg())
    return std::nullopt;
  auto A = Values.find(MI.getOperand(1).getReg());
  auto B = Values.find(MI.getOperand(2).getReg());
  if (A == Values.end() || B == Values.end() ||
      (A->second.Region && B->second.Region))
    return std::nullopt;
  return Value{A->second.P + B->second.P, A->second.Region || B->second.Region};
}

/// Whether P is known to be from 0 to 2^32 - 1: of multiples of the linear
/// index, and of what is left of dynamic shared memory before a thread's words,
/// as launches have that for all of the block's.
bool AddressMap::fitsHalf(const Polynomial &P) const {
  if (std::optional<uint64_t> D = displacementAtEnd(P))
    return -*D <= Bounds.ThreadBytes;
  std::optional<uint64_t> Stride = strideOf(P);
  uint64_t Limit = uint64_t(1) << 32;
  return Stride && *Stride < Limit && P.constantTerm() < Limit &&
         *Stride * (uint64_t(Bounds.Threads) - 1) + P.constantTerm() < Limit;
}

/// A 32-bit factor becomes 64 bits wide: the product is that of the polynomial
/// only if the factor did not wrap.
std::optional<AddressMap::Value>
AddressMap::widen(const MachineInstr &MI) const {
  std::optional<Polynomial> A = operand(MI, 1), B = operand(MI, 2);
  if (!A || !B || !MI.getOperand(2).isImm() || MI.getOperand(2).getImm() < 0 ||
      !fitsHalf(*A))
    return std::nullopt;
  return Value{*A * *B};
}

std::optional<AddressMap::Value>
AddressMap::compute(const MachineInstr &MI) const {
  auto Variable = [&](Polynomial::Variable V) { return Value{Known[V]}; };
  switch (Opcodes.classify(MI.getOpcode())) {
  case Op::INT_PTX_SREG_TID_x:
    return Variable(Polynomial::TidX);
  case Op::INT_PTX_SREG_TID_y:
    return Variable(Polynomial::TidY);
  case Op::INT_PTX_SREG_TID_z:
    return Variable(Polynomial::TidZ);
  case Op::INT_PTX_SREG_NTID_x:
    return Variable(Polynomial::NTidX);
  case Op::INT_PTX_SREG_NTID_y:
    return Variable(Polynomial::NTidY);
  case Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE:
    return Variable(Polynomial::DynamicSize);
  case Op::MOV_B64_sym: {
    const MachineOperand &MO = MI.getOperand(1);
    if (!MO.isGlobal() || !Bounds.Region || MO.getGlobal() != Bounds.Region)
      return std::nullopt;
    return Value{Polynomial(static_cast<uint64_t>(MO.getOffset())), true};
  }
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir: {
    std::optional<Polynomial> A = operand(MI, 1), B = operand(MI, 2),
                              C = operand(MI, 3);
    if (!A || !B || !C)
      return std::nullopt;
    return Value{*A * *B + *C};
  }
  case Op::MUL_WIDEu32_ri:
    return widen(MI);
  case Op::ADD64rr:
    return add(MI);
  default:
    return std::nullopt;
  }
}

/// S where P is S * linear plus a constant; 0 where P is constant.
std::optional<uint64_t> AddressMap::strideOf(const Polynomial &P) const {
  // One of the coordinates stands alone in the linear index, unless there is
  // only one thread.
  uint64_t Stride = 0;
  for (unsigned I = Polynomial::TidX; I <= Polynomial::TidZ && !Stride; ++I) {
    auto V = static_cast<Polynomial::Variable>(I);
    uint64_t Unit = Linear.coefficientOf(V);
    if (Unit && P.coefficientOf(V) % Unit == 0)
      Stride = P.coefficientOf(V) / Unit;
  }
  if (P == Polynomial(Stride) * Linear + Polynomial(P.constantTerm()))
    return Stride;
  return std::nullopt;
}

/// D where P is %dynamic_smem_size - ThreadBytes * linear + D.
std::optional<uint64_t>
AddressMap::displacementAtEnd(const Polynomial &P) const {
  Polynomial Rest = P - Polynomial(Polynomial::DynamicSize) +
                    Polynomial(Bounds.ThreadBytes) * Linear;
  if (!Bounds.ThreadBytes || !(Rest == Polynomial(Rest.constantTerm())))
    return std::nullopt;
  return Rest.constantTerm();
}

std::optional<BaseAddress> AddressMap::baseAt(const Polynomial &P) const {
  if (Bounds.ThreadBytes) {
    if (std::optional<uint64_t> D = displacementAtEnd(P))
      return BaseAddress{Bounds.ThreadBytes, *D + Bounds.ThreadBytes};
    return std::nullopt;
  }
  if (std::optional<uint64_t> Stride = strideOf(P))
    return BaseAddress{*Stride, P.constantTerm()};
  return std::nullopt;
}

Expected<BaseAddress> AddressMap::base(Register Reg,
                                       const MachineInstr &MI) const {
  auto It = Values.find(Reg);
  if (It == Values.end() || !It->second.Region)
    return Report.at(MI, "expected an address in the region in " +
                             CheckerError::name(Reg) +
                             ", computed once at the top of the entry block");
  if (!It->second.Base && Bounds.ThreadBytes)
    return Report.at(MI, "expected the end of dynamic shared memory less " +
                             Twine(Bounds.ThreadBytes) +
                             " times the thread's linear index in " +
                             CheckerError::name(Reg) + ", found another sum");
  if (!It->second.Base)
    return Report.at(MI, "expected the region plus a multiple of the thread's "
                         "linear index in " +
                             CheckerError::name(Reg) + ", found another sum");
  return *It->second.Base;
}

} // namespace regdem::checker
