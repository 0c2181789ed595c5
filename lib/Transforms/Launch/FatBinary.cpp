//===- FatBinary.cpp - the device code in a host module -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"

#include "regdem/Finish/FatBinary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

namespace {

/// The bytes of Symbol's variable; empty where it has none.
Expected<StringRef> contentsOf(const object::ELFSymbolRef &Symbol) {
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
    return createStringError("the fat binary is of an unknown form");
  return Contents->substr(*Start, Symbol.getSize());
}

/// Adds what code generation has written down for the launches of Code.
Error readTables(const object::ELFObjectFileBase &Code, DeviceImage &Into) {
  for (object::ELFSymbolRef Symbol : Code.symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != LaunchTablesName)
      continue;
    Expected<StringRef> Text = contentsOf(Symbol);
    if (!Text)
      return Text.takeError();
    Expected<LaunchTables> Tables = parseLaunchTables(*Text);
    if (!Tables)
      return Tables.takeError();
    Into.Tables = std::move(*Tables);
  }
  return Error::success();
}

Expected<DeviceImage> readImage(const FatImage &From) {
  // A copy is aligned, as the reader wants it.
  auto Bytes = MemoryBuffer::getMemBufferCopy(From.Bytes, "device code");
  auto Code = object::ObjectFile::createELFObjectFile(Bytes->getMemBufferRef());
  if (!Code)
    return Code.takeError();
  DeviceImage Result;
  Result.Arch = From.Arch;
  for (const object::SectionRef &Section : (*Code)->sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (Name->consume_front(".text."))
      Result.Kernels.insert(Name->str());
  }
  if (Error E = readTables(cast<object::ELFObjectFileBase>(**Code), Result))
    return E;
  return Result;
}

} // namespace

Expected<std::vector<DeviceImage>> readFatBinary(StringRef Bytes) {
  Expected<std::vector<FatImage>> Images = splitFatBinary(Bytes);
  if (!Images)
    return Images.takeError();
  std::vector<DeviceImage> Result;
  for (const FatImage &I : *Images) {
    if (I.Kind == ImageKind::PTX)
      continue;
    if (I.Kind != ImageKind::ELF || I.IsCompressed)
      return createStringError("the fat binary holds code that is compressed "
                               "or of an unknown kind");
    Expected<DeviceImage> Read = readImage(I);
    if (!Read)
      return Read.takeError();
    Result.push_back(std::move(*Read));
  }
  for (const FatImage &I : *Images)
    if (I.Kind == ImageKind::PTX &&
        none_of(Result,
                [&](const DeviceImage &Code) { return Code.Arch == I.Arch; }))
      return createStringError("the fat binary holds PTX without machine code");
  return Result;
}

} // namespace regdem
