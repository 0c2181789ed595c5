//===- Profile.cpp - decisions that were measured -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Profile.h"

#include "regdem/Analysis/KernelHash.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace regdem {

namespace {

constexpr int64_t Version = 1;

/// An entry whose fields have the right types, and no more.
struct RawEntry {
  std::string Kernel, Arch, Hash, Decision, Strategy, Rewrites, Order;
  int64_t MaxRegs = 0, MinBlocks = 0, Target = 0;
  bool SmemSpilling = false;
};

struct RawProfile {
  int64_t Version = 0;
  std::vector<RawEntry> Entries;
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

bool fromJSON(const json::Value &Value, RawProfile &Raw, json::Path P) {
  json::ObjectMapper O(Value, P);
  return O && O.map("version", Raw.Version) && O.map("entries", Raw.Entries);
}

/// Sets Value; 0 stands for "not stated".
Error checkNumber(StringRef Field, int64_t Number, NumberRange Allowed,
                  unsigned &Value) {
  if (Number != 0 && (Number < Allowed.Low || Number > Allowed.High))
    return createStringError(Field + " " + Twine(Number) + " is not from " +
                             Twine(Allowed.Low) + " to " + Twine(Allowed.High));
  Value = static_cast<unsigned>(Number);
  return Error::success();
}

/// Sets Value to the one of Choices that has this Name.
template <typename T>
Error checkChoice(StringRef Field, StringRef Name,
                  std::initializer_list<T> Choices, T &Value) {
  const auto *It =
      find_if(Choices, [Name](T Choice) { return toString(Choice) == Name; });
  if (It == Choices.end())
    return createStringError(
        Field + " '" + Name + "' is none of " +
        join(
            map_range(Choices, [](T Choice) { return toString(Choice).str(); }),
            ", "));
  Value = *It;
  return Error::success();
}

/// Sets Value; no name at all stands for "nothing".
Error checkRewrites(StringRef Names, Rewrite &Value) {
  Value = parseRewrites(Names);
  if (toString(Value) == Names)
    return Error::success();
  return createStringError("rewrites '" + Names + "' is none of " +
                           toString(~Rewrite::None) +
                           " and lists of some of these in this order");
}

/// Sets Value; no name at all stands for the source's order.
Error checkOrder(StringRef Name, InstOrder &Value) {
  Value = parseInstOrder(Name);
  if (toString(Value) == Name)
    return Error::success();
  return createStringError(
      "order '" + Name + "' is none of " +
      join(map_range(OtherOrders,
                     [](InstOrder Order) { return toString(Order).str(); }),
           ", "));
}

/// Sets what E says of its demotion.
Error checkPlan(const RawEntry &Raw, ProfileEntry &E) {
  E.SmemSpilling = Raw.SmemSpilling;
  if (Error Problem = checkNumber("target", Raw.Target, TargetRange, E.Target))
    return Problem;
  if (!E.Target)
    return createStringError("target is not stated");
  return checkChoice("strategy", Raw.Strategy,
                     {Strategy::Belady, Strategy::Resident}, E.How);
}

Expected<ProfileEntry> check(const RawEntry &Raw) {
  ProfileEntry E;
  E.Kernel = Raw.Kernel;
  E.Arch = Raw.Arch;
  E.Hash = Raw.Hash;
  if (Error Problem =
          checkChoice("decision", Raw.Decision,
                      {Decision::Stock, Decision::Rewrite, Decision::Cap,
                       Decision::Pragma, Decision::Demote},
                      E.What))
    return Problem;
  if (E.What == Decision::Stock)
    return E;
  if (Error Problem = checkRewrites(Raw.Rewrites, E.Rewrites))
    return Problem;
  if (Error Problem = checkOrder(Raw.Order, E.Order))
    return Problem;
  if (E.What == Decision::Rewrite && !any(E.Rewrites) &&
      E.Order == InstOrder::Source)
    return createStringError("rewrites are not stated");
  if (Error Problem =
          checkNumber("max_regs", Raw.MaxRegs, MaxRegsRange, E.MaxRegs))
    return Problem;
  if (Error Problem =
          checkNumber("min_blocks", Raw.MinBlocks, MinBlocksRange, E.MinBlocks))
    return Problem;
  if (E.What == Decision::Rewrite)
    return E;
  E.SmemSpilling = E.What == Decision::Pragma;
  if (!E.MaxRegs && !E.MinBlocks && !E.SmemSpilling)
    return createStringError("neither max_regs nor min_blocks is stated");
  if (E.What == Decision::Demote)
    if (Error Problem = checkPlan(Raw, E))
      return Problem;
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
  RawProfile Raw;
  if (!fromJSON(*Value, Raw, Root))
    return Root.getError();
  if (Raw.Version != Version)
    return createStringError("version " + Twine(Raw.Version) +
                             " is not known, only " + Twine(Version));
  Profile Result;
  std::map<std::array<std::string, 3>, size_t> First;
  for (auto [Index, Item] : enumerate(Raw.Entries)) {
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
