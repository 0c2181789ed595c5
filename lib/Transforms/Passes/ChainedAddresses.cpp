//===- ChainedAddresses.cpp - chains in place of shared parts -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains addresses for kernels that are not to share parts of them. Stands
// after all passes over IR that look at addresses or share parts: the one that
// marks loads of what is never written follows short chains only.
//
//===----------------------------------------------------------------------===//

#include "SkippedPasses.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/AddressChains.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace regdem;

namespace {

class ChainedAddresses : public FunctionPass {
public:
  static inline char ID = 0;
  ChainedAddresses() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }
  bool runOnFunction(Function &F) override {
    if (has(rewritesFor(F), Rewrite::ChainAddresses))
      return chain(F);
    if (!isTrial(F) || !countChainable(F))
      return false;
    noteChange(F, Rewrite::ChainAddresses);
    return true;
  }

private:
  bool chain(Function &F) {
    // Options that cannot be read leave nothing out.
    Options Opts = cantFail(optionsFor(F, commandLineOptions()));
    Expected<unsigned> Changed = chainAddresses(F, Opts.Verify && !isTrial(F));
    if (!Changed)
      reportFault(F, Changed.takeError());
    else if (!*Changed) // Has F say what has been left out of it.
      writeRewrites(F, withoutChains(readRewrites(F)));
    return true;
  }
};

} // namespace

static RegisterPass<ChainedAddresses>
    RegisterChainedAddresses("regdem-chain-addresses",
                             "Register demotion: chained addresses");

FunctionPass *regdem::createChainedAddressesPass() {
  return new ChainedAddresses();
}
