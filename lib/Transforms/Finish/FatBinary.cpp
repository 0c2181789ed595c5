//===- FatBinary.cpp - several programs in one container ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As seen in what `fatbinary` of CUDA 13.0 writes for known inputs, all numbers
// little-endian:
//
//   container  magic (4 bytes), version (2), header's size (2), size of all
//              that follows the header (8)
//   image      kind (2), version (2), header's size (4), payload's size (8),
//              …; the payload, padded to 8 bytes
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/FatBinary.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace regdem {

namespace {

constexpr uint32_t Magic = 0xba55ed50;
constexpr uint16_t Version = 1;
constexpr size_t ContainerHeader = 16, ContainerSize = 8;
constexpr size_t LeastImageHeader = 16, ImageHeaderSize = 4, PayloadSize = 8;
constexpr uint64_t PayloadAlignment = 8;

} // namespace

Expected<std::string> replaceCubins(
    StringRef Bytes,
    function_ref<Expected<std::optional<std::string>>(StringRef)> Replace) {
  auto Unknown = [] {
    return createStringError("the fat binary has an unknown form");
  };
  if (Bytes.size() < ContainerHeader || read32le(Bytes.data()) != Magic ||
      read16le(Bytes.data() + 4) != Version ||
      read16le(Bytes.data() + 6) != ContainerHeader ||
      read64le(Bytes.data() + ContainerSize) > Bytes.size() - ContainerHeader)
    return Unknown();
  std::string Result = Bytes.take_front(ContainerHeader).str();
  StringRef Rest =
      Bytes.substr(ContainerHeader, read64le(Bytes.data() + ContainerSize));
  StringRef Behind = Bytes.substr(ContainerHeader + Rest.size());
  while (!Rest.empty()) {
    if (Rest.size() < LeastImageHeader)
      return Unknown();
    uint64_t Header = read32le(Rest.data() + ImageHeaderSize);
    uint64_t Payload = read64le(Rest.data() + PayloadSize);
    if (Header < LeastImageHeader || Header > Rest.size() ||
        Payload > Rest.size() - Header)
      return Unknown();
    StringRef Image = Rest.substr(Header, Payload);
    std::string NewHeader = Rest.take_front(Header).str();
    std::string NewImage = Image.str();
    if (Image.starts_with(StringRef(ELF::ElfMagic, 4))) {
      auto Other = Replace(Image);
      if (!Other)
        return Other.takeError();
      if (*Other) {
        NewImage = std::move(**Other);
        NewImage.resize(alignTo(NewImage.size(), PayloadAlignment));
        write64le(NewHeader.data() + PayloadSize, NewImage.size());
      }
    }
    Result += NewHeader + NewImage;
    Rest = Rest.drop_front(Header + Payload);
  }
  write64le(Result.data() + ContainerSize, Result.size() - ContainerHeader);
  return Result + Behind.str();
}

} // namespace regdem
