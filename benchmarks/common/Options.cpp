//===- Options.cpp - command line of a benchmark program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Options.h"
#include "common/Device.h"
#include <cstdio>
#include <cstdlib>

using namespace bench;

static const char Usage[] =
    "usage: PROGRAM --cubin [FAMILY:]NAME=PATH... [options]\n"
    "  --cubin ...  a build of the kernel; the first of a FAMILY is what the\n"
    "               others of it are compared with, bit for bit\n"
    "  --seed N     first random seed (1)\n"
    "  --seeds N    number of random inputs to check (3)\n"
    "  --reps N     timed runs of each build, interleaved; 0 = check only "
    "(20)\n"
    "  --quick      small problem sizes\n"
    "Prints one JSON object per build. Exit code 1: a wrong result;\n"
    "2: the program could not run.\n";

static uint64_t parseNumber(const std::string &Option,
                            const std::string &Text) {
  char *End = nullptr;
  uint64_t Value = std::strtoull(Text.c_str(), &End, 10);
  if (Text.empty() || *End || Text[0] == '-')
    fatal(Option + ": not a number: '" + Text + "'");
  return Value;
}

static Variant parseVariant(const std::string &Text) {
  size_t Equals = Text.find('=');
  if (Equals == std::string::npos || Equals == 0 || Equals + 1 == Text.size())
    fatal("--cubin: expected [FAMILY:]NAME=PATH, got '" + Text + "'");
  Variant V;
  V.Name = Text.substr(0, Equals);
  V.Path = Text.substr(Equals + 1);
  size_t Colon = V.Name.find(':');
  if (Colon != std::string::npos) {
    V.Family = V.Name.substr(0, Colon);
    V.Name = V.Name.substr(Colon + 1);
  }
  return V;
}

Options bench::parseOptions(int Count, char **Values) {
  Options O;
  for (int I = 1; I < Count; ++I) {
    std::string Option = Values[I];
    if (Option == "--help") {
      std::fputs(Usage, stdout);
      std::exit(0);
    }
    if (Option == "--quick") {
      O.Quick = true;
      continue;
    }
    if (I + 1 == Count)
      fatal(Option + ": unknown option or missing value (see --help)");
    std::string Value = Values[++I];
    if (Option == "--cubin")
      O.Variants.push_back(parseVariant(Value));
    else if (Option == "--seed")
      O.FirstSeed = parseNumber(Option, Value);
    else if (Option == "--seeds")
      O.Seeds = unsigned(parseNumber(Option, Value));
    else if (Option == "--reps")
      O.Repetitions = unsigned(parseNumber(Option, Value));
    else
      fatal(Option + ": unknown option (see --help)");
  }
  if (O.Variants.empty())
    fatal("no --cubin given (see --help)");
  if (O.Seeds == 0)
    fatal("--seeds: at least one input has to be checked");
  return O;
}
