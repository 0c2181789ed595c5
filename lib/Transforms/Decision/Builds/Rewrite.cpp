//===- Rewrite.cpp - other ways to generate a kernel's code ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Rewrite.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem {

namespace {
struct NamedRewrite {
  Rewrite Is;
  StringLiteral Name;
  StringLiteral Phrase; ///< To follow "built".
};
} // namespace

static constexpr NamedRewrite NamedRewrites[] = {
    {Rewrite::SkipLoopReduce, "skip-loop-reduce", "without loop-reduce"},
    {Rewrite::SkipMachineSink, "skip-machine-sink", "without machine-sink"},
    {Rewrite::SkipSLSR, "skip-slsr", "without slsr"},
    {Rewrite::WideProducts, "wide-products", "with products of words"},
    {Rewrite::UnrollLoops, "unroll-loops", "with loops unrolled"},
    {Rewrite::LowerArrays, "lower-arrays", "with arrays rewritten"},
    {Rewrite::InlineCalls, "inline-calls", "with calls inlined"},
    {Rewrite::CheaperAccesses, "cheaper-accesses", "with cheaper accesses"},
    {Rewrite::HoistBranches, "hoist-branches", "with branches out of loops"},
};

std::string toString(Rewrite Set) {
  SmallVector<StringRef, 6> Names;
  for (const NamedRewrite &R : NamedRewrites)
    if (has(Set, R.Is))
      Names.push_back(R.Name);
  return join(Names, ",");
}

std::string describe(Rewrite Set) {
  SmallVector<StringRef, 6> Phrases;
  for (const NamedRewrite &R : NamedRewrites)
    if (has(Set, R.Is))
      Phrases.push_back(R.Phrase);
  return join(Phrases, ", ");
}

Rewrite parseRewrites(StringRef Names) {
  Rewrite Set = Rewrite::None;
  for (StringRef Name : split(Names, ','))
    for (const NamedRewrite &R : NamedRewrites)
      if (R.Name == Name)
        Set |= R.Is;
  return toString(Set) == Names ? Set : Rewrite::None;
}

} // namespace regdem
