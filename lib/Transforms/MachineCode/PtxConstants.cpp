//===- PtxConstants.cpp - what ptxas may know of registers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mov.f32 %f1, 0f3F800000;      // 1 and -1 by turns
//   L: mul.f32 %f2, %f8, %f1;     // unrolled: %f8, and -%f8
//      neg.f32 %f1, %f1;
//
// ptxas computes with constants that it knows, which may round or approximate
// otherwise, and a build in which it knows less or unrolls less does not.
//
//===----------------------------------------------------------------------===//

#include "PtxUses.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace regdem {

namespace {

/// Whether I computes its result, the only one, of its operands alone.
bool computes(const PtxInstruction &I) {
  static const StringSet<> Roots = {
      "mov", "add",  "sub",  "mul",   "mad",  "fma",  "div",     "rem",
      "neg", "abs",  "min",  "max",   "and",  "or",   "xor",     "not",
      "shl", "shr",  "cvt",  "selp",  "slct", "rcp",  "sqrt",    "rsqrt",
      "sin", "cos",  "ex2",  "lg2",   "tanh", "popc", "clz",     "bfe",
      "bfi", "prmt", "lop3", "szext", "cnot", "brev", "copysign"};
  return Roots.contains(I.root()) && !I.isGuarded() && numWritten(I) == 1;
}

bool isApproximate(const PtxInstruction &I) {
  return I.has(".approx") || I.has(".full") ||
         is_contained({"sin", "cos", "ex2", "lg2", "tanh"}, I.root());
}

/// Whether I multiplies floating-point numbers.
bool multiplies(const PtxInstruction &I) {
  return hasFloats(I) && is_contained({"mul", "mad", "fma", "div"}, I.root());
}

SmallVector<StringRef, 4> readBy(const PtxInstruction &I) {
  SmallVector<StringRef, 4> Named = registersIn(I.Operands);
  Named.erase(Named.begin(), Named.begin() + numWritten(I));
  return Named;
}

} // namespace

PtxConstants findConstants(const PtxCode &Code) {
  RegisterUses Uses(Code);
  StringSet<> Known;
  for (const auto &Register : Uses.Writers)
    Known.insert(Register.first());
  auto Follows = [&](unsigned N) {
    const PtxInstruction &I = Code.Instructions[N];
    return computes(I) && all_of(readBy(I), [&](StringRef From) {
             return Known.contains(From);
           });
  };
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const auto &Register : Uses.Writers)
      if (Known.contains(Register.first()) && !all_of(Register.second, Follows))
        Changes |= Known.erase(Register.first());
  }
  // Those that iterations change, and what follows from them.
  StringSet<> Counters;
  auto IsCounter = [&](StringRef R) { return Counters.contains(R); };
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const auto &Register : Uses.Writers) {
      StringRef Name = Register.first();
      if (Known.contains(Name) && !IsCounter(Name) &&
          (Register.second.size() > 1 ||
           any_of(readBy(Code.Instructions[Register.second.front()]),
                  IsCounter)))
        Changes |= Counters.insert(Name).second;
    }
  }
  PtxConstants Result;
  for (unsigned N = 0; N != Code.Instructions.size(); ++N) {
    const PtxInstruction &I = Code.Instructions[N];
    bool ReadsCounter = any_of(readBy(I), IsCounter);
    Result.MayBeFolded |=
        ReadsCounter && (multiplies(I) || (isApproximate(I) && Follows(N)));
  }
  for (const auto &Register : Uses.Writers)
    if (Known.contains(Register.first()) && !IsCounter(Register.first()))
      Result.Registers.push_back(Register.first().str());
  return Result;
}

} // namespace regdem
