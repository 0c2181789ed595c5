//===- ProgramFile.cpp - a file with GPU programs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFile.h"

#include "regdem/Toolchain/ImageTools.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;

namespace regdem {

/// An ELF file for NVIDIA's GPUs.
static bool isCubinFile(const object::Binary &File) {
  const auto *ELF = dyn_cast<object::ELFObjectFileBase>(&File);
  return ELF && ELF->getEMachine() == ELF::EM_CUDA;
}

Expected<ProgramFile> ProgramFile::read(StringRef Path) {
  auto Bytes = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!Bytes)
    return createStringError("cannot read '" + Path +
                             "': " + Bytes.getError().message());
  ProgramFile Result;
  Result.Original = std::move(*Bytes);
  Result.Now = Result.Original->getBuffer().str();
  if (Error E = Result.addImages(*Result.Original))
    return createStringError("'" + Path + "': " + toString(std::move(E)));
  return Result;
}

Error ProgramFile::addImages(MemoryBufferRef File) {
  StringRef Bytes = File.getBuffer();
  auto Add = [&](StringRef Section) {
    for (StringRef Its : findFatBinaries(Section))
      for (const FatImage &I : cantFail(splitFatBinary(Its)))
        if (I.Kind == ImageKind::ELF)
          Images.push_back(I);
  };
  if (splitFatBinary(Bytes)) {
    Add(Bytes);
    return Error::success();
  }
  auto Read = object::createBinary(File);
  if (!Read) {
    consumeError(Read.takeError());
    return createStringError("it is no cubin, fat binary, object, program, "
                             "library or archive");
  }
  if (isCubinFile(**Read))
    return Error::success();
  if (const auto *Archive = dyn_cast<object::Archive>(Read->get())) {
    if (Archive->isThin())
      return createStringError("it is a thin archive: state its members");
    Error Bad = Error::success();
    for (const object::Archive::Child &Its : Archive->children(Bad)) {
      auto Member = Its.getMemoryBufferRef();
      if (!Member)
        consumeError(Member.takeError());
      else if (Member->getBufferEnd() > File.getBufferEnd()) {
        consumeError(std::move(Bad));
        return createStringError("the archive is cut off");
      } else
        consumeError(addImages(*Member)); // Other members are no objects.
    }
    if (Bad)
      return Bad;
  } else if (const auto *Object = dyn_cast<object::ObjectFile>(Read->get())) {
    for (const object::SectionRef &Its : Object->sections())
      if (auto Name = Its.getName(); Name && *Name == ".nv_fatbin")
        if (auto Contents = Its.getContents())
          Add(*Contents);
  }
  if (Images.empty() && File.getBufferStart() == Original->getBufferStart())
    return createStringError("it holds no machine code of a GPU that is linked "
                             "(section .nv_fatbin)");
  return Error::success();
}

Expected<std::string> ProgramFile::cubin(size_t I) const {
  if (isCubin())
    return Original->getBuffer().str();
  return Images[I].IsCompressed ? extractCubin(fatBinaryOf(Images[I]), {})
                                : Images[I].Bytes.str();
}

Error ProgramFile::replace(size_t I, StringRef Cubin) {
  if (isCubin()) {
    Now = Cubin.str();
    return Error::success();
  }
  const FatImage &Old = Images[I];
  const std::string Plain(Old.Header.size(), '\0');
  std::optional<std::string> New =
      inPlaceOf(Old, {Old.Kind, Old.Arch, false, Plain, Cubin});
  if (!New) {
    Expected<std::string> Packed = compressCubin(Cubin, Old.Arch, {});
    if (!Packed)
      return createStringError("no room for the set-up code, and " +
                               toString(Packed.takeError()));
    auto Its = splitFatBinary(*Packed);
    if (!Its)
      return Its.takeError();
    New = inPlaceOf(Old, Its->front());
  }
  if (!New)
    return createStringError("no room for the set-up code, as its machine code "
                             "is compressed: build with nvcc "
                             "--no-compress");
  Now.replace(Old.Header.data() - Original->getBufferStart(), New->size(),
              *New);
  return Error::success();
}

} // namespace regdem
