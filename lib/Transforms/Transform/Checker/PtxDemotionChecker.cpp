//===- PtxDemotionChecker.cpp - prove that PTX kept every value -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Checker/PtxDemotionChecker.h"

#include "PtxLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace regdem {

using namespace ptxcheck;

namespace {

/// Where a value may be besides its register: a word of the thread's slots, or
/// one of the two registers for halves.
enum Place : int { Low = -2, High = -1, FirstSlot = 0 };
enum class Part { Whole, Low, High };

struct Fact {
  int Where;
  StringRef Register;
  Part Of;

  bool operator<(const Fact &O) const {
    return std::tie(Where, Register, Of) < std::tie(O.Where, O.Register, O.Of);
  }
};
using Facts = std::set<Fact>;

/// An instruction that was inserted.
struct Inserted {
  enum Kind { Store, Load, Split, Join, Repeat } What;
  StringRef Register; ///< An original one, or %regdem1 or %regdem2.
  unsigned Bits = 0;
  uint64_t Offset = 0; ///< Of the slot.
};

class Checker {
public:
  Checker(const PtxFile &Original, const PtxFunction &Before,
          const PtxFile &Demoted, const PtxFunction &After)
      : After(After), Old(splitLines(Original.bodyOf(Before))),
        New(splitLines(Demoted.bodyOf(After))), Was(New.size()) {}

  Error run();

private:
  Error fail(size_t Line, const Twine &Why) const {
    return createStringError("'" + After.Name + "': '" + New[Line].Text +
                             "': " + Why);
  }

  Error matchSetUp(size_t &At);
  Error matchLines(size_t At);
  Error matchEdges(size_t At);
  std::optional<Inserted> readInserted(StringRef Text) const;
  bool isRepeatable(StringRef Text) const;
  Error checkNames() const;
  Expected<SmallVector<size_t, 2>> successors(size_t Line) const;
  Error apply(size_t Line, Facts &Now) const;
  Error access(size_t Line, const Inserted &I, Facts &Now) const;
  Error follow() const;

  const PtxFunction &After;
  const std::vector<Line> Old, New;
  std::vector<std::optional<Inserted>> Was; ///< By line of New.
  std::map<StringRef, StringRef> Edges;     ///< Where their labels lead to.
  std::map<StringRef, size_t> Labels;       ///< Lines of New.
  uint64_t Threads = 1, SlotBytes = 0;
  unsigned Unit = 0; ///< Bytes of a thread in each row of the slots.
};

} // namespace

/// The lines that compute a thread's place, for blocks of Dims (0: any).
static std::vector<std::string>
expectedSetUp(const unsigned (&Dims)[3], uint64_t SlotBytes, unsigned Unit) {
  std::vector<std::string> Lines = {".reg .b32 %regdem<3>",
                                    ".reg .b64 %regdemw<2>"};
  if (!SlotBytes)
    return Lines;
  auto Add = [&](const Twine &Text) { Lines.push_back(Text.str()); };
  Add(".shared .align 8 .b8 __regdem_slots[" + Twine(SlotBytes) + "]");
  int Last = Dims[2] != 1 ? 2 : Dims[1] != 1 ? 1 : 0;
  Add("mov.u32 %regdem0, %tid." + Twine("xyz"[Last]));
  // Number = number in the plane, row or column * extent + index.
  for (int D = Last - 1; D >= 0; --D) {
    Add("mov.u32 %regdem1, %tid." + Twine("xyz"[D]));
    if (!Dims[D])
      Add("mov.u32 %regdem2, %ntid." + Twine("xyz"[D]));
    Add("mad.lo.u32 %regdem0, %regdem0, " +
        (Dims[D] ? Twine(Dims[D]) : Twine("%regdem2")) + ", %regdem1");
  }
  Add("mul.wide.u32 %regdemw1, %regdem0, " + Twine(Unit));
  Add("mov.b64 %regdemw0, __regdem_slots");
  Add("add.s64 %regdemw0, %regdemw0, %regdemw1");
  return Lines;
}

/// Takes the set-up code from line At on.
Error Checker::matchSetUp(size_t &At) {
  const PtxDirective *Exact = After.find(".reqntid");
  const PtxDirective *Bound = Exact ? Exact : After.find(".maxntid");
  if (!Bound || Bound->Numbers.empty())
    return createStringError("'" + After.Name + "' states no block size");
  unsigned Dims[3] = {0, 0, 0};
  for (auto [I, Extent] : enumerate(Bound->Numbers)) {
    Threads *= Extent;
    if (Exact && I < 3)
      Dims[I] = Extent;
  }
  for (size_t I = Bound->Numbers.size(); Exact && I < 3; ++I)
    Dims[I] = 1;
  static const Regex Slots("^\\.shared \\.align 8 \\.b8 "
                           "__regdem_slots\\[([0-9]+)\\]$");
  SmallVector<StringRef, 2> Match;
  if (New.size() > 2 && Slots.match(New[2].Text, &Match) &&
      Match[1].getAsInteger(10, SlotBytes))
    return fail(2, "no size");
  for (unsigned U : {4, 8}) {
    std::vector<std::string> Lines = expectedSetUp(Dims, SlotBytes, U);
    if (New.size() < Lines.size() ||
        !equal(Lines, ArrayRef(New).take_front(Lines.size()),
               [](StringRef Text, const Line &L) { return L.Text == Text; }))
      continue;
    Unit = U;
    At = Lines.size();
    return Error::success();
  }
  return createStringError("'" + After.Name + "' computes other addresses");
}

/// Whether Text, an original line, may be repeated anywhere: it reads what
/// stays as it is for a thread, and is all that writes its register.
bool Checker::isRepeatable(StringRef Text) const {
  static const Regex Reads("^mov\\.[bsu]32 ([%$_a-zA-Z0-9]+), "
                           "%n?(tid|ctaid)\\.[xyz]$");
  SmallVector<StringRef, 3> Match;
  return Reads.match(Text, &Match) &&
         count_if(Old,
                  [&](const Line &L) {
                    return is_contained(writtenBy(L.Text), Match[1]);
                  }) == 1 &&
         any_of(Old, [&](const Line &L) { return L.Text == Text; });
}

std::optional<Inserted> Checker::readInserted(StringRef Text) const {
  static const Regex Store("^st\\.shared\\.b(16|32|64) "
                           "\\[%regdemw0\\+([0-9]+)\\], ([^ ,]+)$"),
      Load("^ld\\.shared\\.b(16|32|64) ([^ ,]+), "
           "\\[%regdemw0\\+([0-9]+)\\]$"),
      Split("^mov\\.b64 \\{%regdem1, %regdem2\\}, ([^ ,]+)$"),
      Join("^mov\\.b64 ([^ ,]+), \\{%regdem1, %regdem2\\}$");
  SmallVector<StringRef, 4> Match;
  auto Number = [&](unsigned I) {
    uint64_t Value = 0;
    return Match[I].getAsInteger(10, Value) ? ~uint64_t(0) : Value;
  };
  if (Store.match(Text, &Match))
    return Inserted{Inserted::Store, Match[3], unsigned(Number(1)), Number(2)};
  if (Load.match(Text, &Match))
    return Inserted{Inserted::Load, Match[2], unsigned(Number(1)), Number(3)};
  if (Split.match(Text, &Match))
    return Inserted{Inserted::Split, Match[1], 64};
  if (Join.match(Text, &Match))
    return Inserted{Inserted::Join, Match[1], 64};
  if (isRepeatable(Text))
    return Inserted{Inserted::Repeat, writtenBy(Text).front(), 32};
  return std::nullopt;
}

/// Tells original lines from those that were inserted, from line At on.
Error Checker::matchLines(size_t At) {
  size_t From = 0;
  for (; From != Old.size() && At != New.size(); ++At) {
    StringRef Is = New[At].Text, Should = Old[From].Text;
    if (Is == Should) {
      ++From;
      continue;
    }
    if (auto I = readInserted(Is)) {
      if (At && StringRef(New[At - 1].Text).starts_with(".pragma"))
        return fail(At, "a pragma is about another instruction");
      Was[At] = *I;
      continue;
    }
    StringRef To = branchTarget(Is), Meant = branchTarget(Should);
    if (!To.starts_with("$regdem_edge_") || Meant.empty() ||
        Is.drop_back(To.size()) != Should.drop_back(Meant.size()) ||
        !Edges.try_emplace(To, Meant).second)
      return fail(At, "in the place of '" + Should + "'");
    ++From;
  }
  if (From != Old.size())
    return createStringError("'" + After.Name + "' lacks '" + Old[From].Text +
                             "'");
  return matchEdges(At);
}

/// Takes the blocks of edges, which stand behind all others.
Error Checker::matchEdges(size_t At) {
  size_t Found = 0;
  StringRef Leaves = "$"; ///< Where the open block leads to; "$": none is.
  for (; At != New.size(); ++At) {
    StringRef Text = New[At].Text;
    if (auto Edge = Edges.find(Text.drop_back(Text.ends_with(":")));
        Edge != Edges.end() && Leaves == "$" && Text.ends_with(":")) {
      Leaves = Edge->second;
      ++Found;
    } else if (auto I = readInserted(Text)) {
      Was[At] = *I;
    } else if (Leaves != "$" && Text == ("bra " + Leaves).str()) {
      Leaves = "$";
    } else if (Text != "ret" || Found) {
      return fail(At, "behind the original's end");
    }
  }
  if (Leaves != "$" || Found != Edges.size())
    return createStringError("'" + After.Name + "' lacks a block of an edge");
  return Error::success();
}

/// Registers that were stored and loaded are the function's own, and as wide as
/// the access; no other line names what was added.
Error Checker::checkNames() const {
  for (const Line &L : Old)
    if (StringRef(L.Text).contains("regdem"))
      return createStringError("the original names '" + L.Text + "'");
  Declarations Own = readDeclarations(Old);
  for (auto [Line, I] : enumerate(Was)) {
    if (!I || I->Register == "%regdem1" || I->Register == "%regdem2")
      continue;
    if (Own.isInner(I->Register))
      return fail(Line, "several registers have that name");
    if (Own.bitsOf(I->Register) != I->Bits)
      return fail(Line, "the register has another width");
  }
  return Error::success();
}

Expected<SmallVector<size_t, 2>> Checker::successors(size_t Line) const {
  SmallVector<size_t, 2> To;
  StringRef Text = New[Line].Text;
  bool IsGuarded = Text.starts_with("@");
  StringRef Opcode = opcodeOf(Text);
  StringRef Root = Opcode.split('.').first;
  SmallVector<StringRef, 4> Targets;
  if (Root == "brx") { // "brx.idx %r1, table" and "table: .branchtargets a, b"
    auto Table = Labels.find(Text.rsplit(' ').second);
    if (Table == Labels.end())
      return fail(Line, "where control goes is not known");
    StringRef List = New[Table->second + 1].Text;
    if (!List.consume_front(".branchtargets "))
      return fail(Line, "where control goes is not known");
    SplitString(List, Targets, ", ");
  } else if (StringRef Target = branchTarget(Text); !Target.empty()) {
    Targets.push_back(Target);
  }
  for (StringRef Target : Targets) {
    auto At = Labels.find(Target);
    if (At == Labels.end())
      return fail(Line, "there is no such label");
    To.push_back(At->second);
  }
  bool Ends = is_contained({"bra", "brx", "ret", "exit"}, Root);
  if ((!Ends || IsGuarded) && Line + 1 != New.size())
    To.push_back(Line + 1);
  return To;
}

static void forget(Facts &Now, function_ref<bool(const Fact &)> If) {
  for (auto At = Now.begin(); At != Now.end();)
    At = If(*At) ? Now.erase(At) : std::next(At);
}

/// Has To hold what From does, and nothing else.
static void copyHeld(Facts &Now, int From, int To) {
  forget(Now, [To](const Fact &F) { return F.Where == To; });
  Facts Held;
  for (const Fact &F : Now)
    if (F.Where == From)
      Held.insert({To, F.Register, F.Of});
  Now.insert(Held.begin(), Held.end());
}

/// A store to a slot, or a load from one.
Error Checker::access(size_t Line, const Inserted &I, Facts &Now) const {
  uint64_t Row = 4 * Threads;
  uint64_t Word = I.Offset / Row;
  if (I.Offset % Row || Word % (Unit / 4) || I.Bits > 8 * Unit ||
      I.Offset + Unit * Threads > SlotBytes)
    return fail(Line, "not the thread's slot");
  int Where = static_cast<int>(Word);
  bool IsStore = I.What == Inserted::Store;
  if (I.Register == "%regdem1" || I.Register == "%regdem2") {
    int Half = I.Register == "%regdem1" ? Low : High;
    copyHeld(Now, IsStore ? Half : Where, IsStore ? Where : Half);
    return Error::success();
  }
  Fact Whole = {Where, I.Register, Part::Whole};
  if (IsStore) {
    forget(Now, [&](const Fact &F) { return F.Where == Where; });
    Now.insert(Whole);
  } else if (!Now.count(Whole)) {
    return fail(Line, "the slot may hold another value");
  }
  return Error::success();
}

/// What is known behind a line, of what is ahead of it.
Error Checker::apply(size_t Line, Facts &Now) const {
  if (!Was[Line]) {
    for (StringRef Register : writtenBy(New[Line].Text))
      forget(Now, [&](const Fact &F) { return F.Register == Register; });
    return Error::success();
  }
  const Inserted &I = *Was[Line];
  switch (I.What) {
  case Inserted::Store:
  case Inserted::Load:
    return access(Line, I, Now);
  case Inserted::Split:
    forget(Now, [](const Fact &F) { return F.Where < FirstSlot; });
    Now.insert({Low, I.Register, Part::Low});
    Now.insert({High, I.Register, Part::High});
    return Error::success();
  case Inserted::Join:
    if (!Now.count({Low, I.Register, Part::Low}) ||
        !Now.count({High, I.Register, Part::High}))
      return fail(Line, "the halves may be another value's");
    return Error::success();
  case Inserted::Repeat:
    return Error::success();
  }
  llvm_unreachable("all kinds are there");
}

/// Follows all paths until nothing changes.
Error Checker::follow() const {
  std::vector<std::optional<Facts>> Ahead(New.size());
  if (New.empty())
    return Error::success();
  Ahead[0].emplace();
  SmallVector<size_t, 16> Worklist = {0};
  while (!Worklist.empty()) {
    size_t Line = Worklist.pop_back_val();
    Facts Now = *Ahead[Line];
    // Straight on up to where paths meet or part.
    for (;;) {
      if (Error E = apply(Line, Now))
        return E;
      auto To = successors(Line);
      if (!To)
        return To.takeError();
      if (To->size() == 1 && To->front() == Line + 1 &&
          !StringRef(New[Line + 1].Text).ends_with(":")) {
        ++Line;
        continue;
      }
      for (size_t Next : *To) {
        std::optional<Facts> &Known = Ahead[Next];
        if (!Known) {
          Known = Now;
          Worklist.push_back(Next);
          continue;
        }
        size_t Before = Known->size();
        forget(*Known, [&](const Fact &F) { return !Now.count(F); });
        if (Known->size() != Before)
          Worklist.push_back(Next);
      }
      break;
    }
  }
  return Error::success();
}

Error Checker::run() {
  for (auto [I, L] : enumerate(New))
    if (StringRef Text = L.Text; Text.consume_back(":"))
      if (L.Depth || !Labels.try_emplace(Text, I).second)
        return fail(I, "where control goes is not known");
  size_t At = 0;
  if (Error E = matchSetUp(At))
    return E;
  if (Error E = matchLines(At))
    return E;
  if (Error E = checkNames())
    return E;
  return follow();
}

Error checkPtxDemotion(const PtxFile &Original, const PtxFile &Demoted,
                       StringRef Name) {
  const PtxFunction *Before = Original.find(Name), *After = Demoted.find(Name);
  if (!Before || !After)
    return createStringError("'" + Name + "' is not there");
  return Checker(Original, *Before, Demoted, *After).run();
}

} // namespace regdem
