//===- NotedLaunches.cpp - launches that a program was seen to make -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/NotedLaunches.h"

#include "regdem/Options.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace regdem {

/// Threads of the block that O states; 0: none that could be launched.
static uint64_t threadsOf(const json::Object &O) {
  const json::Array *Block = O.getArray("block");
  if (!Block || Block->size() != 3)
    return 0;
  uint64_t Threads = 1;
  for (const json::Value &Extent : *Block) {
    int64_t N = Extent.getAsInteger().value_or(0);
    if (N < 1 || N > BlockSizeRange.High)
      return 0;
    Threads *= static_cast<uint64_t>(N);
  }
  return Threads > BlockSizeRange.High ? 0 : Threads;
}

Expected<std::map<std::string, NotedLaunches>>
parseNotedLaunches(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return createStringError("it is no JSON: " + toString(Value.takeError()));
  const json::Object *Whole = Value->getAsObject();
  const json::Array *List = Whole ? Whole->getArray("launches") : nullptr;
  if (!List || Whole->getInteger("version") != 1)
    return createStringError("it is no file of launches of version 1");
  std::map<std::string, NotedLaunches> Launches;
  for (const json::Value &Item : *List) {
    const json::Object *O = Item.getAsObject();
    auto Kernel = O ? O->getString("kernel") : std::nullopt;
    uint64_t Threads = O ? threadsOf(*O) : 0;
    int64_t Dynamic = O ? O->getInteger("dynamic_smem").value_or(0) : -1;
    if (!Kernel || !Threads || Dynamic < 0 || Dynamic > DynamicSmemRange.High)
      return createStringError(
          "a launch lacks its kernel, block or dynamic_smem");
    auto [At, IsFirst] = Launches.try_emplace(
        Kernel->str(), NotedLaunches{static_cast<unsigned>(Threads), 0});
    NotedLaunches &L = At->second;
    if (L.Threads != Threads)
      L.Threads = 0;
    L.MostDynamic = std::max(L.MostDynamic, static_cast<unsigned>(Dynamic));
  }
  return Launches;
}

} // namespace regdem
