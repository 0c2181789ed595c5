//===- Omission.cpp - passes that a build is made without -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Omission.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem {

namespace {
struct NamedPass {
  bool Omission::*Field;
  StringLiteral Name; ///< That of LLVM's command line, if it is a pass.
};
} // namespace

static constexpr NamedPass NamedPasses[] = {
    {&Omission::StrengthReduction, "loop-reduce"},
    {&Omission::Sinking, "machine-sink"},
    {&Omission::StraightLine, "slsr"},
    {&Omission::Sharing, "address-sharing"},
    {&Omission::Copies, "copies"},
    {&Omission::Rolling, "loop-rolling"},
};

std::string toString(Omission O) {
  SmallVector<StringRef, 6> Names;
  for (const NamedPass &P : NamedPasses)
    if (O.*P.Field)
      Names.push_back(P.Name);
  return join(Names, ",");
}

std::string describe(Omission O) {
  SmallVector<std::string, 2> Words;
  if (O.Rolling)
    Words.push_back("loops unrolled");
  O.Rolling = false;
  if (O.any())
    Words.push_back("without " + toString(O));
  return join(Words, ", ");
}

Omission parseOmission(StringRef Names) {
  Omission O;
  for (StringRef Name : split(Names, ','))
    for (const NamedPass &P : NamedPasses)
      if (P.Name == Name)
        O.*P.Field = true;
  return toString(O) == Names ? O : Omission();
}

} // namespace regdem
