//===- PtxPromises.cpp - what PTX promises of its kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/PtxPromises.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem {

namespace {

/// A function of a PTX file: its header, up to "{", and its body.
struct PtxFunction {
  std::string Entry; ///< Its name; empty: no kernel.
  StringRef Header, Body;
};

/// The functions of Text that have bodies. Braces in strings and comments do
/// not occur where compilers write them; one that is taken for code makes a
/// body longer, which then promises more.
std::vector<PtxFunction> functionsOf(StringRef Text) {
  std::vector<PtxFunction> Functions;
  static const Regex Start("\\.(entry|func)[ \t\r\n]");
  static const Regex Named("\\.entry[ \t\r\n]+([A-Za-z0-9_$%]+)");
  SmallVector<StringRef, 2> Match;
  while (Start.match(Text, &Match)) {
    size_t At = Match[0].data() - Text.data();
    size_t Open = Text.find('{', At), Semicolon = Text.find(';', At);
    if (Open == StringRef::npos)
      break;
    if (Semicolon < Open) { // A declaration.
      Text = Text.drop_front(Semicolon);
      continue;
    }
    size_t Close = Open + 1;
    for (unsigned Depth = 1; Depth && Close != Text.size(); ++Close)
      Depth += (Text[Close] == '{') - (Text[Close] == '}');
    PtxFunction F{"", Text.slice(At, Open), Text.slice(Open, Close)};
    if (Named.match(F.Header, &Match))
      F.Entry = Match[1].str();
    Functions.push_back(std::move(F));
    Text = Text.drop_front(Close);
  }
  return Functions;
}

/// The number after Directive in Header; 0: there is none.
unsigned numberAfter(StringRef Header, StringRef Directive) {
  size_t At = Header.find(Directive);
  unsigned Number = 0;
  if (At == StringRef::npos ||
      Header.substr(At + Directive.size()).ltrim().consumeInteger(10, Number))
    return 0;
  return Number;
}

} // namespace

void addPromisesOf(StringRef Text, ProgramPromises &Promised) {
  std::vector<PtxFunction> Functions = functionsOf(Text);
  auto ReadsGrid = [](const PtxFunction &F) {
    return F.Body.contains("%envreg");
  };
  bool CalleesRead = any_of(Functions, [&](const PtxFunction &F) {
    return F.Entry.empty() && ReadsGrid(F);
  });
  static const Regex Dynamic("\\.extern[^;]*\\.shared");
  bool HasDynamic = Dynamic.match(Text);
  for (const PtxFunction &F : Functions) {
    if (F.Entry.empty())
      continue;
    Promises &P = Promised.Named[F.Entry];
    P.BlocksPerSM = numberAfter(F.Header, ".minnctapersm");
    P.MaxRegs = numberAfter(F.Header, ".maxnreg");
    P.KeepsAllBlocks = CalleesRead || ReadsGrid(F);
    if (!HasDynamic)
      P.DynamicShared = 0;
  }
}

} // namespace regdem
