//===- CachedChecks.cpp - checked programs in the cache -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/CachedChecks.h"

#include "DecisionCache.h"
#include "regdem/Analysis/KernelHash.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Options.h"

using namespace llvm;

namespace regdem {

namespace {

class CachedChecks final : public CheckedPrograms {
public:
  CachedChecks(DecisionCache Cache, std::string Programs)
      : Cache(std::move(Cache)), Programs(std::move(Programs)) {}

  bool has(StringRef Text) const override {
    return Cache.find(keyOf(Text)).has_value();
  }
  void add(StringRef Text) override {
    consumeError(Cache.store(keyOf(Text), "accepted")); // It is checked again.
    Cache.prune();
  }

private:
  DecisionCache Cache;
  std::string Programs;

  std::string keyOf(StringRef Text) const {
    return digest("checked 1\n" + Programs + digest(Text));
  }
};

} // namespace

std::shared_ptr<CheckedPrograms> cachedChecks(const Options &O,
                                              const Ptxas &Assembler,
                                              const Disassembler &Reader) {
  std::optional<DecisionCache> Cache = DecisionCache::open(O.Cache);
  if (!Cache || !Cache->refusal().empty())
    return nullptr;
  std::string Programs = keyOfPrograms(*Cache, Assembler, Reader);
  if (Programs.empty())
    return nullptr;
  return std::make_shared<CachedChecks>(std::move(*Cache), std::move(Programs));
}

} // namespace regdem
