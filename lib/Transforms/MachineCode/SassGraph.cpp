//===- SassGraph.cpp - basic blocks of a kernel and its functions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"

#include "SassDecode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace regdem {

namespace {

/// Where control goes after one instruction.
struct SassFlow {
  enum class Kind {
    Next, ///< On, like most instructions, predicated EXITs too.
    Jump, ///< To Targets, and on where FallsThrough.
    Call, ///< To Targets, or nobody knows where, and back.
    Stop  ///< Nowhere.
  };
  Kind What = Kind::Next;
  SmallVector<unsigned, 2> Targets; ///< Instructions in SassText::Lines.
  bool FallsThrough = false;
};

} // namespace

static Error failAt(const SassLine &Line, const Twine &Problem) {
  return createStringError("instruction " + Line.Opcode + " at 0x" +
                           utohexstr(Line.Address, /*LowerCase=*/true) + ": " +
                           Problem);
}

/// The name in `(NAME); empty where Operand has another form.
static StringRef labelIn(StringRef Operand) {
  if (!Operand.consume_front("`(") || !Operand.consume_back(")"))
    return "";
  return Operand;
}

/// A jump by Line to Labels.
static Expected<SassFlow> jumpTo(const SassText &Text, const SassLine &Line,
                                 ArrayRef<StringRef> Labels) {
  SassFlow Flow;
  Flow.What = SassFlow::Kind::Jump;
  Flow.FallsThrough = isGuarded(Line);
  for (StringRef Label : Labels) {
    std::optional<unsigned> Target = Text.codeAt(Label);
    if (!Target)
      return failAt(Line, "no code at label '" + Label + "'");
    Flow.Targets.push_back(*Target);
  }
  return Flow;
}

static Expected<SassFlow> flowOfJump(const SassText &Text,
                                     const SassLine &Line) {
  SmallVector<StringRef, 6> Operands = splitOperands(Line.Operands);
  StringRef Label = Operands.empty() ? "" : labelIn(Operands.back());
  if (Label.empty())
    return failAt(Line, "target is not shown");
  Expected<SassFlow> Flow = jumpTo(Text, Line, Label);
  // What stands before the target is a further condition.
  if (Flow && !all_of(drop_end(Operands), isTrue))
    Flow->FallsThrough = true;
  return Flow;
}

static Expected<SassFlow> flowOfIndirectJump(const SassText &Text,
                                             const SassLine &Line) {
  if (Line.Targets.empty())
    return failAt(Line, "targets are not shown");
  SmallVector<StringRef, 8> Labels;
  Line.Targets.split(Labels, ',');
  for (StringRef &Label : Labels)
    Label = Label.trim();
  return jumpTo(Text, Line, Labels);
}

/// A call of a function in the text has nothing but its label; one through a
/// register may have a label as the base.
static SassFlow flowOfCall(const SassText &Text, const SassLine &Line) {
  SassFlow Flow;
  Flow.What = SassFlow::Kind::Call;
  if (std::optional<unsigned> Target = Text.codeAt(labelIn(Line.Operands)))
    Flow.Targets.push_back(*Target);
  return Flow;
}

/// The flow after instruction N; an error where it cannot be seen.
static Expected<SassFlow> sassFlow(const SassText &Text, unsigned N) {
  const SassLine &Line = Text.Lines[N];
  StringRef Base = baseOpcode(Line.Opcode);
  SassFlow Flow;
  if (Base == "BRA" || Base == "JMP")
    return flowOfJump(Text, Line);
  if (Base == "BRX" || Base == "BRXU" || Base == "JMX" || Base == "JMXU")
    return flowOfIndirectJump(Text, Line);
  if (Base == "CALL")
    return flowOfCall(Text, Line);
  bool Traps = StringRef(Line.Opcode).starts_with("BPT.TRAP");
  if (Traps || Base == "EXIT" || Base == "RET" || Base == "KILL" ||
      Base == "RTT") {
    if (!isGuarded(Line))
      Flow.What = SassFlow::Kind::Stop;
  } else if (Base == "BSYNC") {
    // Threads wait for each other, and go on at the label of the BSSY, which
    // ptxas puts right behind.
    Flow.What = SassFlow::Kind::Jump;
    Flow.FallsThrough = true;
  }
  return Flow;
}

namespace {

/// Finds the blocks of one function after another.
class Builder {
public:
  Builder(const SassText &Text, SassKernel &K) : Text(Text), K(K) {}

  Error build(unsigned Entry);

private:
  const SassText &Text;
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
  if (N + 1 < Text.Lines.size() &&
      Text.Lines[N].Section == Text.Lines[N + 1].Section)
    return N + 1;
  return createStringError("control runs past the code behind 0x" +
                           utohexstr(Text.Lines[N].Address, true));
}

/// Records what follows instruction N, which may end a block; whether it does.
Expected<bool> Builder::leave(unsigned N, const SassFlow &Flow) {
  using Kind = SassFlow::Kind;
  if (Flow.What == Kind::Next)
    return false;
  SmallVector<unsigned, 2> Next;
  bool FallsThrough = Flow.FallsThrough || Flow.What == Kind::Call;
  if (Flow.What == Kind::Jump)
    Next = Flow.Targets;
  if (Flow.What == Kind::Call) {
    if (Flow.Targets.empty())
      K.HasUnknownCallees = true;
    else
      Called[N] = functionAt(Flow.Targets.front());
  }
  if (FallsThrough) {
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
    Expected<SassFlow> Flow = sassFlow(Text, N);
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
    Block.Instructions.push_back(decodeSass(Text.Lines[N]));
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
  std::vector<StringRef> NameAt(Text.Lines.size());
  for (const auto &Label : Text.Labels) {
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
static Expected<StringRef> chooseKernel(const SassText &Text, StringRef Name) {
  if (Name.empty()) {
    if (Text.Kernels.size() == 1)
      return Text.Kernels.front();
    if (Text.Kernels.empty())
      return createStringError("no kernel in the machine code");
    return createStringError("several kernels in the machine code: " +
                             join(Text.Kernels, ", "));
  }
  if (!is_contained(Text.Kernels, Name))
    return createStringError("no kernel '" + Name + "' in the machine code");
  return Name;
}

Expected<SassKernel> buildSassGraph(const SassText &Text, StringRef Name) {
  Expected<StringRef> Kernel = chooseKernel(Text, Name);
  if (!Kernel)
    return Kernel.takeError();
  std::optional<unsigned> Entry = Text.codeAt(*Kernel);
  if (!Entry)
    return createStringError("no code of kernel '" + *Kernel + "'");
  SassKernel K;
  K.Name = Kernel->str();
  if (Error E = Builder(Text, K).build(*Entry))
    return E;
  return K;
}

} // namespace regdem
