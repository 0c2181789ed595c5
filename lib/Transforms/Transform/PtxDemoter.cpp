//===- PtxDemoter.cpp - carry out a demotion plan in PTX ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/PtxDemoter.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

class PtxDemoter {
public:
  PtxDemoter(const PtxFile &File, const PtxFunction &Kernel, const PtxGraph &G,
             const SlotLayout &Layout, uint64_t RegionBytes)
      : Code(File.code()), Kernel(Kernel), G(G), Layout(Layout),
        RegionBytes(RegionBytes) {}

  std::vector<PtxEdit> run(const DemotionPlan &Plan, const unsigned (&Dims)[3]);

private:
  std::string setUp(const unsigned (&Dims)[3]) const;
  std::string textOf(const PlanAction &A) const;
  size_t placeOf(const PlanPoint &Where) const;
  size_t behind(BlockId B) const;
  void addEdge(const SplitEdge &E, StringRef Label, StringRef Actions);

  size_t offsetOf(const char *At) const {
    return static_cast<size_t>(At - Code.data());
  }
  void insert(size_t At, std::string New) {
    Edits.push_back({At, At, std::move(New)});
  }

  StringRef Code;
  const PtxFunction &Kernel;
  const PtxGraph &G;
  const SlotLayout &Layout;
  uint64_t RegionBytes;
  std::vector<PtxEdit> Edits;
  std::string Tail; ///< Blocks of edges, behind all others.
};

/// Declares registers and slots, and computes the address of the thread's: that
/// of its number, tid.x + ntid.x * (tid.y + ntid.y * tid.z), without the
/// dimensions that are known to have one thread.
std::string PtxDemoter::setUp(const unsigned (&Dims)[3]) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "\n\t.reg .b32 %regdem<3>;\n\t.reg .b64 %regdemw<2>;\n";
  if (!Layout.Words)
    return Text;
  // tid + ntid * number.
  auto Add = [&](char Dim, unsigned Extent) {
    OS << "\tmov.u32 %regdem1, %tid." << Dim << ";\n";
    if (Extent)
      OS << "\tmad.lo.u32 %regdem0, %regdem0, " << Extent << ", %regdem1;\n";
    else
      OS << "\tmov.u32 %regdem2, %ntid." << Dim << ";\n"
         << "\tmad.lo.u32 %regdem0, %regdem0, %regdem2, %regdem1;\n";
  };
  OS << "\t.shared .align 8 .b8 __regdem_slots[" << RegionBytes << "];\n";
  bool HasZ = Dims[2] != 1, HasY = HasZ || Dims[1] != 1;
  OS << "\tmov.u32 %regdem0, %tid." << (HasZ ? 'z' : HasY ? 'y' : 'x') << ";\n";
  if (HasZ)
    Add('y', Dims[1]);
  if (HasY)
    Add('x', Dims[0]);
  OS << "\tmul.wide.u32 %regdemw1, %regdem0, " << Layout.Unit << ";\n"
     << "\tmov.b64 %regdemw0, __regdem_slots;\n"
     << "\tadd.s64 %regdemw0, %regdemw0, %regdemw1;\n";
  return Text;
}

/// The instructions of A.
std::string PtxDemoter::textOf(const PlanAction &A) const {
  std::string Text;
  raw_string_ostream OS(Text);
  const PtxRegister &R = G.Registers[A.Value];
  if (A.What == PlanAction::Recompute) {
    for (InstId I = 0; I != G.Graph.numInsts(); ++I)
      if (is_contained(G.Graph.defs(I), A.Value)) {
        const PtxInstruction &Def = G.Code.Instructions[I];
        OS << Def.Opcode << " " << Def.Operands << ";\n\t";
      }
    return Text;
  }
  auto Access = [&](StringRef Register, unsigned Bits, unsigned Word) {
    std::string Slot = ("[%regdemw0+" + Twine(Layout.offset(Word)) + "]").str();
    if (A.What == PlanAction::Store)
      OS << "st.shared.b" << Bits << " " << Slot << ", " << Register;
    else
      OS << "ld.shared.b" << Bits << " " << Register << ", " << Slot;
    OS << ";\n\t";
  };
  if (R.Bits / 8 <= Layout.Unit) {
    Access(R.Name, R.Bits, A.Slot);
    return Text;
  }
  constexpr StringLiteral Halves = "{%regdem1, %regdem2}";
  if (A.What == PlanAction::Store)
    OS << "mov.b64 " << Halves << ", " << R.Name << ";\n\t";
  Access("%regdem1", 32, A.Slot);
  Access("%regdem2", 32, A.Slot + 1);
  if (A.What == PlanAction::Reload)
    OS << "mov.b64 " << R.Name << ", " << Halves << ";\n\t";
  return Text;
}

/// Behind the last instruction of B or, where it has none, where it begins.
size_t PtxDemoter::behind(BlockId B) const {
  const BlockInfo &Block = G.Graph.Blocks[B];
  if (Block.Begin == Block.End)
    return offsetOf(G.Code.Begins[B]);
  size_t End = offsetOf(G.Code.Instructions[Block.End - 1].Statement.end());
  return Code.find(';', End) + 1;
}

size_t PtxDemoter::placeOf(const PlanPoint &Where) const {
  const BlockInfo &Block = G.Graph.Blocks[Where.Block];
  InstId At = std::min(Where.Before, Block.FirstTerminator);
  return At == Block.End ? behind(Where.Block)
                         : offsetOf(G.Code.Instructions[At].Statement.begin());
}

/// Has Actions, and nothing else, run where control goes along E.
void PtxDemoter::addEdge(const SplitEdge &E, StringRef Label,
                         StringRef Actions) {
  if (E.Succ == E.Pred + 1) { // Control gets there without a branch.
    insert(behind(E.Pred), ("\n\t" + Actions).str());
    return;
  }
  const PtxInstruction &Branch =
      G.Code.Instructions[G.Graph.Blocks[E.Pred].End - 1];
  size_t Target = offsetOf(Branch.Operands.begin());
  Edits.push_back({Target, Target + Branch.Operands.size(), Label.str()});
  Tail += (Label + ":\n\t" + Actions + "bra " + Branch.Operands + ";\n").str();
}

std::vector<PtxEdit> PtxDemoter::run(const DemotionPlan &Plan,
                                     const unsigned (&Dims)[3]) {
  insert(Kernel.Open + 1, setUp(Dims));
  std::vector<std::string> OnEdges(Plan.Edges.size());
  for (const PlanAction &A : Plan.Actions) {
    if (A.Where.Block >= G.Graph.Blocks.size()) {
      OnEdges[A.Where.Block - G.Graph.Blocks.size()] += textOf(A);
      continue;
    }
    size_t At = placeOf(A.Where);
    bool IsBehind = At && (Code[At - 1] == ';' || Code[At - 1] == ':');
    insert(At, (IsBehind ? "\n\t" : "") + textOf(A));
  }
  for (auto [I, E] : enumerate(Plan.Edges))
    addEdge(E, ("$regdem_edge_" + Twine(I)).str(), OnEdges[I]);
  if (!Tail.empty())
    insert(Kernel.End - 1, "\tret;\n" + Tail); // The code may end there.
  return std::move(Edits);
}

} // namespace

std::vector<PtxEdit> demoteInPtx(const PtxFile &File, const PtxFunction &Kernel,
                                 const PtxGraph &G, const DemotionPlan &Plan,
                                 const SlotLayout &Layout, uint64_t RegionBytes,
                                 const unsigned (&Dims)[3]) {
  return PtxDemoter(File, Kernel, G, Layout, RegionBytes).run(Plan, Dims);
}

} // namespace regdem
