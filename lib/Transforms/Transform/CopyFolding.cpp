//===- CopyFolding.cpp - values computed where they are to end up ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/CopyFolding.h"

#include "FlowChecker.h"
#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include <map>
#include <optional>

using namespace llvm;

namespace regdem {

namespace {

/// Readers of a value that is copied up to which its copy is looked at.
constexpr unsigned MostReaders = 8;

/// A copy that is not needed if Source stands right after LastReader.
struct Fold {
  MachineInstr *Copy, *Source, *LastReader;

  Register to() const { return Copy->getOperand(0).getReg(); }
  Register from() const { return Copy->getOperand(1).getReg(); }
};

/// Finds what can be folded in a block. Folds are made one by one, so that it
/// knows where instructions stand once those before are made.
class BlockPlanner {
public:
  BlockPlanner(MachineBasicBlock &Block, const LiveIntervals &LIS,
               const NVPTXOpcodes &Opcodes)
      : Block(Block), MRI(Block.getParent()->getRegInfo()), LIS(LIS),
        Opcodes(Opcodes) {}

  std::vector<Fold> run() {
    std::vector<MachineInstr *> Copies;
    for (MachineInstr &I : Block)
      if (isCopyOfLikes(I))
        Copies.push_back(&I);
    if (Copies.empty() || !mayMove())
      return {};
    readPlaces();
    std::vector<Fold> Folds;
    for (MachineInstr *Copy : Copies)
      if (std::optional<Fold> F = foldOf(*Copy)) {
        make(*F);
        Folds.push_back(*F);
      }
    return Folds;
  }

private:
  /// Where in the block something stands; what moves gets a place between two.
  using Place = uint64_t;
  static constexpr Place Distance = Place(1) << 32;

  MachineBasicBlock &Block;
  const MachineRegisterInfo &MRI;
  const LiveIntervals &LIS;
  const NVPTXOpcodes &Opcodes;
  std::map<Place, MachineInstr *> At;
  DenseMap<const MachineInstr *, Place> PlaceOf;
  DenseMap<Register, Place> LastRead;
  DenseMap<Register, SmallVector<Place, 2>> Written;

  bool isCopyOfLikes(const MachineInstr &I) const {
    if (!I.isCopy())
      return false;
    const MachineOperand &To = I.getOperand(0), &From = I.getOperand(1);
    return To.getReg().isVirtual() && From.getReg().isVirtual() &&
           !To.getSubReg() && !From.getSubReg() &&
           MRI.getRegClass(To.getReg()) == MRI.getRegClass(From.getReg());
  }

  bool mayMove() const {
    return none_of(Block, [this](const MachineInstr &I) {
      return I.isBundled() || mayDependOnPlace(I, Opcodes);
    });
  }

  void readPlaces() {
    Place P = 0;
    for (MachineInstr &I : Block) {
      if (I.isDebugOrPseudoInstr())
        continue;
      P += Distance;
      At[P] = &I;
      PlaceOf[&I] = P;
      for (const MachineOperand &Use : I.all_uses())
        LastRead[Use.getReg()] = P;
      for (const MachineOperand &Def : I.all_defs())
        Written[Def.getReg()].push_back(P);
    }
  }

  /// Whether Reg is written after From and no later than at To.
  bool isWrittenWithin(Register Reg, Place From, Place To) const {
    auto It = Written.find(Reg);
    return It != Written.end() &&
           any_of(It->second, [=](Place P) { return P > From && P <= To; });
  }

  unsigned words(Register Reg) const {
    return wordsOf(Opcodes.kindOf(*MRI.getRegClass(Reg)));
  }

  /// The instruction that Copy's operand comes from, if that is arithmetic of
  /// this block.
  MachineInstr *sourceOf(const MachineInstr &Copy) const {
    Register From = Copy.getOperand(1).getReg();
    MachineInstr *Source = MRI.getUniqueVRegDef(From);
    return Source && Source->getParent() == &Block &&
                   Opcodes.isArithmetic(Source->getOpcode()) &&
                   hasSingleElement(Source->all_defs()) &&
                   PlaceOf.lookup(Source) < PlaceOf.lookup(&Copy)
               ? Source
               : nullptr;
  }

  /// Whether all that read Reg stand in the block and after From.
  bool isReadOnlyBehind(Register Reg, Place From) const {
    unsigned Readers = 0;
    return all_of(MRI.use_nodbg_instructions(Reg), [&](MachineInstr &Reader) {
      return ++Readers <= MostReaders && Reader.getParent() == &Block &&
             PlaceOf.lookup(&Reader) > From;
    });
  }

  /// Whether Source can read after To what it reads at From, at the cost of no
  /// more words than what it writes takes.
  bool mayReadLater(const MachineInstr &Source, Register Kept, Place From,
                    Place To) const {
    SmallSet<Register, 4> Longer;
    for (const MachineOperand &Use : Source.all_uses()) {
      Register Reg = Use.getReg();
      if (!Reg.isVirtual() || isWrittenWithin(Reg, From, To))
        return false;
      if (Reg != Kept && LastRead.lookup(Reg) < To &&
          !LIS.isLiveOutOfMBB(LIS.getInterval(Reg), &Block))
        Longer.insert(Reg);
    }
    unsigned Words = 0;
    for (Register Reg : Longer)
      Words += words(Reg);
    return Words <= words(Source.all_defs().begin()->getReg());
  }

  std::optional<Fold> foldOf(MachineInstr &Copy) const {
    MachineInstr *Source = sourceOf(Copy);
    if (!Source)
      return std::nullopt;
    Register To = Copy.getOperand(0).getReg();
    Place From = PlaceOf.lookup(Source), End = PlaceOf.lookup(&Copy),
          Last = LastRead.lookup(To);
    constexpr Place Ever = ~Place(0);
    // Where nothing reads the old value, coalescing has been in vain.
    if (Last <= From || Last > End || isWrittenWithin(To, From, End - 1) ||
        isWrittenWithin(To, End, Ever) ||
        !isReadOnlyBehind(Copy.getOperand(1).getReg(), Last) ||
        !mayReadLater(*Source, To, From, Last) || placeBehind(Last) == Last)
      return std::nullopt;
    return Fold{&Copy, Source, At.find(Last)->second};
  }

  /// A place between P, at which something stands, and what comes next; P if
  /// there is none left.
  Place placeBehind(Place P) const {
    return P + (std::next(At.find(P))->first - P) / 2;
  }

  void make(const Fold &F) {
    Place Old = PlaceOf[F.Source], End = PlaceOf[F.Copy],
          New = placeBehind(PlaceOf[F.LastReader]);
    At.erase(Old);
    At.erase(End);
    At[New] = F.Source;
    PlaceOf[F.Source] = New;
    for (const MachineOperand &Use : F.Source->all_uses())
      LastRead[Use.getReg()] = std::max(LastRead[Use.getReg()], New);
    Written[F.from()] = {New};
    Written[F.to()].push_back(New);
    llvm::erase(Written[F.to()], End);
  }
};

void make(const Fold &F) {
  MachineBasicBlock &Block = *F.Copy->getParent();
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  Register To = F.to(), From = F.from();
  Block.splice(std::next(F.LastReader->getIterator()), &Block, F.Source);
  F.Copy->eraseFromParent();
  // Where it used to be known it is not yet there.
  for (MachineOperand &Use : make_early_inc_range(MRI.use_operands(From)))
    if (Use.isDebug())
      Use.setReg(Register());
  MRI.replaceRegWith(From, To);
  MRI.clearKillFlags(To);
  for (const MachineOperand &Use : F.Source->all_uses())
    MRI.clearKillFlags(Use.getReg());
}

} // namespace

unsigned countFoldable(MachineFunction &MF, const LiveIntervals &LIS,
                       const NVPTXOpcodes &Opcodes) {
  size_t Count = 0;
  for (MachineBasicBlock &Block : MF)
    Count += BlockPlanner(Block, LIS, Opcodes).run().size();
  return static_cast<unsigned>(Count);
}

Expected<bool> foldCopies(MachineFunction &MF, LiveIntervals &LIS,
                          const NVPTXOpcodes &Opcodes, bool Verify) {
  std::vector<Fold> Folds;
  for (MachineBasicBlock &Block : MF)
    append_range(Folds, BlockPlanner(Block, LIS, Opcodes).run());
  if (Folds.empty())
    return false;
  std::optional<FlowSnapshot> Original;
  if (Verify)
    Original.emplace(MF, Opcodes);
  for (const Fold &F : Folds)
    make(F);
  LIS.getSlotIndexes()->reanalyze(MF);
  LIS.reanalyze(MF);
  if (Original)
    if (Error E = Original->check())
      return E;
  return true;
}

} // namespace regdem
