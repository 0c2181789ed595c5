//===- OpcodeNames.cpp - what an NVPTX opcode's name tells ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpcodeNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

// These two look at the first character before they compare: most names differ
// there, and thousands are looked at.

bool isUnrounded(StringRef Name, ArrayRef<StringRef> Operations) {
  return any_of(Operations, [Name](StringRef Operation) {
    StringRef Rest = Name;
    return Rest.front() == Operation.front() && Rest.consume_front(Operation) &&
           !Rest.starts_with("_rn");
  });
}

bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return any_of(Prefixes, [Name](StringRef Prefix) {
    return Name.front() == Prefix.front() && Name.starts_with(Prefix);
  });
}

bool isApproximateQuotient(StringRef Name) {
  return startsWithAny(Name, {"DIV_APPROX_F32", "FDIV32r", "RCP_APPROX_F32"}) &&
         !Name.ends_with("_prec");
}

bool isPacking(StringRef Name) {
  return startsWithAny(Name,
                       {"V2I32to", "V2I64to", "I64toV2", "I64toI32", "I128to"});
}

bool namesSimpleArithmetic(StringRef Name) {
  return startsWithAny(
      Name, {"ADD",  "SUB",   "MUL",   "MAD",  "SHL",   "SRL",   "SRA",  "SHF_",
             "SMIN", "SMAX",  "UMIN",  "UMAX", "MIN_",  "MAX_",  "AND_", "OR_",
             "XOR_", "NOT_",  "NEG_",  "ABS_", "SELP_", "CVT_",  "PRMT", "BFE_",
             "BFI_", "FADD",  "FSUB",  "FMUL", "FMA_",  "FNEG",  "FABS", "V2I",
             "V4I",  "I32to", "I64to", "I128", "MOV_B", "MOV_F", "COPY"});
}

bool namesCostlyArithmetic(StringRef Name) {
  return startsWithAny(
      Name, {"SETP_",         "SDIV",          "UDIV",          "SREM",
             "UREM",          "CLZ",           "POPC",          "BREV",
             "FDIV",          "FRCP",          "FSQRT",         "DIV_APPROX",
             "RCP_APPROX",    "RSQRT_APPROX",  "EX2_APPROX",    "LG2_APPROX",
             "SIN_APPROX",    "COS_APPROX",    "INT_NVVM_ADD_", "INT_NVVM_SUB_",
             "INT_NVVM_MUL",  "INT_NVVM_FMA_", "INT_NVVM_DIV_", "INT_NVVM_RCP_",
             "INT_NVVM_SQRT_"});
}

bool readsSpecial(StringRef Name, ArrayRef<StringRef> Registers) {
  return Name.consume_front("INT_PTX_SREG_") &&
         (Name.consume_back("_x") || Name.consume_back("_y") ||
          Name.consume_back("_z")) &&
         is_contained(Registers, Name);
}

bool isMove(StringRef Name) {
  return Name.starts_with("MOV_B") && Name.ends_with("_r");
}

bool takesSigns(StringRef Name) {
  return startsWithAny(Name, {"FADD", "FSUB", "FMUL", "FMA_F"}) &&
         (Name.contains_insensitive("f32r") ||
          Name.contains_insensitive("f64r"));
}

} // namespace regdem
