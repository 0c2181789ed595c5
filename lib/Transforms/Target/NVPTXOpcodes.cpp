//===- NVPTXOpcodes.cpp - NVPTX opcodes and classes by name ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/NVPTXOpcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Regex.h"
#include <climits>

using namespace llvm;

namespace regdem {

static constexpr const char *OpcodeNames[] = {
#define REGDEM_NAME(Name) #Name,
    REGDEM_NVPTX_OPCODES(REGDEM_NAME)
#undef REGDEM_NAME
};

static constexpr const char *ClassNames[] = {"B1", "B16", "B32", "B64", "B128"};

namespace {

/// Whether Name starts with one of Prefixes, which are sorted and of which none
/// starts with another. Thousands of names are looked at whenever a program
/// starts.
bool startsWithAny(StringRef Name, ArrayRef<StringLiteral> Prefixes) {
  const auto *After = upper_bound(Prefixes, Name);
  return After != Prefixes.begin() && Name.starts_with(After[-1]);
}

/// Whether Name is one of Operations on a floating-point type without rounding
/// modifier: "FMULf32rr" is FMUL's, "FMUL_rnf32rr" is not.
bool isUnrounded(StringRef Name, ArrayRef<StringRef> Operations) {
  return any_of(Operations, [Name](StringRef Operation) {
    StringRef Rest = Name;
    return Rest.consume_front(Operation) && !Rest.starts_with("_rn");
  });
}

/// Whether Name is that of an approximate quotient, which ptxas makes a product
/// with a reciprocal: div.approx.f32, div.full.f32, rcp.approx.f32.
bool isApproximateQuotient(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {"DIV_APPROX_F32", "FDIV32r",
                                               "RCP_APPROX_F32"};
  return startsWithAny(Name, Prefixes) && !Name.ends_with("_prec");
}

/// Whether Name takes wide registers apart or puts them together.
bool isPacking(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {"I128to", "I64toI32", "I64toV2",
                                               "V2I32to", "V2I64to"};
  return startsWithAny(Name, Prefixes);
}

/// Whether Name is that of simple arithmetic: at most a few cycles of a unit
/// that every sub-partition has.
bool namesSimpleArithmetic(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "ABS_", "ADD",  "AND_",  "BFE_",  "BFI_",  "COPY", "CVT_",  "FABS",
      "FADD", "FMA_", "FMUL",  "FNEG",  "FSUB",  "I128", "I32to", "I64to",
      "MAD",  "MAX_", "MIN_",  "MOV_B", "MOV_F", "MUL",  "NEG_",  "NOT_",
      "OR_",  "PRMT", "SELP_", "SHF_",  "SHL",   "SMAX", "SMIN",  "SRA",
      "SRL",  "SUB",  "UMAX",  "UMIN",  "V2I",   "V4I",  "XOR_"};
  return startsWithAny(Name, Prefixes);
}

/// Whether Name reads one of Registers of the block or thread, in x, y or z.
bool readsSpecial(StringRef Name, ArrayRef<StringRef> Registers) {
  return Name.consume_front("INT_PTX_SREG_") &&
         (Name.consume_back("_x") || Name.consume_back("_y") ||
          Name.consume_back("_z")) &&
         is_contained(Registers, Name);
}

/// Whether Name is a sum or product of scalars of 32 or 64 bits: FADD, FMUL and
/// FFMA, DADD, DMUL and DFMA negate what they read.
bool takesSigns(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {"FADD", "FMA_F", "FMUL", "FSUB"};
  return startsWithAny(Name, Prefixes) && (Name.contains_insensitive("f32r") ||
                                           Name.contains_insensitive("f64r"));
}

} // namespace

/// The text of I, which is inline assembly.
static StringRef assemblyOf(const MachineInstr &I) {
  return I.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
}

/// Whether Text, assembly, has one of Operations, such as "mul.", on a
/// floating-point type without rounding modifier: "mul.ftz.f32".
static bool writesUnrounded(StringRef Text, ArrayRef<StringRef> Operations) {
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

bool hasUnroundedSum(StringRef Assembly) {
  return writesUnrounded(Assembly, {"add.", "sub."});
}

bool hasUnroundedProduct(StringRef Assembly) {
  return writesUnrounded(Assembly,
                         {"mul.", "div.approx.", "div.full.", "rcp.approx.f"});
}

bool readsClock(StringRef Assembly) {
  static const Regex Clock("%(clock|globaltimer|pm[0-9])");
  return Clock.match(Assembly);
}

/// Whether I is rcp.approx.ftz.f32, one instruction of the machine. Without
/// "ftz" ptxas scales what is subnormal by a product.
static bool isPlainReciprocal(const MachineInstr &I, StringRef Name) {
  return Name.starts_with("RCP_APPROX_F32") &&
         I.getOperand(I.getNumExplicitOperands() - 1).getImm() != 0;
}

/// Whether I is inline assembly that may hand a product on in a wider word.
static bool movesWords(const MachineInstr &I) {
  if (!I.isInlineAsm())
    return false;
  StringRef Text = assemblyOf(I);
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
  if (Name.starts_with("FMA_F") || Name.starts_with("FMUL"))
    NumberTakers.set(Code);
}

void NVPTXOpcodes::fillSets(const TargetInstrInfo &TII) {
  for (BitVector *Set : {&FusibleProducts, &FusingUsers, &FusingSums, &Scalings,
                         &Negations, &SignTakers, &NumberTakers, &ReadOnlyLoads,
                         &Simple, &ConstantReads, &ClockReads})
    Set->resize(TII.getNumOpcodes());
  for (unsigned Code = 0; Code != TII.getNumOpcodes(); ++Code) {
    StringRef Name = TII.getName(Code);
    if (Name.starts_with("LD_GLOBAL_NC"))
      ReadOnlyLoads.set(Code);
    if (Name.starts_with("SREG_CLOCK") || Name.starts_with("SREG_GLOBALTIMER"))
      ClockReads.set(Code);
    if (Name.starts_with("ST_i"))
      NumStored[Code] = 1;
    if (Name.starts_with("STV_i"))
      NumStored[Code] = static_cast<unsigned>(Name.back() - '0');
    if (hasNoEffect(TII.get(Code))) {
      if (namesSimpleArithmetic(Name))
        Simple.set(Code);
      if (readsSpecial(Name, {"CTAID", "NCTAID", "NTID", "TID"}))
        ConstantReads.set(Code);
    }
    if (isApproximateQuotient(Name)) {
      FusibleProducts.set(Code);
      Scalings.set(Code);
    }
    if (Name.starts_with("INT_NVVM_MUL_RN_"))
      Scalings.set(Code);
    bool IsMove = Name.starts_with("MOV_B") && Name.ends_with("_r");
    if (Name == "COPY" || IsMove || isPacking(Name))
      FusingUsers.set(Code);
    if (Name.starts_with("SETP_f32r") || Name.starts_with("SETP_f64r"))
      NumberTakers.set(Code);
    if (Name.starts_with("F")) // As most of the thousands do not.
      fillFloatSets(Code, Name);
  }
}

/// Finds for each sum or product with a rounding modifier the one without it.
void NVPTXOpcodes::pairRounded(const TargetInstrInfo &TII) {
  StringMap<unsigned> Unrounded;
  for (const BitVector *Set : {&FusingSums, &FusibleProducts})
    for (unsigned Code : Set->set_bits())
      Unrounded[TII.getName(Code)] = Code;
  for (unsigned Code = 0; Code != TII.getNumOpcodes(); ++Code) {
    StringRef Type = TII.getName(Code);
    for (StringRef Operation : {"FADD", "FSUB", "FMUL"})
      if (Type.consume_front(Operation) && Type.consume_front("_rn"))
        if (unsigned Plain = Unrounded.lookup((Operation + Type).str()))
          (Operation == "FMUL" ? PlainProducts : PlainSums)[Code] = Plain;
  }
}

Op NVPTXOpcodes::classify(unsigned MachineOpcode) const {
  for (unsigned I = 0; I != Codes.size(); ++I)
    if (Codes[I] == MachineOpcode)
      return static_cast<Op>(I);
  return Op::Count;
}

bool NVPTXOpcodes::isFusibleProduct(const MachineInstr &I) const {
  if (!FusibleProducts.test(I.getOpcode()))
    return I.isInlineAsm() && hasUnroundedProduct(assemblyOf(I));
  const TargetInstrInfo &TII = *I.getMF()->getSubtarget().getInstrInfo();
  return !isPlainReciprocal(I, TII.getName(I.getOpcode()));
}

bool NVPTXOpcodes::mayFuseOperand(const MachineInstr &I) const {
  return FusingUsers.test(I.getOpcode()) || isFusingSum(I) || movesWords(I);
}

bool NVPTXOpcodes::isFusingSum(const MachineInstr &I) const {
  return FusingSums.test(I.getOpcode()) ||
         (I.isInlineAsm() && hasUnroundedSum(assemblyOf(I)));
}

bool NVPTXOpcodes::readsClock(const MachineInstr &I) const {
  return I.isInlineAsm() ? regdem::readsClock(assemblyOf(I))
                         : ClockReads.test(I.getOpcode());
}

bool NVPTXOpcodes::isNegation(const MachineInstr &I) const {
  // The last operand, where there are three, has subnormal numbers become zero.
  return Negations.test(I.getOpcode()) &&
         (I.getNumOperands() < 3 || I.getOperand(2).getImm() == 0);
}

bool NVPTXOpcodes::isScaling(const MachineInstr &I) const {
  if (I.isInlineAsm())
    return isFusibleProduct(I) || writesUnrounded(assemblyOf(I), {"mul.rn."});
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
  static NVPTXOpcodes Known;
  // Candidates are compiled at the same time: the first one fills Known.
  static const std::string Missing = [&] {
    const TargetInstrInfo &TII = *Subtarget.getInstrInfo();
    Error E = Known.findCodes(TII);
    if (!E)
      E = Known.findClasses(*Subtarget.getRegisterInfo());
    if (!E) {
      Known.fillSets(TII);
      Known.pairRounded(TII);
    }
    return toString(std::move(E));
  }();
  if (!Missing.empty())
    return createStringError(Missing);
  return Known;
}

} // namespace regdem
