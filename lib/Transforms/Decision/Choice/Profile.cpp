//===- Profile.cpp - decisions that were measured -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Profile.h"

#include "regdem/Analysis/KernelHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace regdem {

namespace {

constexpr int64_t FormatVersion = 1;

/// An entry whose fields have the right types, and no more.
struct RawEntry {
  std::string Kernel, Arch, Hash, Decision, Strategy, Rewrites, Order;
  int64_t MaxRegs = 0, MinBlocks = 0, Target = 0;
  bool SmemSpilling = false;
};

bool fromJSON(const json::Value &Value, RawEntry &E, json::Path P) {
  json::ObjectMapper O(Value, P);
  return O && O.map("kernel", E.Kernel) && O.map("arch", E.Arch) &&
         O.map("hash", E.Hash) && O.map("decision", E.Decision) &&
         O.mapOptional("strategy", E.Strategy) &&
         O.mapOptional("rewrites", E.Rewrites) &&
         O.mapOptional("order", E.Order) &&
         O.mapOptional("max_regs", E.MaxRegs) &&
         O.mapOptional("min_blocks", E.MinBlocks) &&
         O.mapOptional("target", E.Target) &&
         O.mapOptional("smem_spilling", E.SmemSpilling);
}

/// The recipe that E's fields state, as text; those that do not count for its
/// decision left out.
std::string recipeText(const RawEntry &E) {
  SmallVector<std::string, 6> Parts;
  if (E.MaxRegs)
    Parts.push_back("cap=" + itostr(E.MaxRegs));
  if (E.MinBlocks)
    Parts.push_back("min-blocks=" + itostr(E.MinBlocks));
  bool Demotes = E.Decision == toString(Decision::Demote);
  if (Demotes)
    Parts.push_back("demote=" + E.Strategy + ":" + itostr(E.Target));
  if (E.Decision == toString(Decision::Pragma) || (Demotes && E.SmemSpilling))
    Parts.push_back("smem-spilling");
  if (!E.Order.empty())
    Parts.push_back("order=" + E.Order);
  if (!E.Rewrites.empty())
    Parts.push_back("rewrites=" + E.Rewrites);
  return join(Parts, " ");
}

Expected<ProfileEntry> check(const RawEntry &Raw) {
  ProfileEntry E;
  E.Kernel = Raw.Kernel;
  E.Arch = Raw.Arch;
  E.Hash = Raw.Hash;
  constexpr Decision All[] = {Decision::Stock, Decision::Rewrite, Decision::Cap,
                              Decision::Pragma, Decision::Demote};
  const Decision *What =
      find_if(All, [&](Decision D) { return toString(D) == Raw.Decision; });
  if (What == std::end(All))
    return createStringError(
        "decision '" + Raw.Decision +
        "' is none of stock, rewrite, cap, pragma, demote");
  if (*What == Decision::Stock)
    return E;
  if (*What == Decision::Rewrite && Raw.Rewrites.empty() && Raw.Order.empty())
    return createStringError("rewrites are not stated");
  if ((*What == Decision::Cap || *What == Decision::Demote) && !Raw.MaxRegs &&
      !Raw.MinBlocks)
    return createStringError("neither max_regs nor min_blocks is stated");
  Expected<BuildRecipe> Recipe = parseRecipe(recipeText(Raw));
  if (!Recipe)
    return Recipe.takeError();
  E.recipe() = *Recipe;
  E.What = *What;
  return E;
}

} // namespace

Outcome ProfileEntry::settled() const {
  Outcome S;
  S.FromProfile = true;
  S.LeaveAlone = What == Decision::Stock;
  S.recipe() = recipe();
  return S;
}

Expected<Profile> Profile::parse(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return Value.takeError();
  json::Path::Root Root("profile");
  json::ObjectMapper O(*Value, Root);
  int64_t Version = 0;
  std::vector<RawEntry> Raw;
  if (!O || !O.map("version", Version) || !O.map("entries", Raw))
    return Root.getError();
  if (Version != FormatVersion)
    return createStringError("version " + Twine(Version) +
                             " is not known, only " + Twine(FormatVersion));
  Profile Result;
  std::map<std::array<std::string, 3>, size_t> First;
  for (auto [Index, Item] : enumerate(Raw)) {
    std::string Where = ("entries[" + Twine(Index) + "]: ").str();
    Expected<ProfileEntry> Entry = check(Item);
    if (!Entry)
      return createStringError(Where + toString(Entry.takeError()));
    auto [It, IsNew] = First.insert(
        {{stableName(Item.Kernel).str(), Item.Arch, Item.Hash}, Index});
    if (!IsNew)
      return createStringError(Where +
                               "the same kernel, arch and hash as "
                               "entries[" +
                               Twine(It->second) + "]");
    Result.Entries.push_back(std::move(*Entry));
  }
  return Result;
}

Expected<Profile> Profile::read(StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError("cannot read profile '" + File +
                             "': " + Buffer.getError().message());
  Expected<Profile> Result = parse((*Buffer)->getBuffer());
  if (!Result)
    return createStringError("profile '" + File +
                             "': " + toString(Result.takeError()));
  return Result;
}

const ProfileEntry *Profile::find(StringRef Kernel, StringRef Arch,
                                  StringRef Hash) const {
  auto It = find_if(Entries, [&](const ProfileEntry &E) {
    return E.Hash == Hash && E.Arch == Arch &&
           stableName(E.Kernel) == stableName(Kernel);
  });
  return It == Entries.end() ? nullptr : &*It;
}

bool Profile::mentions(StringRef Kernel, StringRef Arch) const {
  return any_of(Entries, [&](const ProfileEntry &E) {
    return E.Arch == Arch && stableName(E.Kernel) == stableName(Kernel);
  });
}

} // namespace regdem
