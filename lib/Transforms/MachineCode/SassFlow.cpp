//===- SassFlow.cpp - where control goes after an instruction -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassDecode.h"
#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem {

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

static std::optional<unsigned> barrierIn(StringRef Operand) {
  unsigned N = 0;
  if (!Operand.consume_front("B") || Operand.getAsInteger(10, N) ||
      N >= NumConvergenceBarriers)
    return std::nullopt;
  return N;
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

Expected<SassFlow> sassFlow(const SassText &Text, unsigned N) {
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
    SmallVector<StringRef, 6> Operands = splitOperands(Line.Operands);
    std::optional<unsigned> Barrier =
        Operands.empty() ? std::nullopt : barrierIn(Operands.back());
    if (!Barrier)
      return failAt(Line, "no barrier register");
    Flow.What = SassFlow::Kind::Converge;
    Flow.Barrier = *Barrier;
    Flow.FallsThrough = isGuarded(Line);
  }
  return Flow;
}

std::optional<std::pair<unsigned, unsigned>>
convergencePoint(const SassText &Text, const SassLine &Line) {
  if (baseOpcode(Line.Opcode) != "BSSY")
    return std::nullopt;
  SmallVector<StringRef, 6> Operands = splitOperands(Line.Operands);
  if (Operands.size() < 2)
    return std::nullopt;
  std::optional<unsigned> Barrier = barrierIn(Operands[Operands.size() - 2]);
  std::optional<unsigned> Target = Text.codeAt(labelIn(Operands.back()));
  if (!Barrier || !Target)
    return std::nullopt;
  return std::pair(*Barrier, *Target);
}

} // namespace regdem
