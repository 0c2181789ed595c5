//===- Annotations.cpp - what the source says of a kernel -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace regdem {

/// The string of an annotation's second operand, without its final NUL.
static std::optional<StringRef> annotationString(const Constant *Operand) {
  const auto *Global = dyn_cast<GlobalVariable>(Operand->stripPointerCasts());
  if (!Global || !Global->hasInitializer())
    return std::nullopt;
  const auto *Data = dyn_cast<ConstantDataSequential>(Global->getInitializer());
  if (!Data || !Data->isCString())
    return std::nullopt;
  return Data->getAsCString();
}

std::vector<StringRef> annotationsOf(const Function &F) {
  std::vector<StringRef> Texts;
  const GlobalVariable *List =
      F.getParent()->getGlobalVariable("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return Texts;
  for (const Use &Entry : List->getInitializer()->operands()) {
    const auto *Fields = dyn_cast<ConstantStruct>(Entry.get());
    if (!Fields || Fields->getOperand(0)->stripPointerCasts() != &F)
      continue;
    if (auto Text = annotationString(Fields->getOperand(1)))
      Texts.push_back(*Text);
  }
  return Texts;
}

} // namespace regdem
