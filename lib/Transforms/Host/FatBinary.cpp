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
//              compressed size (4), …, architecture (4 bytes, at 28), …, size
//              uncompressed (8 bytes, at 56); the payload, padded to 8 bytes
//
// cuobjdump lists the same of them.
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"

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
constexpr size_t LeastImageHeader = 64, PayloadSize = 8;
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
    bool IsCompressed = read32le(H + 16) != 0 || read64le(H + 56) != 0;
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

} // namespace regdem
