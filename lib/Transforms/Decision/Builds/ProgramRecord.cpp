//===- ProgramRecord.cpp - what was decided, for those who finish ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/ProgramRecord.h"

#include "regdem/Analysis/KernelHash.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Decision/Builds/JSONFields.h"
#include "regdem/Options.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// The form of the text; another one is not read.
static constexpr int FormatVersion = 4;

static constexpr std::pair<StringLiteral, FrameOrder::Form> Forms[] = {
    {"stays", FrameOrder::Stays},
    {"whole", FrameOrder::Whole},
    {"part", FrameOrder::Part},
    {"end", FrameOrder::AtEnd},
};

static constexpr unsigned MostThreads = BlockSizeRange.High,
                          MostBytes = 1 << 20;
static constexpr JSONField<Promises> PromiseFields[] = {
    {"threads", &Promises::Threads, MostThreads},
    {"blocks_per_sm", &Promises::BlocksPerSM, MinBlocksRange.High},
    {"max_regs", &Promises::MaxRegs, MaxRegsRange.High},
};
static constexpr JSONField<KernelFigures> FigureFields[] = {
    {"regs", &KernelFigures::Registers, MaxRegsRange.High},
    {"thread_bytes", &KernelFigures::ThreadBytes, MostBytes},
    {"frame_bytes", &KernelFigures::FrameBytes, MostBytes},
};

const KernelRecord *ProgramRecord::find(StringRef Kernel) const {
  auto Its = find_if(Kernels,
                     [&](const KernelRecord &K) { return K.Kernel == Kernel; });
  return Its == Kernels.end() ? nullptr : &*Its;
}

static json::Object toJSON(const KernelRecord &K) {
  json::Object Expected{
      {"static_smem", static_cast<int64_t>(K.Expected.StaticShared)}};
  writeFields(Expected, FigureFields, K.Expected);
  json::Object O{{"kernel", K.Kernel},
                 {"recipe", K.Recipe},
                 {"stride", static_cast<int64_t>(K.Frame.Stride)},
                 {"exact_threads", K.Keep.IsExact},
                 {"keeps_all_blocks", K.Keep.KeepsAllBlocks},
                 {"expected", std::move(Expected)}};
  for (const auto &[Name, Form] : Forms)
    if (Form == K.Frame.How)
      O["frame"] = Name;
  writeFields(O, PromiseFields, K.Keep);
  if (K.Keep.DynamicShared)
    O["dynamic_smem"] = static_cast<int64_t>(*K.Keep.DynamicShared);
  if (!K.Rows.empty())
    O["launches"] = toJSON(K.Rows);
  return O;
}

/// The record of one kernel in O; none where a field is missing or cannot be.
static std::optional<KernelRecord> fromJSON(const json::Object &O) {
  KernelRecord K;
  auto Name = O.getString("kernel"), Recipe = O.getString("recipe"),
       Frame = O.getString("frame");
  auto IsExact = O.getBoolean("exact_threads"),
       KeepsAll = O.getBoolean("keeps_all_blocks");
  const json::Object *Expected = O.getObject("expected");
  if (!Name || !Recipe || !Frame || !IsExact || !KeepsAll || !Expected ||
      !readNumber(O, "stride", MostBytes, K.Frame.Stride) ||
      !readNumber(*Expected, "static_smem", MostBytes,
                  K.Expected.StaticShared) ||
      !readFields(O, PromiseFields, K.Keep) ||
      !readFields(*Expected, FigureFields, K.Expected))
    return std::nullopt;
  const auto *Form =
      find_if(Forms, [&](const auto &F) { return F.first == *Frame; });
  if (Form == std::end(Forms))
    return std::nullopt;
  K.Kernel = Name->str();
  K.Recipe = Recipe->str();
  K.Frame.How = Form->second;
  K.Frame.Threads = K.Keep.Threads;
  K.Keep.IsExact = *IsExact;
  K.Keep.KeepsAllBlocks = *KeepsAll;
  if (O.get("dynamic_smem") &&
      !readNumber(O, "dynamic_smem", MostBytes, K.Keep.DynamicShared.emplace()))
    return std::nullopt;
  if (const json::Value *Rows = O.get("launches")) {
    K.Rows = launchRowsFromJSON(*Rows);
    if (K.Rows.empty())
      return std::nullopt;
  }
  return K;
}

std::string toText(const ProgramRecord &Record) {
  json::Array Kernels;
  for (const KernelRecord &K : Record.Kernels)
    Kernels.push_back(toJSON(K));
  json::Object O{{"version", FormatVersion},
                 {"arch", Record.ArchName},
                 {"kernels", std::move(Kernels)}};
  if (!Record.Tag.empty())
    O["tag"] = Record.Tag;
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(O));
  return Text;
}

Expected<ProgramRecord> parseRecord(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return Value.takeError();
  const json::Object *O = Value->getAsObject();
  if (!O || O->getInteger("version") != FormatVersion)
    return createStringError("a record of another version of RegDem");
  auto Arch = O->getString("arch");
  const json::Array *Kernels = O->getArray("kernels");
  if (!Arch || !Kernels)
    return createStringError("a record without architecture or kernels");
  ProgramRecord Record{Arch->str(), {}, O->getString("tag").value_or("").str()};
  for (const json::Value &Item : *Kernels) {
    const json::Object *Kernel = Item.getAsObject();
    std::optional<KernelRecord> K;
    if (Kernel)
      K = fromJSON(*Kernel);
    if (!K)
      return createStringError("a record with a kernel that cannot be read");
    Record.Kernels.push_back(std::move(*K));
  }
  return Record;
}

/// The bytes of Symbol's variable.
static Expected<StringRef> contentsOf(const object::ELFSymbolRef &Symbol) {
  Expected<object::section_iterator> Section = Symbol.getSection();
  if (!Section)
    return Section.takeError();
  Expected<uint64_t> Start = Symbol.getValue();
  if (!Start)
    return Start.takeError();
  if (*Section == Symbol.getObject()->section_end())
    return createStringError("a record without a section");
  Expected<StringRef> Contents = (*Section)->getContents();
  if (!Contents)
    return Contents.takeError();
  if (*Start > Contents->size() || Symbol.getSize() > Contents->size() - *Start)
    return createStringError("a record beyond its section");
  return Contents->substr(*Start, Symbol.getSize());
}

Expected<std::optional<ProgramRecord>> readRecord(StringRef Cubin) {
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
    if (Name->split('$').first != RecordName)
      continue;
    Expected<StringRef> Text = contentsOf(Symbol);
    if (!Text)
      return Text.takeError();
    Expected<ProgramRecord> Record = parseRecord(*Text);
    if (!Record)
      return Record.takeError();
    return std::move(*Record);
  }
  return std::nullopt;
}

void addRecord(Module &M, const ProgramRecord &Record, bool IsLinked) {
  std::string Text = toText(Record), Name = RecordName;
  if (IsLinked) // nvlink takes variables of one name if they are of one size.
    Name += "$" + digest(Text);
  Constant *Data = ConstantDataArray::getString(M.getContext(), Text,
                                                /*AddNull=*/false);
  new GlobalVariable(
      M, Data->getType(), /*isConstant=*/true,
      IsLinked ? GlobalValue::WeakAnyLinkage : GlobalValue::ExternalLinkage,
      Data, Name, /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal,
      static_cast<unsigned>(AddressSpace::Global));
}

FrameOrder frameOf(const Build &V, unsigned Threads) {
  if (!V.MovedBytes)
    return {};
  FrameOrder::Form How = V.ThreadBytes  ? FrameOrder::AtEnd
                         : V.FrameBytes ? FrameOrder::Part
                                        : FrameOrder::Whole;
  return {How, Threads, V.FrameStride};
}

KernelFigures figuresOf(const Build &V, unsigned Threads) {
  return {V.Regs, V.StaticShared - addedBytes(V.ThreadBytes, Threads),
          V.ThreadBytes, V.FrameBytes};
}

bool keepsPromises(const Build &Now, const Build &Before, const Promises &P,
                   const SMLimits &SM) {
  return !errorToBool(keepsPromises(figuresOf(Now, P.Threads),
                                    figuresOf(Before, P.Threads), P, SM));
}

void dropUnfit(ProgramRecord &Record,
               const std::map<std::string, KernelFigures> &Figures) {
  const SMLimits *SM = lookupSMLimits(parseArch(Record.ArchName));
  auto IsUnfit = [&](StringRef Kernel, const LaunchRow &R) {
    std::string Name = launchBuildName(Kernel, R.Build, Record.Tag);
    auto Found = Figures.find(Name);
    const KernelRecord *Its = Record.find(Name);
    if (!SM || Found == Figures.end() || !Its)
      return true;
    KernelFigures Now = Found->second;
    Now.ThreadBytes = R.ThreadBytes;
    if (Its->Frame.How == FrameOrder::AtEnd && Now.FrameBytes)
      return true; // The launch would add room for nothing.
    Promises P;
    P.Threads = R.Threads;
    P.DynamicShared = R.MostDynamic;
    P.BlocksPerSM = R.Own.Blocks;
    return errorToBool(keepsPromises(Now, Its->Expected, P, *SM));
  };
  for (KernelRecord &K : Record.Kernels)
    erase_if(K.Rows, [&](const LaunchRow &R) { return IsUnfit(K.Kernel, R); });
}

} // namespace regdem
