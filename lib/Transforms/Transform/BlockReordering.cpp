//===- BlockReordering.cpp - put a block into another order ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/BlockReordering.h"

#include "FlowChecker.h"
#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Decision/Plan/ListScheduler.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

namespace regdem {

namespace {

/// Words from which on a block is put into another order under a cap of
/// MaxWords registers: ptxas needs some for what it has in flight.
constexpr unsigned crowdedFrom(unsigned MaxWords) {
  return MaxWords - MaxWords / 4 + 1;
}

/// Words that a block which needs Words under a cap of MaxWords may have live
/// before its order goes by registers alone. Loads that stand early are in
/// flight together: an LU factorisation under 80 registers takes 1.19 times as
/// long with eight loads at a time. Where two caps would not be enough spill
/// code weighs more: the same under 32 registers takes 0.64 times as long.
constexpr unsigned roomFor(unsigned Words, unsigned MaxWords) {
  return Words < 2 * MaxWords ? MaxWords / 2 : 0;
}

/// How an instruction stands to memory.
enum class MemoryUse {
  None,   ///< Not at all, or it reads what is known at launch.
  Read,   ///< It may change places with its like.
  Effect, ///< It keeps its place among all that use memory.
};

MemoryUse memoryUse(const MachineInstr &I, const NVPTXOpcodes &Opcodes,
                    InstOrder How) {
  if (I.isDereferenceableInvariantLoad())
    return MemoryUse::None;
  bool ReadsConstant = Opcodes.isReadOnlyLoad(I.getOpcode());
  if (ReadsConstant && How != InstOrder::Near)
    return MemoryUse::None;
  if (!ReadsConstant &&
      (I.mayStore() || I.hasUnmodeledSideEffects() || I.isConvergent() ||
       I.isPosition() || I.hasOrderedMemoryRef()))
    return MemoryUse::Effect;
  if (!ReadsConstant && !I.mayLoad())
    return MemoryUse::None;
  return How == InstOrder::Near ? MemoryUse::Effect : MemoryUse::Read;
}

/// One block in terms of the list scheduler.
class BlockReader {
public:
  BlockReader(const KernelCode &Code, BlockId B, const NVPTXOpcodes &Opcodes,
              InstOrder How)
      : Code(Code), Block(Code.Graph.Blocks[B]), Opcodes(Opcodes), How(How) {}

  /// Whether it may have another order at all.
  bool mayMove() const {
    if (Block.FirstTerminator - Block.Begin < 2)
      return false;
    return none_of(insts(), [&](const MachineInstr *I) {
      return I->isCall() || I->isBundled() || mayDependOnPlace(*I, Opcodes) ||
             Opcodes.readsClock(*I) ||
             any_of(I->all_defs(), [](const MachineOperand &Def) {
               return Def.getReg().isPhysical();
             });
    });
  }

  ArrayRef<MachineInstr *> insts() const {
    return ArrayRef(Code.Insts)
        .slice(Block.Begin, Block.FirstTerminator - Block.Begin);
  }

  ScheduleGraph read() {
    Result.Nodes.resize(insts().size());
    for (unsigned N = 0; N != insts().size(); ++N) {
      readRegisters(N);
      readMemory(N);
    }
    std::vector<unsigned> LiveOut; // With what lives through the block.
    for (BlockId S : Block.Succs)
      for (ValueId V : Code.Graph.Blocks[S].LiveIn)
        LiveOut.push_back(numberOf(V));
    for (InstId I = Block.FirstTerminator; I != Block.End; ++I)
      for (ValueId V : Code.Graph.uses(I))
        LiveOut.push_back(numberOf(V));
    Result.LiveOut.resize(static_cast<unsigned>(Result.Words.size()));
    for (unsigned V : LiveOut)
      Result.LiveOut.set(V);
    return std::move(Result);
  }

private:
  const KernelCode &Code;
  const BlockInfo &Block;
  const NVPTXOpcodes &Opcodes;
  const InstOrder How;
  ScheduleGraph Result;
  DenseMap<ValueId, unsigned> Numbers; ///< In Result.
  struct Accesses {
    std::optional<unsigned> Def;      ///< The last one.
    SmallVector<unsigned, 4> Readers; ///< Of that definition.
  };
  std::vector<Accesses> Last; ///< By number.
  std::optional<unsigned> LastEffect, LastAssembly;
  SmallVector<unsigned, 16> ReadsSince; ///< Since that.

  unsigned numberOf(ValueId V) {
    auto [It, IsNew] =
        Numbers.try_emplace(V, static_cast<unsigned>(Result.Words.size()));
    if (IsNew) {
      Result.Words.push_back(Code.Graph.words(V));
      Last.emplace_back();
    }
    return It->second;
  }

  void readRegisters(unsigned N) {
    ScheduleGraph::Node &Node = Result.Nodes[N];
    for (ValueId V : Code.Graph.uses(Block.Begin + N)) {
      unsigned U = numberOf(V);
      Node.Uses.push_back(U);
      if (Last[U].Def)
        Result.addEdge(*Last[U].Def, N);
      Last[U].Readers.push_back(N);
    }
    for (ValueId V : Code.Graph.defs(Block.Begin + N)) {
      unsigned D = numberOf(V);
      Node.Defs.push_back(D);
      for (unsigned Reader : Last[D].Readers)
        if (Reader != N)
          Result.addEdge(Reader, N);
      if (Last[D].Def)
        Result.addEdge(*Last[D].Def, N);
      Last[D] = {N, {}};
    }
  }

  void readMemory(unsigned N) {
    const MachineInstr &I = *insts()[N];
    MemoryUse Use = memoryUse(I, Opcodes, How);
    // Assembly may end the thread ("@p exit;") if the address is not valid.
    if (LastAssembly && Opcodes.isReadOnlyLoad(I.getOpcode()))
      Result.addEdge(*LastAssembly, N);
    if (Use == MemoryUse::None)
      return;
    if (LastEffect)
      Result.addEdge(*LastEffect, N);
    if (Use == MemoryUse::Read) {
      ReadsSince.push_back(N);
      return;
    }
    for (unsigned Read : ReadsSince)
      Result.addEdge(Read, N);
    ReadsSince.clear();
    LastEffect = N;
    if (I.isInlineAsm())
      LastAssembly = N;
  }
};

/// Puts Insts, which stand in Block in another order, into this one. Live
/// intervals are to be computed anew: to have them follow each move takes time
/// that grows with the square of the block's length.
void arrange(MachineBasicBlock &Block, ArrayRef<MachineInstr *> Insts) {
  // Debug values follow the instruction that they stand after.
  std::vector<std::pair<MachineInstr *, MachineInstr *>> Debug;
  MachineInstr *Previous = nullptr;
  for (MachineInstr &I : make_early_inc_range(Block)) {
    if (I.isDebugOrPseudoInstr())
      Debug.push_back({Block.remove_instr(&I), Previous});
    else
      Previous = &I;
  }
  MachineBasicBlock::iterator Place = Block.begin();
  for (MachineInstr *I : Insts) {
    if (&*Place == I)
      ++Place;
    else
      Block.splice(Place, &Block, I);
    for (MachineOperand &Operand : I->operands())
      if (Operand.isReg() && Operand.isUse())
        Operand.setIsKill(false); // Another may be the last use now.
  }
  for (auto &[I, Behind] : reverse(Debug))
    Block.insert(
        Behind ? std::next(Behind->getIterator()) : Block.instr_begin(), I);
}

} // namespace

Expected<bool> reorderBlocks(const KernelCode &Code, LiveIntervals &LIS,
                             const NVPTXOpcodes &Opcodes, InstOrder How,
                             unsigned MaxWords, bool Verify) {
  bool Changed = false;
  std::vector<unsigned> Pressures = blockPressures(Code.Graph);
  for (BlockId B = 0; B != Code.Blocks.size(); ++B) {
    BlockReader Reader(Code, B, Opcodes, How);
    if (Pressures[B] < crowdedFrom(MaxWords) || !Reader.mayMove())
      continue;
    std::vector<MachineInstr *> Insts;
    ScheduleGraph Graph = Reader.read();
    Graph.Room = roomFor(Pressures[B], MaxWords);
    for (unsigned N : listSchedule(Graph, How))
      Insts.push_back(Reader.insts()[N]);
    if (ArrayRef(Insts) == Reader.insts())
      continue;
    MachineBasicBlock &Block = *Code.Blocks[B];
    std::optional<FlowSnapshot> Original;
    if (Verify)
      Original.emplace(Block, Opcodes);
    arrange(Block, Insts);
    Changed = true;
    if (Original)
      if (Error E = Original->check())
        return E;
  }
  if (Changed) {
    MachineFunction &MF = *Code.Blocks.front()->getParent();
    LIS.getSlotIndexes()->reanalyze(MF);
    LIS.reanalyze(MF);
  }
  return Changed;
}

} // namespace regdem
