//===- GuardHoisting.cpp - compute ahead of a guard -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/GuardHoisting.h"

#include "HoistChecker.h"
#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions that move together at most, and rounds in which what has moved
/// lets others follow.
constexpr size_t MostTogether = 32;
constexpr unsigned MostRounds = 4;

class Hoister {
public:
  Hoister(const MachineFunction &MF, const MachineLoopInfo &Loops,
          const NVPTXOpcodes &Opcodes)
      : MRI(MF.getRegInfo()), Loops(Loops), Opcodes(Opcodes) {}

  /// The instructions that are to move from Guarded to its predecessor together
  /// with Last, in their order, which is the last of them; none if Last is
  /// better left.
  SmallVector<MachineInstr *, 8> movingWith(MachineInstr &Last) const;

private:
  using Group = SmallSetVector<MachineInstr *, 8>;

  const MachineRegisterInfo &MRI;
  const MachineLoopInfo &Loops;
  const NVPTXOpcodes &Opcodes;

  bool mayMove(const MachineInstr &I) const;
  bool gather(MachineInstr &Last, Group &G) const;
  bool savesWords(const Group &G, const MachineBasicBlock &From,
                  const MachineBasicBlock &To) const;
  int words(Register Reg) const {
    return static_cast<int>(wordsOf(Opcodes.kindOf(*MRI.getRegClass(Reg))));
  }
};

/// The block that Guarded's arithmetic may move to; null where there is none.
MachineBasicBlock *blockAhead(const MachineBasicBlock &Guarded,
                              const MachineLoopInfo &Loops) {
  if (Guarded.pred_size() != 1)
    return nullptr;
  MachineBasicBlock *Ahead = *Guarded.pred_begin();
  bool IsInSameLoop = Ahead != &Guarded &&
                      Loops.getLoopFor(Ahead) == Loops.getLoopFor(&Guarded);
  return IsInSameLoop && Ahead->succ_size() > 1 ? Ahead : nullptr;
}

/// Behind the last instruction of Ahead that defines what Moving read.
MachineBasicBlock::iterator readyIn(MachineBasicBlock &Ahead,
                                    ArrayRef<MachineInstr *> Moving) {
  SmallDenseSet<Register> Read;
  for (const MachineInstr *I : Moving)
    for (const MachineOperand &Use : I->all_uses())
      Read.insert(Use.getReg());
  for (MachineInstr &I : reverse(Ahead))
    if (!I.isPHI() && any_of(I.all_defs(), [&](const MachineOperand &Def) {
          return Read.contains(Def.getReg());
        }))
      return std::next(I.getIterator());
  return Ahead.SkipPHIsLabelsAndDebug(Ahead.begin());
}

} // namespace

/// Whether I may be computed where it is not needed, and as well elsewhere.
/// Whether ptxas fuses or scales a product may depend on where it stands.
bool Hoister::mayMove(const MachineInstr &I) const {
  return Opcodes.isSimpleArithmetic(I.getOpcode()) && I.getNumDefs() == 1 &&
         !Opcodes.isFusibleProduct(I) && !Opcodes.isScaling(I) &&
         none_of(
             MRI.use_nodbg_instructions(I.getOperand(0).getReg()),
             [&](const MachineInstr &Use) { return Opcodes.isScaling(Use); }) &&
         all_of(I.operands(), [&](const MachineOperand &Operand) {
           return !Operand.isReg() ||
                  (Operand.getReg().isVirtual() &&
                   (Operand.isDef() ||
                    !mayHoldProduct(Operand.getReg(), MRI, Opcodes)));
         });
}

/// Collects in G what of Last's block has to be there for Last; false if that
/// may not move, or is too much.
bool Hoister::gather(MachineInstr &Last, Group &G) const {
  G.insert(&Last);
  for (size_t At = 0; At != G.size(); ++At) {
    if (G.size() > MostTogether || !mayMove(*G[At]))
      return false;
    for (const MachineOperand &Use : G[At]->all_uses())
      if (MachineInstr *Def = MRI.getVRegDef(Use.getReg());
          Def && Def->getParent() == Last.getParent())
        G.insert(Def);
  }
  return true;
}

/// Whether fewer words live at the end of To with G there instead of in From.
bool Hoister::savesWords(const Group &G, const MachineBasicBlock &From,
                         const MachineBasicBlock &To) const {
  // What is defined ahead of To's loop lives all through that.
  const MachineLoop *Loop = Loops.getLoopFor(&To);
  int Change = 0;
  SmallDenseSet<Register> Seen;
  for (MachineInstr *I : G)
    for (const MachineOperand &Operand : I->operands()) {
      if (!Operand.isReg() || !Seen.insert(Operand.getReg()).second)
        continue;
      Register Reg = Operand.getReg();
      const MachineInstr *Def = MRI.getVRegDef(Reg);
      if (!Def)
        return false;
      bool IsResult = Def->getParent() == &From;
      auto IsDone = [&](MachineInstr &Use) {
        return G.contains(&Use) || (!IsResult && Use.getParent() == &To);
      };
      bool Ends = all_of(MRI.use_nodbg_instructions(Reg), IsDone);
      if (IsResult && !Ends)
        Change += words(Reg);
      else if (!IsResult && Ends && (!Loop || Loop->contains(Def->getParent())))
        Change -= words(Reg);
    }
  return Change < 0;
}

SmallVector<MachineInstr *, 8> Hoister::movingWith(MachineInstr &Last) const {
  const MachineBasicBlock &From = *Last.getParent();
  Group G;
  if (!gather(Last, G) || !savesWords(G, From, **From.pred_begin()))
    return {};
  SmallVector<MachineInstr *, 8> InOrder;
  for (MachineInstr &I : *Last.getParent())
    if (G.contains(&I))
      InOrder.push_back(&I);
  return InOrder;
}

bool hasHoistable(const MachineFunction &MF, const MachineLoopInfo &Loops,
                  const NVPTXOpcodes &Opcodes) {
  Hoister H(MF, Loops, Opcodes);
  for (const MachineBasicBlock &Block : MF)
    if (blockAhead(Block, Loops))
      for (const MachineInstr &I : Block)
        if (!H.movingWith(const_cast<MachineInstr &>(I)).empty())
          return true;
  return false;
}

/// Moves what is better computed ahead of Guarded to there.
static bool hoistFrom(MachineBasicBlock &Guarded, MachineBasicBlock &Ahead,
                      const Hoister &H, MachineRegisterInfo &MRI) {
  bool Changed = false;
  for (auto I = Guarded.begin(); I != Guarded.end();) {
    SmallVector<MachineInstr *, 8> Moving = H.movingWith(*I++);
    if (Moving.empty())
      continue;
    MachineBasicBlock::iterator Ready = readyIn(Ahead, Moving);
    for (MachineInstr *M : Moving) {
      for (const MachineOperand &Operand : M->operands())
        if (Operand.isReg())
          MRI.clearKillFlags(Operand.getReg());
      Ahead.splice(Ready, &Guarded, M->getIterator());
    }
    Changed = true;
  }
  return Changed;
}

Expected<bool> hoistAheadOfGuards(MachineFunction &MF,
                                  const MachineLoopInfo &Loops,
                                  const NVPTXOpcodes &Opcodes, bool Verify) {
  std::optional<PlaceSnapshot> Original;
  if (Verify)
    Original.emplace(MF);
  Hoister H(MF, Loops, Opcodes);
  bool Changed = false, More = true;
  for (unsigned Round = 0; More && Round != MostRounds; ++Round) {
    More = false;
    for (MachineBasicBlock &Block : MF)
      if (MachineBasicBlock *Ahead = blockAhead(Block, Loops))
        More |= hoistFrom(Block, *Ahead, H, MF.getRegInfo());
    Changed |= More;
  }
  if (Original && Changed)
    if (Error E = checkHoisting(*Original, MF, Opcodes))
      return E;
  return Changed;
}

} // namespace regdem
