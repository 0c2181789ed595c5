//===- ShownLaunches.cpp - launches that host code shows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ShownLaunches.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static constexpr const char *ShownAttr = "regdem-shown";

const ShownLaunches *findLaunches(const LaunchesOfFile &Shown,
                                  StringRef Symbol) {
  for (StringRef Infix : {"__static__", "__intern__"})
    Symbol = Symbol.take_front(Symbol.rfind(Infix));
  auto It = Shown.find(Symbol);
  return It == Shown.end() ? nullptr : &It->second;
}

void setShownLaunches(Function &Kernel, const ShownLaunches &Shown,
                      bool DeclaresDynamic) {
  std::string Text =
      formatv("blocks={0:$[,]}",
              make_range(Shown.Threads.begin(), Shown.Threads.end()));
  if (Shown.HasOthers)
    Text += " others";
  if (!DeclaresDynamic && !Shown.MostDynamic)
    Text += " dynamic=unknown";
  else if (!DeclaresDynamic && *Shown.MostDynamic)
    Text += " dynamic=" + utostr(*Shown.MostDynamic);
  Kernel.addFnAttr(ShownAttr, Text);
}

ShownLaunches shownLaunches(const Function &Kernel) {
  ShownLaunches Shown;
  SmallVector<StringRef, 3> Parts;
  Kernel.getFnAttribute(ShownAttr).getValueAsString().split(Parts, ' ');
  for (StringRef Part : Parts) {
    unsigned Number;
    if (Part == "others")
      Shown.HasOthers = true;
    else if (Part.consume_front("blocks="))
      while (!Part.consumeInteger(10, Number)) {
        Shown.Threads.push_back(Number);
        Part.consume_front(",");
      }
    else if (Part.consume_front("dynamic="))
      Shown.MostDynamic =
          Part.getAsInteger(10, Number) ? std::nullopt : std::optional(Number);
  }
  return Shown;
}

} // namespace regdem
