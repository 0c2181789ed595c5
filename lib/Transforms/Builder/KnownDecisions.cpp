//===- KnownDecisions.cpp - settle kernels by the cache -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownDecisions.h"

#include "Settling.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

KnownDecisions::KnownDecisions(const Module &M, const TargetMachine &TM,
                               const Tools &T, const Options &CommandLine)
    : Cache(DecisionCache::open(CommandLine.Cache)) {
  if (Cache)
    Keys.emplace(M, TM, T, *Cache);
}

bool KnownDecisions::apply(Candidate &C) const {
  if (!Cache)
    return false;
  C.Key = Keys->of(C);
  if (C.Key.empty())
    return false;
  std::optional<std::string> Known = Cache->find(C.Key);
  return Known && decodeDecision(*C.Kernel, *Known);
}

void KnownDecisions::keep(const Candidate &C) {
  if (!Cache || C.Key.empty())
    return;
  if (Error E = Cache->store(C.Key, encodeDecision(*C.Kernel))) {
    emitCacheFault(*C.Kernel, toString(std::move(E)));
    Cache.reset();
    return;
  }
  HasKept = true;
}

void KnownDecisions::prune() const {
  if (Cache && HasKept)
    Cache->prune();
}

} // namespace regdem
