//===- CodeGraph.cpp - where control may go -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGraph.h"

#include "SetUpCheck.h"
#include <iterator>
#include <set>

using namespace llvm;

namespace regdem::framecheck {

namespace {

class FlowReader {
public:
  explicit FlowReader(const Listing &L) : L(L) {}

  Expected<std::vector<FlowBehind>> run();

private:
  const Listing &L;
  /// First instructions of the functions, each of which ends where the next
  /// one starts.
  std::set<unsigned> Entries = {0};
  std::optional<unsigned> target(StringRef Operand) const;
  /// The entry of the function that has instruction N.
  unsigned functionOf(unsigned N) const {
    return *std::prev(Entries.upper_bound(N));
  }
  Error readBranch(unsigned N, FlowBehind &Flow) const;
  Error readTableBranch(unsigned N, FlowBehind &Flow) const;
  Error readBarrier(unsigned N, FlowBehind &Flow) const;
  Error readCall(unsigned N, FlowBehind &Flow) const;
  Expected<FlowBehind> behind(unsigned N) const;
};

} // namespace

/// The instruction that `(LABEL) names.
std::optional<unsigned> FlowReader::target(StringRef Operand) const {
  if (!Operand.consume_front("`(") || !Operand.consume_back(")"))
    return std::nullopt;
  auto Found = L.Labels.find(Operand);
  if (Found == L.Labels.end() || Found->second >= L.Instructions.size())
    return std::nullopt;
  return Found->second;
}

Error FlowReader::readBranch(unsigned N, FlowBehind &Flow) const {
  const ListedInstruction &I = L.Instructions[N];
  auto Operands = I.operands();
  std::optional<unsigned> Target =
      Operands.empty() ? std::nullopt : target(Operands.back());
  if (!Target)
    return failAt(N, "a branch does not show its target");
  Flow.Next.push_back(*Target);
  // What stands before the target is a further condition.
  if (I.isGuarded() || Operands.size() > 1)
    Flow.Next.push_back(N + 1);
  return Error::success();
}

/// A branch by a table: ptxas notes its targets in the cubin.
Error FlowReader::readTableBranch(unsigned N, FlowBehind &Flow) const {
  const ListedInstruction &I = L.Instructions[N];
  SmallVector<StringRef, 8> Labels;
  I.Targets.split(Labels, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Label : Labels) {
    auto Found = L.Labels.find(Label.trim());
    if (Found == L.Labels.end())
      return failAt(N, "a branch does not show its target");
    Flow.Next.push_back(Found->second);
  }
  if (Labels.empty())
    return failAt(N, "a branch through a register");
  if (I.isGuarded())
    Flow.Next.push_back(N + 1);
  return Error::success();
}

/// BSSY B0, `(LABEL) lets threads meet at the label; those that come to BSYNC
/// B0 go there.
Error FlowReader::readBarrier(unsigned N, FlowBehind &Flow) const {
  const ListedInstruction &I = L.Instructions[N];
  auto Operands = I.operands();
  if (I.base() == "BSSY") {
    Flow.Meeting = Operands.size() < 2 ? std::nullopt : target(Operands.back());
    if (!Flow.Meeting || I.isGuarded())
      return failAt(N, "a meeting point is not shown");
    Flow.Barrier = Operands[Operands.size() - 2];
    Flow.Next.push_back(N + 1);
    return Error::success();
  }
  if (Operands.empty())
    return failAt(N, "a barrier is not shown");
  Flow.Barrier = Operands.back();
  if (I.isGuarded() || Operands.size() > 1)
    Flow.Next.push_back(N + 1);
  return Error::success();
}

Error FlowReader::readCall(unsigned N, FlowBehind &Flow) const {
  const ListedInstruction &I = L.Instructions[N];
  auto Operands = I.operands();
  if (Operands.size() == 1)
    Flow.Callee = target(Operands.front());
  if (!Flow.Callee || I.isGuarded())
    return failAt(N, "a call does not show what it calls");
  Flow.Next.push_back(N + 1);
  return Error::success();
}

/// Whether a call of Operand is a jump: ptxas also leaves loops by calls, to
/// places that are no functions and do not return.
static bool isLocal(StringRef Operand) { return Operand.starts_with("`(.L_"); }

Expected<FlowBehind> FlowReader::behind(unsigned N) const {
  const ListedInstruction &I = L.Instructions[N];
  StringRef Base = I.base();
  FlowBehind Flow;
  bool Jumps =
      Base == "BRA" || Base == "JMP" || (Base == "CALL" && isLocal(I.Operands));
  if (Jumps) {
    if (Error E = readBranch(N, Flow))
      return E;
  } else if (Base == "CALL") {
    if (Error E = readCall(N, Flow))
      return E;
  } else if (Base == "BRX" || Base == "BRXU") {
    if (Error E = readTableBranch(N, Flow))
      return E;
  } else if (Base == "JMX" || Base == "JMXU" || Base == "LEPC" ||
             Base == "RTT") {
    return failAt(N, "a branch through a register");
  } else if (Base == "BSSY" || Base == "BSYNC") {
    if (Error E = readBarrier(N, Flow))
      return E;
  } else {
    // Threads that are gathered may go on elsewhere.
    auto Operands = I.operands();
    if (Base == "WARPSYNC" && !Operands.empty())
      if (std::optional<unsigned> Target = target(Operands.back()))
        Flow.Next.push_back(*Target);
    Flow.Returns = Base == "RET";
    bool Ends = Base == "RET" || Base == "EXIT" || Base == "KILL";
    if (!Ends || I.isGuarded())
      Flow.Next.push_back(N + 1);
  }
  for (unsigned Next : Flow.Next)
    if (Next >= L.Instructions.size() || functionOf(Next) != functionOf(N))
      return failAt(N, "control leaves the function");
  return Flow;
}

Expected<std::vector<FlowBehind>> FlowReader::run() {
  for (const ListedInstruction &I : L.Instructions) {
    auto Operands = I.operands();
    if (I.base() == "CALL" && Operands.size() == 1 && !isLocal(Operands[0]))
      if (std::optional<unsigned> Callee = target(Operands[0]))
        Entries.insert(*Callee);
  }
  std::vector<FlowBehind> Result;
  for (unsigned N = 0; N != L.Instructions.size(); ++N) {
    // Nothing comes to what fills the code up.
    bool IsFilling = L.Instructions[N].base() == "NOP" &&
                     (N + 1 == L.Instructions.size() || Entries.count(N + 1));
    Expected<FlowBehind> Flow = IsFilling ? FlowBehind() : behind(N);
    if (!Flow)
      return Flow.takeError();
    Result.push_back(std::move(*Flow));
  }
  return Result;
}

Expected<std::vector<FlowBehind>> readFlow(const Listing &L) {
  return FlowReader(L).run();
}

} // namespace regdem::framecheck
