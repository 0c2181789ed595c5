//===- LaunchTable.cpp - which build a launch takes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchTable.h"

#include "regdem/Options.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace regdem {

/// The form of the text; another one is not read.
static constexpr int FormatVersion = 1;

std::string launchBuildName(StringRef Kernel, unsigned Build) {
  return (Kernel + LaunchBuildSuffix + Twine(Build)).str();
}

unsigned fillBlocks(unsigned Blocks, unsigned StockBlocks, bool GainsAlone) {
  if (Blocks < StockBlocks)
    return StockBlocks + 1;
  return GainsAlone ? 0 : Blocks;
}

/// A share in percent, with one decimal.
static double percent(double Share) { return std::round(1000 * Share) / 10; }

json::Value toJSON(ArrayRef<LaunchRow> Rows) {
  json::Array List;
  for (const LaunchRow &R : Rows)
    List.push_back(json::Object{{"threads", R.Threads},
                                {"build", R.Build},
                                {"fill_blocks", R.FillBlocks},
                                {"expected_gain", percent(R.Gain)}});
  return List;
}

/// A row; none where a number is missing or out of range.
static std::optional<LaunchRow> rowFromJSON(const json::Value &Value) {
  const json::Object *O = Value.getAsObject();
  if (!O)
    return std::nullopt;
  auto Number = [O](StringRef Key, unsigned Low, unsigned High) {
    auto N = O->getInteger(Key);
    return N && *N >= Low && *N <= High
               ? std::optional<unsigned>(static_cast<unsigned>(*N))
               : std::nullopt;
  };
  constexpr unsigned MostBlocks = 64; // Per SM; no GPU has more than 32.
  auto Threads = Number("threads", BlockSizeRange.Low, BlockSizeRange.High);
  auto Build = Number("build", 1, MostLaunchBuilds);
  auto Fill = Number("fill_blocks", 0, MostBlocks);
  if (!Threads || !Build || !Fill)
    return std::nullopt;
  return LaunchRow{*Threads, *Build, *Fill,
                   O->getNumber("expected_gain").value_or(0) / 100};
}

std::vector<LaunchRow> launchRowsFromJSON(const json::Value &Value) {
  const json::Array *List = Value.getAsArray();
  if (!List)
    return {};
  std::vector<LaunchRow> Rows;
  for (const json::Value &Item : *List)
    if (std::optional<LaunchRow> R = rowFromJSON(Item))
      Rows.push_back(*R);
    else
      return {};
  return Rows;
}

std::string toText(const LaunchTables &Tables) {
  json::Array Kernels;
  for (const LaunchTable &T : Tables.Kernels)
    Kernels.push_back(
        json::Object{{"kernel", T.Kernel}, {"launches", toJSON(T.Rows)}});
  std::string Text;
  raw_string_ostream(Text) << json::Value(
      json::Object{{"version", FormatVersion},
                   {"arch", Tables.ArchName},
                   {"kernels", std::move(Kernels)}});
  return Text;
}

Expected<LaunchTables> parseLaunchTables(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return Value.takeError();
  const json::Object *O = Value->getAsObject();
  if (!O || O->getInteger("version") != FormatVersion)
    return createStringError("launch tables of another version");
  auto Arch = O->getString("arch");
  const json::Array *Kernels = O->getArray("kernels");
  if (!Arch || !Kernels)
    return createStringError("launch tables without architecture or kernels");
  LaunchTables Tables{Arch->str(), {}};
  for (const json::Value &Item : *Kernels) {
    const json::Object *Kernel = Item.getAsObject();
    auto Name = Kernel ? Kernel->getString("kernel") : std::nullopt;
    const json::Value *Rows = Kernel ? Kernel->get("launches") : nullptr;
    if (!Name || !Rows)
      return createStringError("a launch table without kernel or launches");
    Tables.Kernels.push_back({Name->str(), launchRowsFromJSON(*Rows)});
    if (Tables.Kernels.back().Rows.empty())
      return createStringError("the launch table of '" + *Name +
                               "' has no rows that can be read");
  }
  return Tables;
}

} // namespace regdem
