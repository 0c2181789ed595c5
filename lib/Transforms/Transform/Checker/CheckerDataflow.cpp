//===- CheckerDataflow.cpp - what slots hold at every point ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward must-analysis over the result's control flow. For each of a
// thread's words it follows which bytes of which register's current value lie
// there on every path, and for each recomputation whether it would give what
// its register holds. Then every load and every recomputation has to find what
// it claims to give back.
//
// Lattice, of each fact, for bytes p of register r:
//
//                Unvisited
//            |               |
//      Current(r, p)   Current(s, q)  ...
//            |               |
//       Stale(r, p)     Stale(s, q)   ...
//            |               |
//                  Mixed
//                    |
//                  Unset
//
// Transfer: a store of bytes p of r to a word makes it Current(r, p); a
// definition of r makes Stale what is Current of r, and each rematerialised
// instruction that writes or reads r; the same instruction in the original code
// makes it Current.
//
// Meet: the greatest lower bound. At the entry all is Unset.
//
// Theorem: if each reload of r finds Current(r, p) in all its words, and each
// rematerialised instruction is Current, then each register holds at every
// point what it held in the original. By induction over the steps of a run:
// what the original does is unchanged (CheckerAlignment.h), slots are private
// to their thread (CheckerAddress.h), and an insertion writes to a register
// what is there.
//
//===----------------------------------------------------------------------===//

#include "CheckerEvents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

namespace regdem::checker {

namespace {

/// What is known of a word, or of a recomputation. Ordered by certainty:
/// Unvisited > Current > Stale > Mixed > Unset. Transfer and meet only descend.
struct Fact {
  enum Certainty : uint8_t {
    /// Not set on some path.
    Unset,
    /// Different things on different paths.
    Mixed,
    /// The bytes of a register's value before its latest definition.
    Stale,
    /// The bytes of a register's value.
    Current,
    /// No path has been followed yet.
    Unvisited
  };

  Certainty C = Unvisited;
  Register Reg;
  unsigned Part = 0;

  bool operator==(const Fact &F) const {
    return C == F.C && Part == F.Part && Reg == F.Reg;
  }
  bool operator!=(const Fact &F) const { return !(*this == F); }

  Fact meet(const Fact &F) const {
    if (*this == F || F.C == Unvisited)
      return *this;
    if (C == Unvisited)
      return F;
    if (C == Unset || F.C == Unset)
      return {Unset, Register(), 0};
    if (C >= Stale && F.C >= Stale && Reg == F.Reg && Part == F.Part)
      return {Stale, Reg, Part};
    return {Mixed, Register(), 0};
  }
};

class Dataflow {
public:
  Dataflow(const AlignedCode &Code, const EventList &Events)
      : R(Code.Result), Aligned(Code.Aligned), List(Events), Report(Code.MF),
        Width(Events.NumWords + Events.Recomputations.size()),
        Entry(R.Blocks.size() * Width) {}

  Error run();

private:
  using State = MutableArrayRef<Fact>;

  void solve();
  void apply(const CheckerEvent &E, State S) const;
  Error verify(const CheckerEvent &E, State S) const;
  Error verifyLoad(const CheckerEvent &E, State S) const;
  bool merge(unsigned Block, State S);
  State entry(unsigned Block) {
    return State(Entry).slice(Block * Width, Width);
  }
  unsigned recomputation(unsigned Index) const { return List.NumWords + Index; }
  void makeStale(State S, function_ref<bool(const Recomputation &)> If) const;

  const EncodedFunction &R;
  const Alignment &Aligned;
  const EventList &List;
  CheckerError Report;
  /// Facts in a state: the words, then the recomputations.
  unsigned Width;
  /// The states at the beginning of the blocks, one after the other.
  std::vector<Fact> Entry;
};

} // namespace

/// The byte of the register's value with which \p Word, one of E's, begins.
static unsigned partIn(const CheckerEvent &E, unsigned Word) {
  return E.Part + (Word - E.Index) * SlotArea::WordBytes;
}

/// Makes the recomputations stale that are current, and that hold If.
void Dataflow::makeStale(State S,
                         function_ref<bool(const Recomputation &)> If) const {
  for (auto [F, Again] :
       zip_equal(S.drop_front(List.NumWords), List.Recomputations))
    if (F.C == Fact::Current && If(Again))
      F.C = Fact::Stale;
}

void Dataflow::apply(const CheckerEvent &E, State S) const {
  switch (E.What) {
  case CheckerEvent::Store:
    for (unsigned Word = E.Index; Word != E.endWord(); ++Word)
      S[Word] = {Fact::Current, E.Reg, partIn(E, Word)};
    break;
  case CheckerEvent::Define:
    for (Fact &F : S.take_front(List.NumWords))
      if (F.C == Fact::Current && F.Reg == E.Reg)
        F.C = Fact::Stale;
    makeStale(S, [&](const Recomputation &Again) {
      return any_of(R.Instrs[Again.Instr]->operands(),
                    [&](const MachineOperand &MO) {
                      return MO.isReg() && MO.getReg() == E.Reg;
                    });
    });
    break;
  case CheckerEvent::Establish:
    S[recomputation(E.Index)] = {Fact::Current, E.Reg, 0};
    break;
  case CheckerEvent::Disturb:
    makeStale(S, [](const Recomputation &Again) { return Again.FromShared; });
    break;
  case CheckerEvent::Load:
  case CheckerEvent::Recompute:
    break;
  }
}

bool Dataflow::merge(unsigned Block, State S) {
  bool Changed = false;
  State Into = entry(Block);
  for (unsigned I = 0; I != Width; ++I) {
    Fact F = Into[I].meet(S[I]);
    Changed |= F != Into[I];
    Into[I] = F;
  }
  return Changed;
}

void Dataflow::solve() {
  for (Fact &F : entry(0))
    F.C = Fact::Unset;
  BitVector Dirty = Aligned.Reached;
  // Most blocks come before those they lead to, so few sweeps are needed.
  while (Dirty.any())
    for (int I = Dirty.find_first(); I >= 0; I = Dirty.find_next(I)) {
      Dirty.reset(I);
      unsigned Block = I;
      std::vector<Fact> Now = entry(Block);
      for (const CheckerEvent &E : List.Blocks[Block])
        apply(E, Now);
      R.forEachSuccessor(Block, [&](unsigned Succ) {
        if (merge(Succ, Now))
          Dirty.set(Succ);
      });
    }
}

Error Dataflow::verifyLoad(const CheckerEvent &E, State S) const {
  for (unsigned Word = E.Index; Word != E.endWord(); ++Word) {
    Fact Found = S[Word];
    if (Found == Fact{Fact::Current, E.Reg, partIn(E, Word)})
      continue;
    std::string Wanted = "value " + CheckerError::name(E.Reg) + ": expected " +
                         Report.nameOfPart(E.Reg, E.Part, E.Bytes) +
                         " in the thread's word " + std::to_string(Word) +
                         ", found ";
    switch (Found.C) {
    case Fact::Unset:
    case Fact::Unvisited:
      return Report.at(*E.MI, Wanted + "a slot that is not written on every "
                                       "path to here");
    case Fact::Mixed:
      return Report.at(*E.MI,
                       Wanted + "different values on different paths to here");
    case Fact::Stale:
      if (Found.Reg == E.Reg)
        return Report.at(
            *E.MI, Wanted + "a stale value: " + CheckerError::name(E.Reg) +
                       " is defined again after the store");
      [[fallthrough]];
    case Fact::Current:
      return Report.at(*E.MI, Wanted + "byte " + std::to_string(Found.Part) +
                                  " of " + CheckerError::name(Found.Reg) +
                                  " where byte " +
                                  std::to_string(partIn(E, Word)) + " of " +
                                  CheckerError::name(E.Reg) + " has to be");
    }
  }
  return Error::success();
}

Error Dataflow::verify(const CheckerEvent &E, State S) const {
  if (E.What == CheckerEvent::Load && E.Reg.isValid())
    return verifyLoad(E, S);
  if (E.What == CheckerEvent::Recompute &&
      S[recomputation(E.Index)].C != Fact::Current)
    return Report.at(*E.MI,
                     "value " + CheckerError::name(E.Reg) +
                         ": expected an instruction that gives what it holds, "
                         "found one that the original does not execute on "
                         "every path to here, or whose operands or result are "
                         "defined again after it");
  return Error::success();
}

Error Dataflow::run() {
  solve();
  for (unsigned Block = 0; Block != R.Blocks.size(); ++Block) {
    if (!Aligned.Reached.test(Block))
      continue;
    std::vector<Fact> Now = entry(Block);
    for (const CheckerEvent &E : List.Blocks[Block]) {
      if (Error Failure = verify(E, Now))
        return Failure;
      apply(E, Now);
    }
  }
  return Error::success();
}

Error checkDataflow(const AlignedCode &Code, const EventList &Events) {
  return Dataflow(Code, Events).run();
}

} // namespace regdem::checker
