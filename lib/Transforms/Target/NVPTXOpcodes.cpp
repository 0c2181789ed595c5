//===- NVPTXOpcodes.cpp - NVPTX opcodes and classes by name ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/NVPTXOpcodes.h"

#include "OpcodeNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace regdem {

static constexpr const char *OpcodeNames[] = {
#define REGDEM_NAME(Name) #Name,
    REGDEM_NVPTX_OPCODES(REGDEM_NAME)
#undef REGDEM_NAME
};

static constexpr const char *ClassNames[] = {"B1", "B16", "B32", "B64", "B128"};

static constexpr StringRef AsmProducts[] = {"mul.", "div.approx.", "div.full.",
                                            "rcp.approx."};

/// Whether I is inline assembly with one of Operations, such as "mul.", on a
/// floating-point type without rounding modifier: "mul.ftz.f32".
static bool writesUnrounded(const MachineInstr &I,
                            ArrayRef<StringRef> Operations) {
  if (!I.isInlineAsm())
    return false;
  StringRef Text = I.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
  return any_of(Operations, [Text](StringRef Operation) {
    StringRef Rest = Text;
    for (size_t At = Rest.find(Operation); At != StringRef::npos;
         At = Rest.find(Operation)) {
      Rest = Rest.drop_front(At + Operation.size());
      StringRef Type = Rest;
      while (Type.consume_front("ftz.") || Type.consume_front("sat.")) {
      }
      if (Type.starts_with("f") || Type.starts_with("bf"))
        return true;
    }
    return false;
  });
}

/// Whether I is inline assembly that may hand a product on in a wider word.
static bool movesWords(const MachineInstr &I) {
  if (!I.isInlineAsm())
    return false;
  StringRef Text = I.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
  return Text.contains("mov.b64") || Text.contains("mov.b128");
}

/// Whether MO is a power of two, stated or in a register that holds nothing
/// else.
static bool isPowerOfTwo(const MachineOperand &MO) {
  if (MO.isFPImm())
    return MO.getFPImm()->getValueAPF().getExactLog2Abs() != INT_MIN;
  if (!MO.isReg() || MO.isDef() || !MO.getReg().isVirtual())
    return false;
  const MachineRegisterInfo &MRI = MO.getParent()->getMF()->getRegInfo();
  const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg());
  return Def && Def->getNumOperands() == 2 && Def->getOperand(1).isFPImm() &&
         isPowerOfTwo(Def->getOperand(1));
}

/// Whether an instruction's description says that it does nothing but write
/// its results. NVPTX's says so of some that read counters too.
static bool hasNoEffect(const MCInstrDesc &Desc) {
  return !Desc.mayLoad() && !Desc.mayStore() &&
         !Desc.hasUnmodeledSideEffects() && !Desc.isConvergent() &&
         !Desc.isCall() && !Desc.isTerminator() &&
         Desc.implicit_uses().empty() && Desc.implicit_defs().empty();
}

unsigned wordsOf(RegKind Kind) {
  switch (Kind) {
  case RegKind::B16: // ptxas gives a lone 16-bit value a register of its own.
  case RegKind::B32:
    return 1;
  case RegKind::B64:
    return 2;
  case RegKind::B128:
    return 4;
  case RegKind::B1:
  case RegKind::Other:
    return 0;
  }
  return 0;
}

Error NVPTXOpcodes::findCodes(const TargetInstrInfo &TII) {
  StringMap<unsigned> Wanted;
  for (unsigned I = 0; I != std::size(OpcodeNames); ++I)
    Wanted[OpcodeNames[I]] = I;
  for (unsigned Code = 0; Code != TII.getNumOpcodes(); ++Code)
    if (auto It = Wanted.find(TII.getName(Code)); It != Wanted.end())
      Codes[It->second] = Code;
  // Opcode 0 is PHI in every target, so it can stand for "not found".
  for (unsigned I = 0; I != std::size(OpcodeNames); ++I)
    if (!Codes[I])
      return createStringError("this LLVM's NVPTX target has no opcode %s",
                               OpcodeNames[I]);
  return Error::success();
}

Error NVPTXOpcodes::findClasses(const TargetRegisterInfo &TRI) {
  for (unsigned I = 0; I != std::size(ClassNames); ++I) {
    for (const TargetRegisterClass *RC : TRI.regclasses())
      if (StringRef(TRI.getRegClassName(RC)) == ClassNames[I])
        Classes[I] = RC;
    if (!Classes[I])
      return createStringError(
          "this LLVM's NVPTX target has no register class %s", ClassNames[I]);
  }
  return Error::success();
}

/// The sets of operations on floating-point types, for an opcode of such a
/// name.
void NVPTXOpcodes::fillFloatSets(unsigned Code, StringRef Name) {
  if (isUnrounded(Name, {"FMUL"}))
    FusibleProducts.set(Code);
  if (FusibleProducts.test(Code) || Name.starts_with("FMUL_rn"))
    Scalings.set(Code);
  if (isUnrounded(Name, {"FADD", "FSUB", "FNEG", "FABS"}))
    FusingUsers.set(Code);
  if (isUnrounded(Name, {"FADD", "FSUB"}))
    FusingSums.set(Code);
  if (Name == "FNEGf32" || Name == "FNEGf64")
    Negations.set(Code);
  if (takesSigns(Name))
    SignTakers.set(Code);
}

void NVPTXOpcodes::fillSets(const TargetInstrInfo &TII) {
  for (BitVector *Set :
       {&FusibleProducts, &FusingUsers, &FusingSums, &Scalings, &Negations,
        &SignTakers, &ReadOnlyLoads, &Arithmetic, &Simple, &OfBlock, &OfThread})
    Set->resize(TII.getNumOpcodes());
  for (unsigned Code = 0; Code != TII.getNumOpcodes(); ++Code) {
    StringRef Name = TII.getName(Code);
    if (Name.starts_with("LD_GLOBAL_NC"))
      ReadOnlyLoads.set(Code);
    if (hasNoEffect(TII.get(Code))) {
      if (namesSimpleArithmetic(Name))
        Simple.set(Code);
      if (Simple.test(Code) || namesCostlyArithmetic(Name))
        Arithmetic.set(Code);
      if (readsSpecial(Name, {"CTAID", "NCTAID", "NTID"}))
        OfBlock.set(Code);
      if (readsSpecial(Name, {"TID"}))
        OfThread.set(Code);
    }
    if (isApproximateQuotient(Name)) {
      FusibleProducts.set(Code);
      Scalings.set(Code);
    }
    if (Name.starts_with("INT_NVVM_MUL_RN_"))
      Scalings.set(Code);
    if (Name == "COPY" || isMove(Name) || isPacking(Name))
      FusingUsers.set(Code);
    if (Name.starts_with("F")) // As most of the thousands do not.
      fillFloatSets(Code, Name);
  }
}

/// Finds for each product without a rounding modifier the one with it, among
/// the sets that they are in.
void NVPTXOpcodes::pairProducts(const TargetInstrInfo &TII) {
  StringMap<unsigned> Products;
  for (unsigned Code : FusibleProducts.set_bits())
    if (StringRef Name = TII.getName(Code); isUnrounded(Name, {"FMUL"}))
      Products[Name] = Code;
  for (unsigned Code : Scalings.set_bits()) {
    StringRef Type = TII.getName(Code);
    if (Type.consume_front("FMUL_rn"))
      if (unsigned Product = Products.lookup(("FMUL" + Type).str()))
        Rounded[Product] = Code;
  }
}

Expected<NVPTXOpcodes> NVPTXOpcodes::lookup(const TargetInstrInfo &TII,
                                            const TargetRegisterInfo &TRI) {
  NVPTXOpcodes Result;
  if (Error E = Result.findCodes(TII))
    return E;
  if (Error E = Result.findClasses(TRI))
    return E;
  Result.fillSets(TII);
  Result.pairProducts(TII);
  return Result;
}

Op NVPTXOpcodes::classify(unsigned MachineOpcode) const {
  for (unsigned I = 0; I != Codes.size(); ++I)
    if (Codes[I] == MachineOpcode)
      return static_cast<Op>(I);
  return Op::Count;
}

bool NVPTXOpcodes::isFusibleProduct(const MachineInstr &I) const {
  return isFusibleProduct(I.getOpcode()) || writesUnrounded(I, AsmProducts);
}

bool NVPTXOpcodes::mayFuseOperand(const MachineInstr &I) const {
  return mayFuseOperand(I.getOpcode()) || isFusingSum(I) || movesWords(I);
}

bool NVPTXOpcodes::isFusingSum(const MachineInstr &I) const {
  return isFusingSum(I.getOpcode()) || writesUnrounded(I, {"add.", "sub."});
}

bool NVPTXOpcodes::isNegation(const MachineInstr &I) const {
  // The last operand, where there are three, has subnormal numbers become zero.
  return Negations.test(I.getOpcode()) &&
         (I.getNumOperands() < 3 || I.getOperand(2).getImm() == 0);
}

bool NVPTXOpcodes::isScaling(const MachineInstr &I) const {
  if (I.isInlineAsm())
    return isFusibleProduct(I) || writesUnrounded(I, {"mul.rn."});
  return Scalings.test(I.getOpcode()) && any_of(I.operands(), isPowerOfTwo);
}

RegKind NVPTXOpcodes::kindOf(const TargetRegisterClass &RC) const {
  for (unsigned I = 0; I != Classes.size(); ++I)
    if (Classes[I] == &RC)
      return static_cast<RegKind>(I);
  return RegKind::Other;
}

const TargetRegisterClass *NVPTXOpcodes::classOf(RegKind Kind) const {
  return Kind == RegKind::Other ? nullptr
                                : Classes[static_cast<unsigned>(Kind)];
}

Expected<const NVPTXOpcodes &>
NVPTXOpcodes::of(const TargetSubtargetInfo &Subtarget) {
  static std::mutex Guard; // Candidates are compiled at the same time.
  static std::map<const MCInstrDesc *, NVPTXOpcodes> Known;
  const TargetInstrInfo &TII = *Subtarget.getInstrInfo();
  std::lock_guard<std::mutex> Lock(Guard);
  auto Place = Known.find(&TII.get(0));
  if (Place != Known.end())
    return Place->second;
  Expected<NVPTXOpcodes> Found = lookup(TII, *Subtarget.getRegisterInfo());
  if (!Found)
    return Found.takeError();
  return Known.emplace(&TII.get(0), std::move(*Found)).first->second;
}

} // namespace regdem
