//===- FatBinary.cpp - the device code in a host module -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fat binary is a header and a sequence of images, each with a header of its
// own, in little-endian words. The fields below were read off files that the
// `fatbinary` of CUDA 13.0 writes; cuobjdump lists the same of them.
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace regdem {

namespace {

constexpr uint32_t Magic = 0xba55ed50;
constexpr size_t HeaderBytes = 16;
/// Of an image's header, up to the last field that is read.
constexpr size_t LeastImageHeader = 64;

enum class ImageKind : uint16_t { PTX = 1, ELF = 2 };

struct Image {
  ImageKind Kind;
  unsigned Arch;
  bool IsCompressed;
  StringRef Bytes;
};

Error malformed() {
  return createStringError("the fat binary is of an unknown form");
}

Expected<std::vector<Image>> splitImages(StringRef Bytes) {
  if (Bytes.size() < HeaderBytes || read32le(Bytes.data()) != Magic)
    return malformed();
  size_t Start = read16le(Bytes.data() + 6);
  uint64_t Size = read64le(Bytes.data() + 8);
  if (Start < HeaderBytes || Start > Bytes.size() ||
      Size > Bytes.size() - Start)
    return malformed();
  StringRef Rest = Bytes.substr(Start, Size);
  std::vector<Image> Images;
  while (!Rest.empty()) {
    if (Rest.size() < LeastImageHeader)
      return malformed();
    const char *H = Rest.data();
    uint32_t Header = read32le(H + 4);
    uint64_t Payload = read64le(H + 8);
    if (Header < LeastImageHeader || Header > Rest.size() ||
        Payload > Rest.size() - Header)
      return malformed();
    bool IsCompressed = read32le(H + 16) != 0 || read64le(H + 56) != 0;
    Images.push_back({static_cast<ImageKind>(read16le(H)), read32le(H + 28),
                      IsCompressed, Rest.substr(Header, Payload)});
    Rest = Rest.drop_front(Header + Payload);
  }
  return Images;
}

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
    return malformed();
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

Expected<DeviceImage> readImage(const Image &From) {
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
  Expected<std::vector<Image>> Images = splitImages(Bytes);
  if (!Images)
    return Images.takeError();
  std::vector<DeviceImage> Result;
  for (const Image &I : *Images) {
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
  for (const Image &I : *Images)
    if (I.Kind == ImageKind::PTX &&
        none_of(Result,
                [&](const DeviceImage &Code) { return Code.Arch == I.Arch; }))
      return createStringError("the fat binary holds PTX without machine code");
  return Result;
}

} // namespace regdem
