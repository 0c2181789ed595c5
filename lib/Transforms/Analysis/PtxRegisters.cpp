//===- PtxRegisters.cpp - which registers PTX reads and writes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regdem {

/// Of a register of Type; 0: not known.
static unsigned bitsOfType(StringRef Type) {
  return StringSwitch<unsigned>(Type)
      .Case(".pred", 1)
      .Cases({".b8", ".u8", ".s8"}, 8)
      .Cases({".b16", ".u16", ".s16", ".f16", ".bf16"}, 16)
      .Cases({".b32", ".u32", ".s32", ".f32", ".f16x2", ".bf16x2"}, 32)
      .Cases({".b64", ".u64", ".s64", ".f64", ".f32x2"}, 64)
      .Case(".b128", 128)
      .Default(0);
}

/// Opcodes, to the first dot, that write their first operand unless it is an
/// address.
static bool writesFirst(StringRef Root) {
  static const StringSet<> Known = {"abs",      "activemask", "add",
                                    "addc",     "and",        "applypriority",
                                    "atom",     "bfe",        "bfi",
                                    "bfind",    "bmsk",       "brev",
                                    "clz",      "cnot",       "copysign",
                                    "cos",      "cp",         "createpolicy",
                                    "cvt",      "cvta",       "discard",
                                    "div",      "dp2a",       "dp4a",
                                    "elect",    "ex2",        "fma",
                                    "fns",      "isspacep",   "ld",
                                    "ldmatrix", "ldu",        "lg2",
                                    "lop3",     "mad",        "mad24",
                                    "madc",     "mapa",       "match",
                                    "max",      "mbarrier",   "min",
                                    "mma",      "mov",        "movmatrix",
                                    "mul",      "mul24",      "multimem",
                                    "neg",      "not",        "or",
                                    "popc",     "prefetch",   "prefetchu",
                                    "prmt",     "rcp",        "red",
                                    "redux",    "rem",        "rsqrt",
                                    "sad",      "selp",       "set",
                                    "setp",     "shf",        "shfl",
                                    "shl",      "shr",        "sin",
                                    "slct",     "sqrt",       "st",
                                    "stmatrix", "sub",        "subc",
                                    "suld",     "suq",        "sured",
                                    "sust",     "szext",      "tanh",
                                    "testp",    "tex",        "tld4",
                                    "txq",      "vote",       "wmma",
                                    "xor"};
  return Known.contains(Root);
}

/// Opcodes that write no register.
static bool writesNothing(StringRef Root) {
  static const StringSet<> Known = {
      "bar",   "barrier",        "bra",    "brkpt",     "brx",     "exit",
      "fence", "griddepcontrol", "membar", "nanosleep", "pmevent", "ret",
      "trap"};
  return Known.contains(Root);
}

/// The part of I's operands that it writes; an error where that is not known.
static Expected<StringRef> writtenBy(const PtxInstruction &I) {
  StringRef Root = I.root(), Operands = I.Operands;
  bool IsReduction = (Root == "bar" || Root == "barrier") && I.has(".red");
  if (Root == "call")
    return Operands.starts_with("(")
               ? Operands.take_until([](char C) { return C == ')'; })
               : StringRef();
  if (writesNothing(Root) && !IsReduction)
    return StringRef();
  if (!writesFirst(Root) && !IsReduction)
    return createStringError("'" + I.Opcode + "' is not known");
  if (Operands.starts_with("["))
    return StringRef();
  char End = Operands.starts_with("{") ? '}' : ',';
  return Operands.take_until([End](char C) { return C == End; });
}

/// Splits "%r12" into "%r" and 12; no number where there is none.
static std::pair<StringRef, std::optional<unsigned>> splitName(StringRef Name) {
  StringRef Prefix = Name.rtrim("0123456789");
  StringRef Digits = Name.drop_front(Prefix.size());
  unsigned Number = 0;
  if (Digits.empty() || (Digits.size() > 1 && Digits.front() == '0') ||
      Digits.getAsInteger(10, Number))
    return {Name, std::nullopt};
  return {Prefix, Number};
}

/// Whether Name, or one of its family, is one of Its, too.
bool RegisterTable::hasName(const ScopeNames &Its, StringRef Name,
                            bool IsFamily) {
  StringRef Prefix = IsFamily ? Name : splitName(Name).first;
  if (!IsFamily && Its.Bits.contains(Name))
    return true;
  if (any_of(Its.Families, [&](const Family &F) { return F.Prefix == Prefix; }))
    return true;
  return IsFamily && any_of(Its.Bits.keys(), [&](StringRef Other) {
           return splitName(Other).first == Prefix;
         });
}

/// Whether Name, or one of its family, is one of a scope around Scope or in it
/// as well.
bool RegisterTable::clashes(StringRef Name, bool IsFamily,
                            unsigned Scope) const {
  auto IsIn = [this](unsigned Inner, unsigned Of) {
    while (Inner > Of)
      Inner = Outer[Inner];
    return Inner == Of;
  };
  for (unsigned S = 0; S != Names.size(); ++S)
    if ((IsIn(Scope, S) || IsIn(S, Scope)) && hasName(Names[S], Name, IsFamily))
      return true;
  return false;
}

Error RegisterTable::declare(StringRef Text, unsigned Scope) {
  Text = Text.drop_front(StringRef(".reg").size()).ltrim();
  StringRef Type = Text.take_until([](char C) { return isSpace(C); });
  unsigned Bits = bitsOfType(Type);
  if (!Bits)
    return createStringError("'" + Type + "' is not known");
  for (StringRef Item : split(Text.drop_front(Type.size()), ',')) {
    auto [Name, Count] = Item.trim().split('<');
    bool IsFamily = !Count.empty();
    unsigned Number = 0;
    if (IsFamily && Count.rtrim("> \t").getAsInteger(10, Number))
      return createStringError("'" + Item.trim() + "' is not known");
    if (Name.empty() || clashes(Name, IsFamily, Scope))
      return createStringError("'" + Name + "' is declared twice");
    if (IsFamily)
      Names[Scope].Families.push_back({Name, Number, Bits});
    else
      Names[Scope].Bits[Name] = Bits;
  }
  return Error::success();
}

Error RegisterTable::declare(const PtxCode &Code) {
  Outer = Code.Outer;
  Names.resize(Outer.size());
  Values.resize(Outer.size());
  for (const PtxDeclaration &D : Code.Declarations)
    if (D.Text.starts_with(".reg"))
      if (Error E = declare(D.Text, D.Scope))
        return E;
  return Error::success();
}

/// Of the register Name, as Scope itself declares it; 0: it does not.
unsigned RegisterTable::bitsOf(StringRef Name, unsigned Scope) const {
  const ScopeNames &Its = Names[Scope];
  if (auto Known = Its.Bits.find(Name); Known != Its.Bits.end())
    return Known->second;
  auto [Prefix, Number] = splitName(Name);
  for (const Family &F : Its.Families)
    if (Number && F.Prefix == Prefix && *Number < F.Count)
      return F.Bits;
  return 0;
}

/// Adds the registers that Operands name to Found.
void RegisterTable::find(StringRef Operands, unsigned Scope,
                         SmallVectorImpl<ValueId> &Found) {
  while (!Operands.empty()) {
    StringRef Name = Operands.take_while(isPtxNameChar);
    if (Name.empty()) {
      Operands = Operands.drop_front();
      continue;
    }
    Operands = Operands.drop_front(Name.size());
    unsigned S = Scope, Bits;
    while (!(Bits = bitsOf(Name, S)) && S)
      S = Outer[S];
    if (!Bits)
      continue;
    auto [At, IsNew] =
        Values[S].try_emplace(Name, static_cast<ValueId>(Registers.size()));
    if (IsNew) {
      Registers.push_back({Name, Bits});
      Scopes.push_back(S);
    }
    if (!is_contained(Found, At->second))
      Found.push_back(At->second);
  }
}

Expected<RegisterTable::Named>
RegisterTable::registersOf(const PtxInstruction &I) {
  auto Written = writtenBy(I);
  if (!Written)
    return Written.takeError();
  Named Result;
  find(I.Guard, I.Scope, Result.Read);
  find(*Written, I.Scope, Result.Written);
  find(I.Operands.drop_front(Written->size()), I.Scope, Result.Read);
  return Result;
}

} // namespace regdem
