//===- WideProducts.cpp - products of words where they are to be such -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Widens the products of kernels with that rewrite. Stands after the passes
// over IR that make masks of truncations.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/WideProducts.h"
#include "SkippedPasses.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace regdem;

namespace {

class WideProducts : public FunctionPass {
public:
  static inline char ID = 0;
  WideProducts() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }
  bool runOnFunction(Function &F) override {
    if (has(rewritesFor(F), Rewrite::WideProducts))
      return widen(F);
    if (!isTrial(F) || !hasWideProducts(F))
      return false;
    noteChange(F, Rewrite::WideProducts);
    return true;
  }

private:
  bool widen(Function &F) {
    // Options that cannot be read leave nothing out.
    Options Opts = cantFail(optionsFor(F, commandLineOptions()));
    Expected<bool> Changed = widenProducts(F, Opts.Verify && !isTrial(F));
    if (!Changed)
      reportFault(F, Changed.takeError());
    else if (!*Changed) // Has F say what has been left out of it.
      writeRewrites(F, readRewrites(F) & ~Rewrite::WideProducts);
    return true;
  }
};

} // namespace

static RegisterPass<WideProducts>
    RegisterWideProducts("regdem-wide-products",
                         "Register demotion: wide products");

FunctionPass *regdem::createWideProductsPass() { return new WideProducts(); }
