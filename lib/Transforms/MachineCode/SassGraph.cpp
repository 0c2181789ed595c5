//===- SassGraph.cpp - basic blocks of a kernel and its functions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace regdem {

namespace {

/// Finds the blocks of one function after another.
class Builder {
public:
  Builder(const SassListing &L, SassKernel &K) : L(L), K(K) {}

  Error build(unsigned Entry);

private:
  const SassListing &L;
  SassKernel &K;
  /// Entries of functions, by index in K.Functions, and back.
  std::vector<unsigned> Entries;
  DenseMap<unsigned, unsigned> FunctionAt;

  /// Of the function at work: the instructions that were reached, in order,
  /// those that start a block, and where control goes after those that end
  /// one.
  std::set<unsigned> Reached, Leaders;
  DenseMap<unsigned, SmallVector<unsigned, 2>> After;
  DenseMap<unsigned, unsigned> Called;
  std::vector<unsigned> Work; ///< Instructions to go on from.

  unsigned functionAt(unsigned Entry);
  Error walk(unsigned N);
  Expected<bool> leave(unsigned N, const SassFlow &Flow);
  Expected<unsigned> behind(unsigned N) const;
  void emit(unsigned Function);
};

} // namespace

unsigned Builder::functionAt(unsigned Entry) {
  auto [Place, New] = FunctionAt.try_emplace(Entry, Entries.size());
  if (New)
    Entries.push_back(Entry);
  return Place->second;
}

Expected<unsigned> Builder::behind(unsigned N) const {
  if (L.hasNext(N))
    return N + 1;
  return createStringError("control runs past the code behind 0x" +
                           utohexstr(L.Code[N].Address, true));
}

/// Records what follows instruction N, which may end a block; whether it does.
Expected<bool> Builder::leave(unsigned N, const SassFlow &Flow) {
  using Kind = SassFlow::Kind;
  bool MayEnd = Flow.What == Kind::Return || Flow.What == Kind::Stop;
  if (Flow.What == Kind::Next || (MayEnd && Flow.FallsThrough))
    return false;
  SmallVector<unsigned, 2> Next;
  if (Flow.What == Kind::Jump)
    Next = Flow.Targets;
  if (Flow.What == Kind::Call) {
    if (Flow.Targets.empty())
      K.HasUnknownCallees = true;
    else
      Called[N] = functionAt(Flow.Targets.front());
  }
  // Threads that meet go on at the label of the BSSY, which ptxas puts after
  // the BSYNC.
  if (Flow.FallsThrough) {
    Expected<unsigned> Following = behind(N);
    if (!Following)
      return Following.takeError();
    Next.push_back(*Following);
  }
  llvm::sort(Next);
  Next.erase(llvm::unique(Next), Next.end());
  for (unsigned Target : Next) {
    Leaders.insert(Target);
    Work.push_back(Target);
  }
  After[N] = Next;
  return true;
}

/// Follows straight-line code from N on until it ends or was seen before.
Error Builder::walk(unsigned N) {
  while (Reached.insert(N).second) {
    Expected<SassFlow> Flow = flowAfter(L, N);
    if (!Flow)
      return Flow.takeError();
    Expected<bool> Ends = leave(N, *Flow);
    if (!Ends)
      return Ends.takeError();
    if (*Ends)
      return Error::success();
    Expected<unsigned> Following = behind(N);
    if (!Following)
      return Following.takeError();
    N = *Following;
  }
  return Error::success();
}

/// Appends the blocks of the function at work to the kernel.
void Builder::emit(unsigned Function) {
  DenseMap<unsigned, unsigned> BlockAt;
  auto FirstBlock = static_cast<unsigned>(K.Blocks.size());
  auto Index = FirstBlock;
  for (unsigned Leader : Leaders)
    BlockAt[Leader] = Index++;
  K.Blocks.resize(Index);
  K.Functions[Function].Entry = BlockAt[Entries[Function]];
  unsigned Current = 0;
  std::optional<unsigned> Previous;
  for (unsigned N : Reached) {
    auto Start = BlockAt.find(N);
    if (Start != BlockAt.end()) {
      // A block that ends only because the next one is jumped to.
      if (Previous && !After.count(*Previous))
        K.Blocks[Current].Successors.push_back(Start->second);
      Current = Start->second;
      K.Blocks[Current].Function = Function;
    }
    SassBlock &Block = K.Blocks[Current];
    Block.Instructions.push_back(L.Code[N]);
    Previous = N;
    auto Next = After.find(N);
    if (Next == After.end())
      continue;
    for (unsigned Target : Next->second)
      Block.Successors.push_back(BlockAt[Target]);
    if (auto Callee = Called.find(N); Callee != Called.end())
      Block.Callee = Callee->second;
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
    After.clear();
    Called.clear();
    Work.push_back(Entries[F]);
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

Expected<SassKernel> buildSassGraph(const SassListing &L, StringRef Name) {
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

} // namespace regdem
