//===- PtxCode.cpp - the instructions of PTX ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/PtxCode.h"

#include "PtxUses.h"
#include "regdem/MachineCode/ReversePostOrder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <utility>

using namespace llvm;

namespace regdem {

bool PtxInstruction::has(StringRef Modifier) const {
  size_t At = Opcode.find(Modifier);
  return At != StringRef::npos && (At + Modifier.size() == Opcode.size() ||
                                   Opcode[At + Modifier.size()] == '.');
}

bool isPtxNameChar(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%';
}

/// Whether C may stand in an opcode: `ld.shared::cta.b32`.
static bool isOpcodeChar(char C) {
  return isAlnum(C) || C == '_' || C == '.' || C == ':';
}

/// What is behind the `.loc` with which Text starts; all where it has none:
///
///   .loc 1 12 3, function_name $L__info1+16, inlined_at 1 40 5
///
/// An instruction may follow on the same line.
static StringRef behindLocation(StringRef Text) {
  auto SkipNumbers = [](StringRef &Rest) {
    for (unsigned N = 0; N != 3; ++N)
      Rest = Rest.ltrim().drop_while(isDigit);
  };
  StringRef Rest = Text;
  if (!Rest.consume_front(".loc") || Rest.empty() || !isSpace(Rest.front()))
    return Text;
  SkipNumbers(Rest);
  StringRef Inlined = Rest.ltrim();
  if (!Inlined.consume_front(","))
    return Rest;
  Inlined = Inlined.ltrim();
  if (!Inlined.consume_front("function_name"))
    return Rest;
  Inlined = Inlined.split(',').second.ltrim();
  if (!Inlined.consume_front("inlined_at"))
    return Rest;
  SkipNumbers(Inlined);
  return Inlined;
}

namespace {

/// Reads a body statement by statement.
class CodeReader {
public:
  explicit CodeReader(StringRef Body) : Rest(Body) {}
  PtxCode run();

private:
  void read(StringRef Statement);
  void startBlock();
  void connect();

  StringRef Rest;
  PtxCode Code;
  bool IsOpen = false; ///< The last block may go on.
  unsigned Scope = 0;
  const char *Pragma = nullptr; ///< Just before a statement.
  /// By the scope that has the label, and the label.
  std::map<std::pair<unsigned, StringRef>, unsigned> Blocks;
  StringMap<StringRef> Targets; ///< .branchtargets, by label.
  StringRef Label;              ///< Just before a statement.
};

void CodeReader::startBlock() {
  if (IsOpen)
    Code.Successors.back().push_back(
        static_cast<unsigned>(Code.Successors.size()));
  Code.Successors.emplace_back();
  Code.Begins.push_back(Rest.data());
  Pragma = nullptr;
  IsOpen = true;
}

void CodeReader::read(StringRef Statement) {
  Statement = Statement.trim();
  if (Statement.consume_front(".branchtargets")) {
    Targets[Label] = Statement;
    return;
  }
  if (Statement.starts_with(".reg") || Statement.starts_with(".param"))
    Code.Declarations.push_back({Statement, Scope});
  if (Statement.starts_with(".pragma") && !Pragma) // One may follow another.
    Pragma = Statement.data();
  if (Statement.empty() || Statement.starts_with("."))
    return;
  PtxInstruction I;
  const char *Begin = Pragma ? Pragma : Statement.data();
  I.Statement = StringRef(Begin, static_cast<size_t>(Statement.end() - Begin));
  I.Scope = Scope;
  Pragma = nullptr;
  if (Statement.consume_front("@")) {
    Statement.consume_front("!");
    I.Guard = Statement.take_while(isPtxNameChar);
    Code.IsUnclear |= I.Guard.empty();
    Statement = Statement.drop_front(I.Guard.size()).ltrim();
  }
  I.Opcode = Statement.take_while(isOpcodeChar);
  I.Operands = Statement.drop_front(I.Opcode.size()).trim();
  // ptxas takes blanks within an opcode.
  Code.IsUnclear |= I.Opcode.empty() || I.Operands.starts_with(".");
  I.Block = static_cast<unsigned>(Code.Successors.size() - 1);
  Code.Instructions.push_back(I);
  bool Ends = is_contained({"bra", "brx", "ret", "exit"}, I.root());
  if (!Ends)
    return;
  IsOpen = I.isGuarded();
  startBlock();
}

/// Adds where branches go; a block that does not exist stands for what the text
/// does not show.
void CodeReader::connect() {
  for (const PtxInstruction &I : Code.Instructions) {
    auto BlockOf = [&](StringRef Name) {
      for (unsigned S = I.Scope;; S = Code.Outer[S]) {
        if (auto At = Blocks.find({S, Name.trim()}); At != Blocks.end())
          return At->second;
        if (!S)
          return static_cast<unsigned>(Code.Successors.size());
      }
    };
    auto &To = Code.Successors[I.Block];
    if (I.root() == "bra")
      To.push_back(BlockOf(I.Operands));
    if (I.root() != "brx")
      continue;
    auto List = Targets.find(I.Operands.split(',').second.trim());
    if (List == Targets.end()) {
      To.push_back(BlockOf(""));
      continue;
    }
    for (StringRef Name : split(List->second, ','))
      To.push_back(BlockOf(Name));
  }
  // Code that is never reached, as what is behind a branch without a label,
  // leads nowhere.
  BitVector Reached(Code.Successors.size());
  for (unsigned Block : reversePostOrder(
           0, Reached.size(), [&](unsigned N) -> ArrayRef<unsigned> {
             return N < Reached.size() ? ArrayRef(Code.Successors[N])
                                       : ArrayRef<unsigned>();
           }))
    Reached.set(Block);
  for (auto [Block, To] : enumerate(Code.Successors))
    if (!Reached[Block])
      To.clear();
}

PtxCode CodeReader::run() {
  startBlock();
  while (!(Rest = Rest.ltrim()).empty()) {
    if (Rest.front() == '{') {
      Code.Outer.push_back(Scope);
      Scope = static_cast<unsigned>(Code.Outer.size() - 1);
    } else if (Rest.front() == '}') {
      Scope = Code.Outer[Scope];
    }
    if (Rest.front() == '{' || Rest.front() == '}' || Rest.front() == ';') {
      Rest = Rest.drop_front();
      continue;
    }
    StringRef Name = Rest.take_while(isPtxNameChar);
    StringRef After = Rest.drop_front(Name.size()).ltrim();
    if (!Name.empty() && After.consume_front(":")) {
      Rest = After;
      startBlock();
      Code.HasInnerLabels |= Scope != 0;
      Blocks[{Scope, Name}] = static_cast<unsigned>(Code.Successors.size() - 1);
      Label = Name;
      continue;
    }
    if (StringRef Behind = behindLocation(Rest); Behind.size() != Rest.size()) {
      Code.Locations.push_back(Rest.drop_back(Behind.size()));
      Rest = Behind;
      continue;
    }
    size_t End = Rest.find(Rest.starts_with(".file") ? '\n' : ';');
    StringRef Statement = Rest.take_front(End);
    Rest =
        End == StringRef::npos ? Rest.take_back(0) : Rest.drop_front(End + 1);
    read(Statement);
    Label = "";
  }
  connect();
  return std::move(Code);
}

} // namespace

PtxCode readPtxCode(StringRef Body) { return CodeReader(Body).run(); }

bool hasIrreducibleFlow(const PtxCode &Code) {
  size_t Count = Code.Successors.size();
  if (any_of(Code.Successors, [&](ArrayRef<unsigned> To) {
        return any_of(To, [&](unsigned Block) { return Block >= Count; });
      }))
    return true;
  // Blocks that are reached though control ends at End.
  auto ReachedUpTo = [&](size_t End) {
    return reversePostOrder(0, Count, [&](unsigned N) {
      return N == End ? ArrayRef<unsigned>() : ArrayRef(Code.Successors[N]);
    });
  };
  std::vector<unsigned> Order = ReachedUpTo(Count), Place(Count);
  for (auto [I, Block] : enumerate(Order))
    Place[Block] = static_cast<unsigned>(I);
  // An edge back to a block that is not on all ways to where it starts.
  return any_of(Order, [&](unsigned Block) {
    return any_of(Code.Successors[Block], [&](unsigned To) {
      return Place[To] < Place[Block] && is_contained(ReachedUpTo(To), Block);
    });
  });
}

// Products.

static bool isFloat(const PtxInstruction &I, StringRef Root) {
  return I.root() == Root && hasFloats(I);
}

/// Whether ptxas may fuse I, of that Root. A rounding modifier says that it may
/// not, but for pairs (".f32x2", ptxas 13.0).
static bool isUnrounded(const PtxInstruction &I, StringRef Root) {
  return isFloat(I, Root) &&
         (I.has(".f32x2") ||
          none_of(ArrayRef<StringRef>{".rn", ".rz", ".rm", ".rp"},
                  [&](StringRef R) { return I.has(R); }));
}

/// Whether I is a sum that ptxas may fuse with a product. It makes one of
/// fma.rn.f32x2 by {1, 1}.
static bool isSum(const PtxInstruction &I) {
  return isUnrounded(I, "add") || isUnrounded(I, "sub") ||
         (I.root() == "fma" && I.has(".f32x2"));
}

/// Whether I's last step is a product that ptxas may fuse into a sum.
/// Approximate quotients end in one (seen in 13.0, for sm_75 to sm_120), but
/// not rcp.approx.ftz, one instruction of the machine.
static bool isProduct(const PtxInstruction &I) {
  bool IsQuotient = I.root() == "div" && (I.has(".approx") || I.has(".full"));
  bool IsReciprocal = I.root() == "rcp" && I.has(".approx") && !I.has(".ftz");
  return isUnrounded(I, "mul") || IsQuotient || IsReciprocal;
}

/// Whether I's result is no value that ptxas could look through for a product.
static bool hidesProducts(const PtxInstruction &I) {
  static const StringSet<> Hiding = {
      "mul", "fma",  "mad",  "div",   "rcp",  "sqrt", "rsqrt", "ex2",  "lg2",
      "sin", "cos",  "tanh", "min",   "max",  "setp", "set",   "st",   "atom",
      "red", "shfl", "cvt",  "testp", "call", "ret",  "bra",   "vote", "match"};
  return Hiding.contains(I.root());
}

/// The registers that may hold the product Of on its way to a sum. Each
/// instruction that reads one of them is shown to Reader, with the register.
static SmallSetVector<StringRef, 8>
holdersOf(const PtxInstruction &Of, const PtxCode &Code,
          const RegisterUses &Uses,
          function_ref<bool(const PtxInstruction &)> Hides,
          function_ref<void(StringRef, unsigned)> Reader) {
  SmallSetVector<StringRef, 8> Values;
  Values.insert(registersIn(Of.Operands).front());
  for (size_t V = 0; V != Values.size(); ++V) {
    auto Readers = Uses.Readers.find(Values[V]);
    if (Readers == Uses.Readers.end())
      continue;
    for (unsigned N : Readers->second) {
      const PtxInstruction &I = Code.Instructions[N];
      Reader(Values[V], N);
      if (Hides(I) || isSum(I))
        continue;
      auto Named = registersIn(I.Operands);
      for (StringRef To : ArrayRef(Named).take_front(numWritten(I)))
        Values.insert(To);
    }
  }
  return Values;
}

/// Whether the product Of, or what may hand it on, meets a sum elsewhere.
static bool isOpen(const PtxInstruction &Of, const PtxCode &Code,
                   const RegisterUses &Uses) {
  bool IsOpen = false;
  holdersOf(Of, Code, Uses, hidesProducts, [&](StringRef Held, unsigned N) {
    const PtxInstruction &I = Code.Instructions[N];
    if (I.root() == "st" && I.has(".param"))
      IsOpen = true; // What it is of a function that may be inlined.
    if (hidesProducts(I) && !isSum(I))
      return;
    // A sum, or what may hand the product on to one.
    ArrayRef<unsigned> From = Uses.Writers.find(Held)->second;
    IsOpen |= From.size() != 1 || From.front() >= N ||
              Code.Instructions[From.front()].Block != I.Block;
  });
  return IsOpen;
}

std::vector<PtxInstruction> openProducts(const PtxCode &Code) {
  RegisterUses Uses(Code);
  std::vector<PtxInstruction> Open;
  for (const PtxInstruction &I : Code.Instructions)
    if (isProduct(I) && numWritten(I) && isOpen(I, Code, Uses))
      Open.push_back(I);
  return Open;
}

/// Operand N of I, all of whose operands are scalars.
static StringRef operandOf(const PtxInstruction &I, unsigned N) {
  StringRef Rest = I.Operands;
  for (; N; --N)
    Rest = Rest.split(',').second;
  return Rest.split(',').first.trim();
}

/// Whether I's result may be what it reads: a product by 1 (in single precision
/// ptxas multiplies by that, too), the maximum of one number, a conversion of
/// numbers to their own type or between integers.
static bool mayHandOn(const PtxInstruction &I) {
  bool IsFloat = hasFloats(I);
  if (I.root() == "mul" || I.root() == "mad")
    return IsFloat ? I.has(".f64") || I.has(".f32x2")
                   : operandOf(I, 1) == "1" || operandOf(I, 2) == "1";
  if (I.root() == "min" || I.root() == "max")
    return operandOf(I, 1) == operandOf(I, 2);
  auto [Front, From] = I.Opcode.rsplit('.');
  return I.root() == "cvt" && (!IsFloat || Front.rsplit('.').second == From);
}

/// S, fused with Product, which is its operand N (1 or 2).
///
///   mul.f32 %f3, %f1, %f2;  sub.f32 %f5, %f4, %f3;
///   { .reg .f32 %negated; neg.f32 %negated, %f1;
///     fma.rn.f32 %f5, %negated, %f2, %f4; }
static std::string fusedWith(const PtxInstruction &Product,
                             const PtxInstruction &S, unsigned N) {
  StringRef Type = S.Opcode.drop_front(S.root().size()); // ".ftz.f32"
  std::string A = operandOf(Product, 1).str(),
              Added = operandOf(S, 3 - N).str();
  std::string &Negated = N == 1 ? Added : A;
  std::string Before;
  StringRef After;
  if (S.root() == "sub") {
    StringRef Of = Type.substr(Type.rfind('.'));
    Before = ("{ .reg " + Of + " %negated; neg" + Type + " %negated, " +
              Negated + "; ")
                 .str();
    Negated = "%negated";
    After = "; }";
  }
  return (Before + "fma.rn" + Type + " " + operandOf(S, 0) + ", " + A + ", " +
          operandOf(Product, 2) + ", " + Added + After)
      .str();
}

std::vector<PtxFusedSum> fusedSums(const PtxCode &Code,
                                   ArrayRef<PtxInstruction> Products) {
  RegisterUses Uses(Code);
  auto IsSum = [&Code](unsigned N) {
    const PtxInstruction &I = Code.Instructions[N];
    return isSum(I) && !I.isGuarded();
  };
  StringMap<const PtxInstruction *> Vanishing; ///< By register.
  for (const PtxInstruction &P : Products) {
    StringRef Register = operandOf(P, 0);
    if (!P.isGuarded() && Uses.Writers[Register].size() == 1 &&
        all_of(Uses.Readers[Register], IsSum))
      Vanishing[Register] = &P;
  }
  std::vector<PtxFusedSum> Fused;
  for (unsigned N = 0; N != Code.Instructions.size(); ++N) {
    const PtxInstruction &I = Code.Instructions[N];
    for (unsigned Place : {1, 2})
      if (const PtxInstruction *P =
              IsSum(N) ? Vanishing.lookup(operandOf(I, Place)) : nullptr) {
        Fused.push_back({I, fusedWith(*P, I, Place)});
        break;
      }
  }
  return Fused;
}

std::vector<StringRef> fusibleProducts(const PtxCode &Code) {
  RegisterUses Uses(Code);
  SetVector<StringRef, std::vector<StringRef>> Fusible;
  for (const PtxInstruction &Of : Code.Instructions) {
    // ptxas has FMUL.D2 and the like do `(a * b) * 0.5f` in one, with one
    // rounding, of subnormal numbers and those too large.
    bool MayBeScaled = isFloat(Of, "mul") && Of.has(".f32");
    if ((!isProduct(Of) && !MayBeScaled) || !numWritten(Of))
      continue;
    bool IsFusible = false;
    auto Hides = [](const PtxInstruction &I) {
      return hidesProducts(I) && !mayHandOn(I);
    };
    auto Holders = holdersOf(Of, Code, Uses, Hides, [&](StringRef, unsigned N) {
      const PtxInstruction &I = Code.Instructions[N];
      bool Scales = isFloat(I, "mul") || I.root() == "div";
      IsFusible |= isSum(I) || (MayBeScaled && Scales) ||
                   (I.root() == "st" && I.has(".local")); // And loaded again.
    });
    if (IsFusible)
      Fusible.insert(Holders.begin(), Holders.end());
  }
  return Fusible.takeVector();
}

} // namespace regdem
