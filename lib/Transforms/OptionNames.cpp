//===- OptionNames.cpp - what may be chosen, by name ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Options.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem {

StringRef toString(Strategy S) {
  switch (S) {
  case Strategy::Rotating:
    return "rotating";
  case Strategy::Resident:
    return "resident";
  case Strategy::Relieving:
    return "relieving";
  }
  llvm_unreachable("no such strategy");
}

Strategy parseStrategy(StringRef Name) {
  for (Strategy S : {Strategy::Resident, Strategy::Relieving})
    if (Name == toString(S))
      return S;
  return Strategy::Rotating;
}

StringRef toString(InstOrder Order) {
  switch (Order) {
  case InstOrder::Source:
    return "";
  case InstOrder::Near:
    return "near";
  case InstOrder::Deep:
    return "deep";
  case InstOrder::Forward:
    return "forward";
  }
  return "";
}

InstOrder parseInstOrder(StringRef Name) {
  for (InstOrder Order : OtherOrders)
    if (toString(Order) == Name)
      return Order;
  return InstOrder::Source;
}

StringRef toString(Scorer S) { return S == Scorer::Model ? "model" : "paper"; }

Expected<bool> isSelected(const Function &F, const Options &CommandLine) {
  if (CommandLine.Kernels.empty())
    return true;
  Regex Pattern(CommandLine.Kernels);
  std::string Problem;
  if (!Pattern.isValid(Problem))
    return createStringError("regdem-kernels '" + CommandLine.Kernels +
                             "' is no regular expression: " + Problem);
  // A build goes by the name of its kernel.
  return Pattern.match(F.getName().split(LaunchBuildSuffix).first);
}

} // namespace regdem
