//===- NotedLaunches.cpp - launches that a program was seen to make -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/NotedLaunches.h"

#include "regdem/Options.h"
#include "regdem/Target/Promises.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <optional>

using namespace llvm;

namespace regdem {

/// The product of the three numbers that O has by the name Key, each from 1 to
/// Most; 0: it has none such.
static uint64_t extentOf(const json::Object &O, StringRef Key, int64_t Most) {
  const json::Array *List = O.getArray(Key);
  if (!List || List->size() != 3)
    return 0;
  uint64_t All = 1;
  for (const json::Value &Extent : *List) {
    int64_t N = Extent.getAsInteger().value_or(0);
    if (N < 1 || N > Most)
      return 0;
    All = SaturatingMultiply(All, static_cast<uint64_t>(N));
  }
  return All;
}

/// How often SMs got so many blocks of a launch; none: not known.
using GridCounts = std::optional<std::map<unsigned, double>>;

/// Adds the launches of O to Counts.
static void countGrid(const json::Object &O, GridCounts &Counts) {
  constexpr uint64_t Most = std::numeric_limits<int32_t>::max();
  uint64_t Blocks = extentOf(O, "grid", Most);
  int64_t SMs = O.getInteger("multiprocessors").value_or(0);
  int64_t Count = O.getInteger("count").value_or(0);
  if (!Blocks || SMs < 1 || Count < 1)
    Counts.reset();
  else if (Counts)
    (*Counts)[std::min(divideCeil(Blocks, SMs), Most)] += double(Count);
}

/// The grids of Counts with most blocks.
static SmallVector<NotedGrid, 4> gridsOf(const GridCounts &Counts) {
  SmallVector<NotedGrid, 4> Grids;
  if (!Counts)
    return Grids;
  for (auto [BlocksOnSM, Count] : *Counts)
    Grids.push_back({BlocksOnSM, BlocksOnSM * Count});
  stable_sort(Grids, [](const NotedGrid &A, const NotedGrid &B) {
    return A.Share > B.Share;
  });
  Grids.truncate(std::min(Grids.size(), NotedLaunches::MostGrids));
  double All = 0;
  for (const NotedGrid &G : Grids)
    All += G.Share;
  for (NotedGrid &G : Grids)
    G.Share /= All;
  return Grids;
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
  std::map<std::string, GridCounts> Counts;
  for (const json::Value &Item : *List) {
    const json::Object *O = Item.getAsObject();
    auto Kernel = O ? O->getString("kernel") : std::nullopt;
    uint64_t Threads = O ? extentOf(*O, "block", BlockSizeRange.High) : 0;
    int64_t Dynamic = O ? O->getInteger("dynamic_smem").value_or(0) : -1;
    if (!Kernel || !Threads || Threads > BlockSizeRange.High || Dynamic < 0 ||
        Dynamic > DynamicSmemRange.High)
      return createStringError(
          "a launch lacks its kernel, block or dynamic_smem");
    auto [At, IsFirst] = Launches.try_emplace(Kernel->str());
    NotedLaunches &L = At->second;
    if (IsFirst)
      L.Threads = static_cast<unsigned>(Threads);
    if (L.Threads != Threads)
      L.Threads = 0;
    L.MostDynamic =
        mostDynamicOfBoth(L.MostDynamic, static_cast<unsigned>(Dynamic));
    countGrid(*O,
              Counts.try_emplace(Kernel->str(), std::in_place).first->second);
  }
  for (auto &[Kernel, L] : Launches)
    if (L.Threads)
      L.Grids = gridsOf(Counts[Kernel]);
  return Launches;
}

} // namespace regdem
