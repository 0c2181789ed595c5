//===- SassGraph.cpp - a kernel's graph of a listing ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"
#include "regdem/MachineCode/RawCode.h"
#include "regdem/MachineCode/ReversePostOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace regdem {

namespace {

/// What follows an instruction.
struct Step {
  bool EndsBlock = false;
  SmallVector<unsigned, 2> Next; ///< In order of address.
  std::optional<unsigned> Callee;
};

/// Finds the blocks of one function after another.
class Builder {
public:
  Builder(const SassListing &L, SassKernel &K) : L(L), K(K) {}

  Error build(unsigned Entry);

private:
  const SassListing &L;
  SassKernel &K;
  std::vector<unsigned> Entries; ///< Of functions, by index in K.Functions.

  /// Of the function at work: the instructions that were reached, those that
  /// start a block, and those to go on from.
  std::map<unsigned, Step> Reached;
  std::set<unsigned> Leaders;
  std::vector<unsigned> Work;

  unsigned functionAt(unsigned Entry);
  Expected<Step> read(unsigned N);
  Error walk(unsigned N);
  void emit(unsigned Function);
};

} // namespace

unsigned Builder::functionAt(unsigned Entry) {
  auto Found = find(Entries, Entry) - Entries.begin();
  if (Found == static_cast<ptrdiff_t>(Entries.size()))
    Entries.push_back(Entry);
  return static_cast<unsigned>(Found);
}

Expected<Step> Builder::read(unsigned N) {
  using Kind = SassFlow::Kind;
  Expected<SassFlow> Flow = flowAfter(L, N);
  if (!Flow)
    return Flow.takeError();
  Step S;
  bool MayStop = Flow->What == Kind::Return || Flow->What == Kind::Stop;
  S.EndsBlock = Flow->What != Kind::Next && !(MayStop && Flow->FallsThrough);
  if (Flow->What == Kind::Jump)
    S.Next = Flow->Targets;
  if (Flow->What == Kind::Call && !Flow->Targets.empty())
    S.Callee = functionAt(Flow->Targets.front());
  K.HasUnknownCallees |= Flow->What == Kind::Call && !S.Callee;
  // Threads that meet go on at the label of the BSSY, which ptxas puts after
  // the BSYNC.
  if (Flow->FallsThrough) {
    if (!L.hasNext(N))
      return createStringError("control runs past the code behind 0x" +
                               utohexstr(L.Code[N].Address, true));
    S.Next.push_back(N + 1);
  }
  llvm::sort(S.Next);
  S.Next.erase(llvm::unique(S.Next), S.Next.end());
  return S;
}

/// Follows straight-line code from N on until it ends or was seen before.
Error Builder::walk(unsigned N) {
  for (bool Ends = false; !Ends && !Reached.count(N); ++N) {
    Expected<Step> S = read(N);
    if (!S)
      return S.takeError();
    Ends = S->EndsBlock;
    if (Ends) {
      Leaders.insert(S->Next.begin(), S->Next.end());
      append_range(Work, S->Next);
    }
    Reached[N] = std::move(*S);
  }
  return Error::success();
}

/// Appends the blocks of the function at work to the kernel.
void Builder::emit(unsigned Function) {
  std::map<unsigned, unsigned> BlockAt;
  auto Index = static_cast<unsigned>(K.Blocks.size());
  for (unsigned Leader : Leaders)
    BlockAt[Leader] = Index++;
  K.Blocks.resize(Index);
  K.Functions[Function].Entry = BlockAt[Entries[Function]];
  SassBlock *Block = nullptr;
  bool IsOpen = false;
  for (const auto &[N, S] : Reached) {
    if (auto Start = BlockAt.find(N); Start != BlockAt.end()) {
      // A block that ends only because the next one is jumped to.
      if (IsOpen)
        Block->Successors.push_back(Start->second);
      Block = &K.Blocks[Start->second];
      Block->Function = Function;
    }
    Block->Instructions.push_back(L.Code[N]);
    IsOpen = !S.EndsBlock;
    if (IsOpen)
      continue;
    for (unsigned Target : S.Next)
      Block->Successors.push_back(BlockAt[Target]);
    Block->Callee = S.Callee;
  }
}

Error Builder::build(unsigned Entry) {
  functionAt(Entry);
  std::vector<StringRef> NameAt(L.Code.size());
  for (const auto &Label : L.Labels) {
    StringRef Name = Label.first();
    // ".text.NAME" stands beside NAME.
    if (Label.second >= NameAt.size() || Name.starts_with("."))
      continue;
    // Of several names the first by the alphabet: the map has no order.
    StringRef &Known = NameAt[Label.second];
    if (Known.empty() || Name < Known)
      Known = Name;
  }
  for (unsigned F = 0; F != Entries.size(); ++F) {
    K.Functions.push_back({NameAt[Entries[F]].str(), 0});
    Reached.clear();
    Leaders = {Entries[F]};
    Work = {Entries[F]};
    while (!Work.empty()) {
      unsigned Start = Work.back();
      Work.pop_back();
      if (Error E = walk(Start))
        return E;
    }
    emit(F);
  }
  return Error::success();
}

/// The kernel to read: Name, or the only one.
static Expected<StringRef> chooseKernel(const SassListing &L, StringRef Name) {
  if (Name.empty()) {
    if (L.Kernels.size() == 1)
      return L.Kernels.front();
    if (L.Kernels.empty())
      return createStringError("no kernel in the machine code");
    return createStringError("several kernels in the machine code: " +
                             join(L.Kernels, ", "));
  }
  if (!is_contained(L.Kernels, Name))
    return createStringError("no kernel '" + Name + "' in the machine code");
  return Name;
}

/// Blocks and functions that can be reached from the kernel Name.
static Expected<SassKernel> buildSassGraph(const SassListing &L,
                                           StringRef Name) {
  Expected<StringRef> Kernel = chooseKernel(L, Name);
  if (!Kernel)
    return Kernel.takeError();
  std::optional<unsigned> Entry = L.codeAt(*Kernel);
  if (!Entry)
    return createStringError("no code of kernel '" + *Kernel + "'");
  SassKernel K;
  K.Name = Kernel->str();
  if (Error E = Builder(L, K).build(*Entry))
    return E;
  return K;
}

// Loops.

std::vector<unsigned> blockOrder(const SassKernel &K, unsigned Function) {
  return reversePostOrder(
      K.Functions[Function].Entry, K.Blocks.size(),
      [&K](unsigned B) { return ArrayRef<unsigned>(K.Blocks[B].Successors); });
}

/// Fills in the loops: strongly connected parts, with those inside them that
/// remain when the header's incoming edges are taken away. For reducible code
/// these are the natural loops; irreducible parts get one header, too. Loops
/// stand in the order of their headers. Trips are left at 0.
///
/// In block order, an edge goes back where it closes a cycle. What leads to the
/// start of such an edge, through blocks after the end of it, is the strongly
/// connected part without the headers of the loops around it.
static void findSassLoops(SassKernel &K) {
  std::vector<unsigned> Headers, Places(K.Blocks.size());
  for (unsigned F = 0; F != K.Functions.size(); ++F)
    for (unsigned B : blockOrder(K, F)) {
      Places[B] = static_cast<unsigned>(Headers.size());
      Headers.push_back(B);
    }
  std::vector<std::vector<unsigned>> Predecessors(K.Blocks.size());
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    for (unsigned To : K.Blocks[B].Successors)
      Predecessors[To].push_back(B);
  for (unsigned Header : Headers) {
    std::vector<unsigned> Work;
    for (unsigned P : Predecessors[Header])
      if (Places[P] >= Places[Header])
        Work.push_back(P);
    if (Work.empty())
      continue;
    SassLoop L;
    L.Header = Header;
    L.Parent = K.Blocks[Header].Loop;
    L.Depth = K.Blocks[Header].LoopDepth + 1;
    auto Index = static_cast<unsigned>(K.Loops.size());
    K.Loops.push_back(L);
    Work.push_back(Header);
    while (!Work.empty()) {
      unsigned B = Work.back();
      Work.pop_back();
      if (K.Blocks[B].Loop == Index)
        continue;
      K.Blocks[B].Loop = Index;
      K.Blocks[B].LoopDepth = L.Depth;
      if (B == Header)
        continue;
      for (unsigned P : Predecessors[B])
        if (Places[P] > Places[Header])
          Work.push_back(P);
    }
  }
}

bool isInLoop(const SassKernel &K, unsigned Block, unsigned Loop) {
  std::optional<unsigned> L = K.Blocks[Block].Loop;
  while (L && K.Loops[*L].Depth > K.Loops[Loop].Depth)
    L = K.Loops[*L].Parent;
  return L == Loop;
}

bool isBackEdge(const SassKernel &K, unsigned From, unsigned To) {
  std::optional<unsigned> L = K.Blocks[To].Loop;
  return L && K.Loops[*L].Header == To && isInLoop(K, From, *L);
}

Expected<SassKernel> readKernel(const SassListing &L, StringRef Name,
                                ArrayRef<uint64_t> SlowPathTables) {
  Expected<SassKernel> K = buildSassGraph(L, Name);
  if (!K)
    return K.takeError();
  findSassLoops(*K);
  markSlowPaths(*K, SlowPathTables);
  countEqualities(*K);
  estimateSassFrequencies(*K);
  return K;
}

/// Adds to L the functions of Cubin that it calls and that have sections of
/// their own, as in code that is to be linked.
static Error addCalledFunctions(SassListing &L, StringRef Cubin) {
  for (unsigned N = 0; N != L.Code.size(); ++N) {
    if (L.Code[N].base() != "CALL" || !L.Code[N].Operands.back().isLabel())
      continue;
    std::string Name = L.Code[N].Operands.back().Text;
    if (L.Labels.count(Name) || !codeBytesOf(Cubin, Name))
      continue;
    Expected<SassListing> Its = decodeListing(Cubin, Name);
    if (!Its)
      return Its.takeError();
    auto Start = static_cast<unsigned>(L.Code.size());
    auto IsOwn = [&Its](StringRef Label) {
      return Label.starts_with(".L_") && Its->Labels.count(Label);
    };
    for (SassInstruction &I : Its->Code) {
      for (SassOperand &O : I.Operands)
        if (O.isLabel() && IsOwn(O.Text))
          O.Text += "." + Name;
      L.Code.push_back(std::move(I));
    }
    for (const auto &[Label, At] : Its->Labels)
      L.Labels[IsOwn(Label) ? (Label + "." + Name).str() : Label.str()] =
          Start + At;
  }
  return Error::success();
}

Expected<SassKernel> decodeKernel(StringRef Cubin, StringRef Name) {
  Expected<SassListing> L = decodeListing(Cubin, Name);
  if (!L)
    return L.takeError();
  if (Error E = addCalledFunctions(*L, Cubin))
    return E;
  return readKernel(*L, L->Kernels.front(), slowPathTables(Cubin));
}

Expected<std::vector<SassKernel>> decodeKernels(ArrayRef<StringRef> Cubins,
                                                StringRef Name) {
  std::vector<SassKernel> Kernels;
  for (StringRef Cubin : Cubins) {
    Expected<SassKernel> K = decodeKernel(Cubin, Name);
    if (!K)
      return K.takeError();
    Kernels.push_back(std::move(*K));
  }
  return Kernels;
}

} // namespace regdem
