//===- ProgramRecord.cpp - what was decided, for those who finish ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/ProgramRecord.h"

#include "regdem/Analysis/KernelHash.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Options.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

/// The form of the text; another one is not read.
static constexpr int FormatVersion = 4;

static constexpr std::pair<FrameOrder::Form, StringLiteral> Forms[] = {
    {FrameOrder::Stays, "stays"},
    {FrameOrder::Whole, "whole"},
    {FrameOrder::Part, "part"},
    {FrameOrder::AtEnd, "end"},
};

static void fields(JSONFields &J, KernelRecord &K) {
  constexpr NumberRange Bytes = {0, 1 << 20};
  J.value("kernel", K.Kernel);
  J.value("recipe", K.Recipe);
  J.name("frame", K.Frame.How, Forms);
  J.number("stride", K.Frame.Stride, Bytes);
  J.value("exact_threads", K.Keep.IsExact);
  J.value("keeps_all_blocks", K.Keep.KeepsAllBlocks);
  J.number("threads", K.Keep.Threads, {0, BlockSizeRange.High});
  J.number("blocks_per_sm", K.Keep.BlocksPerSM, {0, MinBlocksRange.High});
  J.number("max_regs", K.Keep.MaxRegs, {0, MaxRegsRange.High});
  J.object("expected", [&](JSONFields &Expected) {
    Expected.number("regs", K.Expected.Registers, {0, MaxRegsRange.High});
    Expected.number("static_smem", K.Expected.StaticShared, Bytes);
    Expected.number("thread_bytes", K.Expected.ThreadBytes, Bytes);
    Expected.number("frame_bytes", K.Expected.FrameBytes, Bytes);
  });
  std::optional<uint64_t> &Dynamic = K.Keep.DynamicShared;
  if (J.has("dynamic_smem", Dynamic.has_value()))
    J.number("dynamic_smem", Dynamic ? *Dynamic : Dynamic.emplace(), Bytes);
  J.optional("launches", K.Rows, !K.Rows.empty());
  if (J.reads())
    K.Frame.Threads = K.Keep.Threads;
}

const KernelRecord *ProgramRecord::find(StringRef Kernel) const {
  auto Its = find_if(Kernels,
                     [&](const KernelRecord &K) { return K.Kernel == Kernel; });
  return Its == Kernels.end() ? nullptr : &*Its;
}

static void fields(JSONFields &J, ProgramRecord &R) {
  int Version = FormatVersion;
  J.value("version", Version);
  J.value("arch", R.ArchName);
  J.value("kernels", R.Kernels);
  J.optional("tag", R.Tag, !R.Tag.empty());
}

std::string toText(const ProgramRecord &Record) {
  return formatv("{0}", toJSON(Record));
}

Expected<ProgramRecord> parseRecord(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return Value.takeError();
  const json::Object *O = Value->getAsObject();
  if (!O || O->getInteger("version") != FormatVersion)
    return createStringError("a record of another version of RegDem");
  ProgramRecord Record;
  json::Path::Root Root;
  if (!fromJSON(*Value, Record, Root))
    return createStringError("a record with a field that cannot be read");
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
