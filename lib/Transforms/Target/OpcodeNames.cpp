//===- OpcodeNames.cpp - what an NVPTX opcode's name tells ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpcodeNames.h"

#include "llvm/ADT/STLExtras.h"
#include <array>
#include <limits>
#include <vector>

using namespace llvm;

namespace regdem {

namespace {

/// Prefixes by their first character: thousands of names are looked at whenever
/// a program starts, and most begin otherwise.
class PrefixSet {
public:
  PrefixSet(std::initializer_list<StringRef> Prefixes) {
    for (StringRef Prefix : Prefixes)
      ByFirst[index(Prefix)].push_back(Prefix);
  }

  bool startsName(StringRef Name) const {
    return any_of(ByFirst[index(Name)], [Name](StringRef Prefix) {
      return Name.starts_with(Prefix);
    });
  }

private:
  static size_t index(StringRef Text) {
    return static_cast<unsigned char>(Text.front());
  }

  std::array<std::vector<StringRef>,
             std::numeric_limits<unsigned char>::max() + 1>
      ByFirst;
};

} // namespace

// These two look at the first character before they compare, too.

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
  static const PrefixSet Prefixes(
      {"DIV_APPROX_F32", "FDIV32r", "RCP_APPROX_F32"});
  return Prefixes.startsName(Name) && !Name.ends_with("_prec");
}

bool isPacking(StringRef Name) {
  static const PrefixSet Prefixes(
      {"V2I32to", "V2I64to", "I64toV2", "I64toI32", "I128to"});
  return Prefixes.startsName(Name);
}

bool namesSimpleArithmetic(StringRef Name) {
  static const PrefixSet Prefixes(
      {"ADD",  "SUB",   "MUL",   "MAD",  "SHL",   "SRL",   "SRA",  "SHF_",
       "SMIN", "SMAX",  "UMIN",  "UMAX", "MIN_",  "MAX_",  "AND_", "OR_",
       "XOR_", "NOT_",  "NEG_",  "ABS_", "SELP_", "CVT_",  "PRMT", "BFE_",
       "BFI_", "FADD",  "FSUB",  "FMUL", "FMA_",  "FNEG",  "FABS", "V2I",
       "V4I",  "I32to", "I64to", "I128", "MOV_B", "MOV_F", "COPY"});
  return Prefixes.startsName(Name);
}

bool namesCostlyArithmetic(StringRef Name) {
  static const PrefixSet Prefixes(
      {"SETP_",         "SDIV",          "UDIV",          "SREM",
       "UREM",          "CLZ",           "POPC",          "BREV",
       "FDIV",          "FRCP",          "FSQRT",         "DIV_APPROX",
       "RCP_APPROX",    "RSQRT_APPROX",  "EX2_APPROX",    "LG2_APPROX",
       "SIN_APPROX",    "COS_APPROX",    "INT_NVVM_ADD_", "INT_NVVM_SUB_",
       "INT_NVVM_MUL",  "INT_NVVM_FMA_", "INT_NVVM_DIV_", "INT_NVVM_RCP_",
       "INT_NVVM_SQRT_"});
  return Prefixes.startsName(Name);
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
