//===- LaunchTable.cpp - which build a launch takes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchTable.h"

#include "regdem/Options.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace regdem {

/// The form of the text; another one is not read.
static constexpr int FormatVersion = 3;

std::string launchBuildName(StringRef Kernel, unsigned Build) {
  return (Kernel + LaunchBuildSuffix + Twine(Build)).str();
}

static json::Value toJSON(const BlockTimes &T) {
  return json::Object{
      {"blocks_per_sm", T.Blocks}, {"alone", T.Alone}, {"full", T.Full}};
}

json::Value toJSON(ArrayRef<LaunchRow> Rows) {
  json::Array List;
  for (const LaunchRow &R : Rows)
    List.push_back(json::Object{{"from_threads", R.FromThreads},
                                {"threads", R.Threads},
                                {"build", R.Build},
                                {"cycles", toJSON(R.Own)},
                                {"stock_cycles", toJSON(R.Stock)},
                                {"most_dynamic_smem", R.MostDynamic},
                                {"thread_bytes", R.ThreadBytes},
                                {"moves_frame", R.MovesFrame},
                                {"expected_gain", percent(R.Gain)}});
  return List;
}

/// Sets N to Key's number; false where it is missing or not in Allowed.
static bool mapNumber(json::ObjectMapper &O, StringLiteral Key,
                      NumberRange Allowed, unsigned &N) {
  int64_t Read = 0; // An unsigned one would drop bits.
  if (!O.map(Key, Read) || Read < Allowed.Low || Read > Allowed.High)
    return false;
  N = static_cast<unsigned>(Read);
  return true;
}

static bool fromJSON(const json::Value &Value, BlockTimes &T, json::Path P) {
  constexpr unsigned MostBlocks = 64; // Per SM; no GPU has more than 32.
  json::ObjectMapper O(Value, P);
  return O && mapNumber(O, "blocks_per_sm", {1, MostBlocks}, T.Blocks) &&
         mapNumber(O, "alone", {1, MostCycles}, T.Alone) &&
         mapNumber(O, "full", {T.Alone, MostCycles}, T.Full);
}

static bool fromJSON(const json::Value &Value, LaunchRow &R, json::Path P) {
  constexpr unsigned MostBytes = 1 << 20; // No block has more of shared memory.
  json::ObjectMapper O(Value, P);
  if (!O || !mapNumber(O, "from_threads", BlockSizeRange, R.FromThreads) ||
      !mapNumber(O, "threads", {R.FromThreads, BlockSizeRange.High},
                 R.Threads) ||
      !mapNumber(O, "build", {1, MostLaunchBuilds}, R.Build) ||
      !mapNumber(O, "most_dynamic_smem", {0, MostBytes}, R.MostDynamic) ||
      !mapNumber(O, "thread_bytes", {0, MostBytes}, R.ThreadBytes) ||
      !O.map("moves_frame", R.MovesFrame) || !O.map("cycles", R.Own) ||
      !O.map("stock_cycles", R.Stock) ||
      !O.mapOptional("expected_gain", R.Gain))
    return false;
  R.Gain /= 100;
  return true;
}

std::vector<LaunchRow> launchRowsFromJSON(const json::Value &Value) {
  std::vector<LaunchRow> Rows;
  json::Path::Root Root;
  if (!fromJSON(Value, Rows, Root))
    Rows.clear();
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

/// The bytes of Symbol's variable; empty where it has none.
static Expected<StringRef> contentsOf(const object::ELFSymbolRef &Symbol) {
  Expected<object::section_iterator> Section = Symbol.getSection();
  if (!Section)
    return Section.takeError();
  Expected<uint64_t> Start = Symbol.getValue();
  if (!Start)
    return Start.takeError();
  if (*Section == Symbol.getObject()->section_end())
    return "";
  Expected<StringRef> Contents = (*Section)->getContents();
  if (!Contents)
    return Contents.takeError();
  if (*Start > Contents->size() || Symbol.getSize() > Contents->size() - *Start)
    return createStringError("launch tables beyond their section");
  return Contents->substr(*Start, Symbol.getSize());
}

Expected<LaunchTables> readLaunchTables(StringRef Cubin) {
  // A copy is aligned, as the reader wants it.
  auto Bytes = MemoryBuffer::getMemBufferCopy(Cubin, "device code");
  auto Code = object::ObjectFile::createELFObjectFile(Bytes->getMemBufferRef());
  if (!Code)
    return Code.takeError();
  for (object::ELFSymbolRef Symbol :
       cast<object::ELFObjectFileBase>(**Code).symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != LaunchTablesName)
      continue;
    Expected<StringRef> Text = contentsOf(Symbol);
    if (!Text)
      return Text.takeError();
    return parseLaunchTables(*Text);
  }
  return LaunchTables();
}

} // namespace regdem
