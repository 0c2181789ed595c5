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
//              compressed size (4), …, architecture (4 bytes, at 28), …, flags
//              (8 bytes, at 40), …, size uncompressed (8 bytes, at 56); the
//              payload, padded to 8 bytes
//
// By a flag the payload is compressed with zstd; until CUDA 12.3, by another
// one, with LZ4.
//
// cuobjdump lists the same of them.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/FatBinary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace regdem {

namespace {

constexpr uint32_t Magic = 0xba55ed50;
constexpr uint16_t Version = 1;
constexpr size_t ContainerHeader = 16, ContainerSize = 8;
/// Of an image's header: up to the last field that is read, and places.
constexpr size_t LeastImageHeader = 64, PayloadSize = 8, CompressedSize = 16,
                 Flags = 40, UncompressedSize = 56;
constexpr uint64_t CompressionFlags = 0x8000 | 0x2000;
constexpr uint64_t PayloadAlignment = 8;

Error malformed() {
  return createStringError("the fat binary is of an unknown form");
}

} // namespace

Expected<std::vector<FatImage>> splitFatBinary(StringRef Bytes) {
  if (Bytes.size() < ContainerHeader || read32le(Bytes.data()) != Magic)
    return malformed();
  size_t Start = read16le(Bytes.data() + 6);
  uint64_t Size = read64le(Bytes.data() + ContainerSize);
  if (Start < ContainerHeader || Start > Bytes.size() ||
      Size > Bytes.size() - Start)
    return malformed();
  StringRef Rest = Bytes.substr(Start, Size);
  std::vector<FatImage> Images;
  while (!Rest.empty()) {
    if (Rest.size() < LeastImageHeader)
      return malformed();
    const char *H = Rest.data();
    uint32_t Header = read32le(H + 4);
    uint64_t Payload = read64le(H + PayloadSize);
    if (Header < LeastImageHeader || Header > Rest.size() ||
        Payload > Rest.size() - Header)
      return malformed();
    bool IsCompressed = read32le(H + CompressedSize) != 0 ||
                        read64le(H + UncompressedSize) != 0;
    Images.push_back({static_cast<ImageKind>(read16le(H)), read32le(H + 28),
                      IsCompressed, Rest.take_front(Header),
                      Rest.substr(Header, Payload)});
    Rest = Rest.drop_front(Header + Payload);
  }
  return Images;
}

Expected<std::string>
replaceImages(StringRef Bytes, const std::map<size_t, std::string> &Payloads) {
  Expected<std::vector<FatImage>> Images = splitFatBinary(Bytes);
  if (!Images)
    return Images.takeError();
  // What is written has to be known in full.
  if (read16le(Bytes.data() + 4) != Version ||
      read16le(Bytes.data() + 6) != ContainerHeader)
    return malformed();
  std::string Result = Bytes.take_front(ContainerHeader).str();
  for (const auto &[Place, I] : enumerate(*Images)) {
    std::string Header = I.Header.str(), Payload = I.Bytes.str();
    if (auto Other = Payloads.find(Place); Other != Payloads.end()) {
      Payload = Other->second;
      Payload.resize(alignTo(Payload.size(), PayloadAlignment));
      write64le(Header.data() + PayloadSize, Payload.size());
    }
    Result += Header + Payload;
  }
  uint64_t End = ContainerHeader + read64le(Bytes.data() + ContainerSize);
  write64le(Result.data() + ContainerSize, Result.size() - ContainerHeader);
  return Result + Bytes.substr(End).str();
}

std::vector<StringRef> findFatBinaries(StringRef Bytes) {
  std::vector<StringRef> Found;
  size_t At = 0;
  while (At + ContainerHeader <= Bytes.size()) {
    StringRef Rest = Bytes.substr(At);
    if (!splitFatBinary(Rest)) {
      At += PayloadAlignment;
      continue;
    }
    size_t Its =
        read16le(Rest.data() + 6) + read64le(Rest.data() + ContainerSize);
    Found.push_back(Rest.take_front(Its));
    At += alignTo(Its, PayloadAlignment);
  }
  return Found;
}

std::string fatBinaryOf(const FatImage &I) {
  std::string Result(ContainerHeader, '\0');
  write32le(Result.data(), Magic);
  write16le(Result.data() + 4, Version);
  write16le(Result.data() + 6, ContainerHeader);
  write64le(Result.data() + ContainerSize, I.Header.size() + I.Bytes.size());
  return (Result + I.Header + I.Bytes).str();
}

std::optional<std::string> inPlaceOf(const FatImage &Old, const FatImage &New) {
  if (New.Bytes.size() > Old.Bytes.size())
    return std::nullopt;
  std::string Result = (Old.Header + New.Bytes).str();
  Result.resize(Old.Header.size() + Old.Bytes.size());
  char *Its = Result.data();
  const char *From = New.Header.data();
  write32le(Its + CompressedSize, read32le(From + CompressedSize));
  write64le(Its + UncompressedSize, read64le(From + UncompressedSize));
  write64le(Its + Flags, (read64le(Its + Flags) & ~CompressionFlags) |
                             (read64le(From + Flags) & CompressionFlags));
  return Result;
}

} // namespace regdem
