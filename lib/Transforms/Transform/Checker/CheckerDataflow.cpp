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

#include "llvm/ADT/Sequence.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

using namespace llvm;

namespace regdem::checker {

namespace {

/// What is known of a word, or of a recomputation. Ordered by certainty:
/// Unvisited > Current > Stale > Mixed > Unset. Transfer and meet only descend.
class Fact {
public:
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

  Fact() : Fact(Unvisited, 0, 0) {}
  Fact(Certainty C, unsigned Reg, unsigned Part)
      : C(C), Part(static_cast<uint8_t>(Part)), Reg(Reg) {}

  Certainty certainty() const { return C; }
  unsigned reg() const { return Reg; }
  unsigned part() const { return Part; }

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
      return Fact(Unset, 0, 0);
    if (C >= Stale && F.C >= Stale && Reg == F.Reg && Part == F.Part)
      return Fact(Stale, Reg, Part);
    return Fact(Mixed, 0, 0);
  }

private:
  Certainty C;
  uint8_t Part;
  unsigned Reg;
};

class Dataflow {
public:
  Dataflow(const AlignedCode &Code, const EventList &Events)
      : R(Code.Result), Aligned(Code.Aligned), List(Events),
        MRI(Code.MF.getRegInfo()), Report(Code.MF),
        Width(Events.NumWords + Events.Recomputations.size()),
        Entry(R.Blocks.size() * Width), Holders(MRI.getNumVirtRegs()) {}

  Error run();

private:
  using State = MutableArrayRef<Fact>;

  void findHolders();
  void solve();
  void apply(const CheckerEvent &E, State S) const;
  Error verify(const CheckerEvent &E, State S) const;
  Error verifyLoad(const CheckerEvent &E, State S) const;
  bool merge(unsigned Block, State S);
  State entry(unsigned Block) {
    return State(Entry).slice(Block * Width, Width);
  }
  ArrayRef<CheckerEvent> events(unsigned Block) const {
    return ArrayRef(List.Events)
        .slice(List.BlockBegin[Block],
               List.BlockBegin[Block + 1] - List.BlockBegin[Block]);
  }
  unsigned recomputation(unsigned Index) const { return List.NumWords + Index; }

  const EncodedFunction &R;
  const Alignment &Aligned;
  const EventList &List;
  const MachineRegisterInfo &MRI;
  CheckerError Report;
  /// Facts in a state: the words, then the recomputations.
  unsigned Width;
  /// The states at the beginning of the blocks, one after the other.
  std::vector<Fact> Entry;
  /// By register: the facts that a definition of it can make stale.
  std::vector<SmallVector<unsigned, 2>> Holders;
};

} // namespace

/// The byte of the register's value with which \p Word, one of E's, begins.
static unsigned partIn(const CheckerEvent &E, unsigned Word) {
  return E.Part + (Word - E.Index) * SlotArea::WordBytes;
}

void Dataflow::findHolders() {
  for (const CheckerEvent &E : List.Events)
    if (E.What == CheckerEvent::Store)
      llvm::append_range(Holders[E.Reg], llvm::seq(E.Index, E.endWord()));
  for (unsigned I = 0; I != List.Recomputations.size(); ++I)
    for (const MachineOperand &MO :
         R.Instrs[List.Recomputations[I].Instr]->operands())
      if (MO.isReg())
        Holders[MO.getReg().virtRegIndex()].push_back(recomputation(I));
  for (SmallVector<unsigned, 2> &H : Holders) {
    llvm::sort(H);
    H.erase(llvm::unique(H), H.end());
  }
}

void Dataflow::apply(const CheckerEvent &E, State S) const {
  switch (E.What) {
  case CheckerEvent::Store:
    for (unsigned Word = E.Index; Word != E.endWord(); ++Word)
      S[Word] = Fact(Fact::Current, E.Reg, partIn(E, Word));
    break;
  case CheckerEvent::Define:
    // A recomputation becomes stale by its operands too.
    for (unsigned H : Holders[E.Reg])
      if (S[H].certainty() == Fact::Current &&
          (S[H].reg() == E.Reg || H >= List.NumWords))
        S[H] = Fact(Fact::Stale, S[H].reg(), S[H].part());
    break;
  case CheckerEvent::Establish:
    S[recomputation(E.Index)] = Fact(Fact::Current, E.Reg, 0);
    break;
  case CheckerEvent::Disturb:
    for (unsigned I = 0; I != List.Recomputations.size(); ++I)
      if (Fact &F = S[recomputation(I)];
          List.Recomputations[I].FromShared && F.certainty() == Fact::Current)
        F = Fact(Fact::Stale, F.reg(), F.part());
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
    F = Fact(Fact::Unset, 0, 0);
  BitVector Dirty = Aligned.Reached;
  std::vector<Fact> Now(Width);
  // Most blocks come before those they lead to, so few sweeps are needed.
  while (Dirty.any())
    for (int I = Dirty.find_first(); I >= 0; I = Dirty.find_next(I)) {
      Dirty.reset(I);
      unsigned Block = I;
      State From = entry(Block);
      std::copy(From.begin(), From.end(), Now.begin());
      for (const CheckerEvent &E : events(Block))
        apply(E, Now);
      R.forEachSuccessor(Block, [&](unsigned Succ) {
        if (merge(Succ, Now))
          Dirty.set(Succ);
      });
    }
}

Error Dataflow::verifyLoad(const CheckerEvent &E, State S) const {
  Register Reg = Register::index2VirtReg(E.Reg);
  unsigned Size = MRI.getTargetRegisterInfo()
                      ->getRegSizeInBits(*MRI.getRegClass(Reg))
                      .getFixedValue() /
                  8;
  for (unsigned Word = E.Index; Word != E.endWord(); ++Word) {
    Fact Found = S[Word];
    if (Found == Fact(Fact::Current, E.Reg, partIn(E, Word)))
      continue;
    std::string Wanted =
        "value " + CheckerError::nameOfIndex(E.Reg) + ": expected " +
        CheckerError::nameOfPart(E.Reg, E.Part, E.Bytes, Size) +
        " in the thread's word " + std::to_string(Word) + ", found ";
    switch (Found.certainty()) {
    case Fact::Unset:
    case Fact::Unvisited:
      return Report.at(*E.MI, Wanted + "a slot that is not written on every "
                                       "path to here");
    case Fact::Mixed:
      return Report.at(*E.MI,
                       Wanted + "different values on different paths to here");
    case Fact::Stale:
      if (Found.reg() == E.Reg)
        return Report.at(*E.MI, Wanted + "a stale value: " +
                                    CheckerError::nameOfIndex(E.Reg) +
                                    " is defined again after the store");
      [[fallthrough]];
    case Fact::Current:
      return Report.at(
          *E.MI, Wanted + "byte " + std::to_string(Found.part()) + " of " +
                     CheckerError::nameOfIndex(Found.reg()) + " where byte " +
                     std::to_string(partIn(E, Word)) + " of " +
                     CheckerError::nameOfIndex(E.Reg) + " has to be");
    }
  }
  return Error::success();
}

Error Dataflow::verify(const CheckerEvent &E, State S) const {
  if (E.What == CheckerEvent::Load && E.Reg != CheckerEvent::NoReg)
    return verifyLoad(E, S);
  if (E.What == CheckerEvent::Recompute &&
      S[recomputation(E.Index)].certainty() != Fact::Current)
    return Report.at(*E.MI,
                     "value " + CheckerError::nameOfIndex(E.Reg) +
                         ": expected an instruction that gives what it holds, "
                         "found one that the original does not execute on "
                         "every path to here, or whose operands or result are "
                         "defined again after it");
  return Error::success();
}

Error Dataflow::run() {
  findHolders();
  solve();
  std::vector<Fact> Now(Width);
  for (unsigned Block = 0; Block != R.Blocks.size(); ++Block) {
    if (!Aligned.Reached.test(Block))
      continue;
    State From = entry(Block);
    std::copy(From.begin(), From.end(), Now.begin());
    for (const CheckerEvent &E : events(Block)) {
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
