//===- FatBinary.cpp - the device code in a host module -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"

#include "regdem/Finish/FatBinary.h"
#include "regdem/Finish/Finisher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

namespace {

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
  Expected<std::optional<ProgramRecord>> Record = readRecord(From.Bytes);
  if (!Record)
    return Record.takeError();
  if (auto Figures = expectedToOptional(figuresOfKernels(From.Bytes)))
    Result.Figures = std::move(*Figures);
  if (!*Record)
    return Result;
  Result.Record = std::move(**Record);
  dropUnfit(Result.Record, Result.Figures);
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
