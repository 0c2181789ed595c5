//===- DeviceCode.cpp - the device code in a host module ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"

#include "regdem/Finish/Finisher.h"
#include "regdem/MachineCode/FatBinary.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

void DeviceImage::readFigures() {
  Figures = expectedToOptional(figuresOfKernels(Cubin))
                .value_or(std::map<std::string, KernelFigures>());
}

static Expected<DeviceImage> readImage(size_t Place, const FatImage &From) {
  if (From.Kind != ImageKind::ELF || From.IsCompressed)
    return createStringError("the fat binary holds code that is compressed or "
                             "of an unknown kind");
  Expected<std::optional<ProgramRecord>> Record = readRecord(From.Bytes);
  if (!Record)
    return Record.takeError();
  DeviceImage Image{Place, From.Arch, From.Bytes.str(), {}, {}, {}};
  if (*Record)
    Image.Record = std::move(**Record);
  Image.readFigures();
  return Image;
}

static void refuse(DeviceCode &Code, const Twine &Why) {
  if (Code.Unknown.empty())
    Code.Unknown = Why.str();
}

/// Adds Read to Code, or has it say why not; the first reason stands.
static void add(Expected<DeviceImage> Read, DeviceCode &Code) {
  if (Read)
    Code.Images.push_back(std::move(*Read));
  else
    refuse(Code, toString(Read.takeError()));
}

DeviceCode readDeviceCode(StringRef Bytes) {
  DeviceCode Code;
  Expected<std::vector<FatImage>> Images = splitFatBinary(Bytes);
  if (!Images) {
    refuse(Code, toString(Images.takeError()));
    return Code;
  }
  for (const auto &[Place, I] : enumerate(*Images)) {
    if (I.Kind == ImageKind::PTX)
      continue;
    add(readImage(Place, I), Code);
  }
  for (const FatImage &I : *Images)
    if (I.Kind == ImageKind::PTX &&
        none_of(Code.Images,
                [&](const DeviceImage &Its) { return Its.Arch == I.Arch; }))
      refuse(Code, "the fat binary holds PTX without machine code");
  return Code;
}

/// Where kernels share static variables, as builds do with their kernel, what
/// each has of them is known once I is linked: as much as was expected.
static void addSharedVariables(DeviceImage &I) {
  for (const KernelRecord &K : I.Record.Kernels)
    if (auto Its = I.Figures.find(K.Kernel); Its != I.Figures.end())
      Its->second.StaticShared =
          std::max(Its->second.StaticShared, K.Expected.StaticShared);
}

DeviceCode readLinkedCode(ArrayRef<StringRef> Objects) {
  DeviceCode Code;
  for (StringRef Bytes : Objects) {
    // A copy is aligned, as the reader wants it.
    auto Copy = MemoryBuffer::getMemBufferCopy(Bytes);
    SmallVector<object::OffloadFile, 2> Files;
    if (Error E = object::extractOffloadBinaries(*Copy, Files)) {
      refuse(Code, toString(std::move(E)));
      continue;
    }
    for (const object::OffloadFile &File : Files) {
      const object::OffloadBinary &Its = *File.getBinary();
      if (Its.getOffloadKind() != object::OFK_Cuda)
        continue;
      FatImage Image{ImageKind::ELF, parseArch(Its.getArch()),
                     /*IsCompressed=*/false, "", Its.getImage()};
      add(readImage(Code.Images.size(), Image), Code);
    }
  }
  for_each(Code.Images, addSharedVariables);
  return Code;
}

} // namespace regdem
