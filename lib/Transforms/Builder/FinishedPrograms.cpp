//===- FinishedPrograms.cpp - frames are moved once -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of the cache is a line with the frames, and the program after it.
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/FinishedPrograms.h"

#include "KnownDecisions.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace regdem {

static std::string encode(const FinishedProgram &Program) {
  json::Array Frames;
  for (const FrameResult &F : Program.Frames)
    Frames.push_back(toJSON(F));
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Frames)) << "\n";
  return Text + Program.Cubin;
}

/// Undoes encode(); none for text that is no entry.
static std::optional<FinishedProgram> decode(StringRef Text) {
  auto [Line, Cubin] = Text.split('\n');
  auto Frames = expectedToOptional(json::parse(Line));
  const json::Array *List = Frames ? Frames->getAsArray() : nullptr;
  if (!List)
    return std::nullopt;
  FinishedProgram Program;
  Program.Cubin = Cubin.str();
  for (const json::Value &Item : *List)
    if (const json::Object *O = Item.getAsObject())
      Program.Frames.push_back(frameFromJSON(*O));
  return Program;
}

/// The key of what the tools make of Cubin; empty where they cannot be read.
static std::string keyOf(StringRef Cubin, const Options &O,
                         const Ptxas &Assembler, const Disassembler &Reader,
                         const DecisionCache &Cache) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "frames " << digest(Cubin) << " "
     << (O.DynamicSmem ? int(*O.DynamicSmem) : -1) << "\n";
  return addPrograms(OS, Cache, Assembler, &Reader) ? digest(Text) : "";
}

Expected<FinishedProgram> finishOnce(StringRef Cubin, const Options &O) {
  FinishedProgram Unchanged{Cubin.str(), {}};
  auto Framed = expectedToOptional(kernelsWithFrames(Cubin));
  if (!Framed || Framed->empty())
    return Unchanged; // Without frames, or yet to be linked.
  auto Assembler = Ptxas::choose(O.Ptxas);
  if (!Assembler)
    return Assembler.takeError();
  auto Reader = Disassembler::choose(O.Disassembler);
  if (!Reader)
    return Reader.takeError();
  if (!*Assembler || !*Reader)
    return Unchanged;
  std::optional<DecisionCache> Cache = DecisionCache::open(O.Cache);
  std::string Key;
  if (Cache)
    Key = keyOf(Cubin, O, **Assembler, **Reader, *Cache);
  if (!Key.empty())
    if (std::optional<std::string> Known = Cache->find(Key))
      if (std::optional<FinishedProgram> Program = decode(*Known))
        return std::move(*Program);
  FinishSettings Settings;
  Settings.DynamicShared = O.DynamicSmem;
  Settings.AtEnd = frameRooms(Cubin);
  Settings.Choose = chooseMove;
  Settings.Limits = O.Limits;
  Expected<FinishedProgram> Program =
      finishProgram(Cubin, **Assembler, **Reader, Settings);
  if (Program && !Program->ToolFailed && !Key.empty()) {
    // Where it cannot be kept, the decisions have said so.
    consumeError(Cache->store(Key, encode(*Program)));
    Cache->prune();
  }
  return Program;
}

} // namespace regdem
