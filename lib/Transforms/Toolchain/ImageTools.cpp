//===- ImageTools.cpp - images of fat binaries, compressed ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/ImageTools.h"

#include "CudaTool.h"
#include "MemoryFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

namespace {

/// Runs the toolkit's program Name in an empty folder, with Arguments, of which
/// "INPUT" stands for a file with Input; the file in which Output's name ends.
Expected<std::string> runInFolder(StringRef Name, StringRef Remedy,
                                  ArrayRef<StringRef> Arguments,
                                  StringRef Input, StringRef Output,
                                  const ToolLimits &Limits) {
  auto Tool = chooseCudaTool("auto", Name, Name);
  if (!Tool)
    return Tool.takeError();
  if (!*Tool)
    return createStringError("no " + Name + " was found: " + Remedy);
  Expected<MemoryFile> File = MemoryFile::create(Input);
  if (!File)
    return File.takeError();
  SmallString<128> Folder;
  if (std::error_code Failure =
          sys::fs::createUniqueDirectory("regdem", Folder))
    return createStringError("no folder for files: " + Failure.message());
  scope_exit Remove([&] {
    std::error_code Ignored = sys::fs::remove_directories(Folder);
    (void)Ignored;
  });
  // cuobjdump names its files itself, and writes them to its folder.
  std::vector<std::string> Words = {"-c", "cd \"$0\" && exec \"$@\"",
                                    Folder.str().str(), **Tool};
  for (StringRef Argument : Arguments)
    Words.push_back(StringRef(Argument).contains("INPUT")
                        ? (Argument.split("INPUT").first + File->path()).str()
                        : Argument.str());
  auto Said = runCudaTool({"/bin/sh", Limits}, Words);
  if (!Said)
    return createStringError("'" + **Tool +
                             "' failed: " + toString(Said.takeError()));
  std::error_code Failure;
  for (sys::fs::directory_iterator I(Folder, Failure), End;
       I != End && !Failure; I.increment(Failure))
    if (StringRef(I->path()).ends_with(Output))
      if (auto Written =
              MemoryBuffer::getFile(I->path(), /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false))
        return (*Written)->getBuffer().str();
  return createStringError("'" + **Tool + "' has written no file");
}

} // namespace

Expected<std::string> compressCubin(StringRef Cubin, unsigned Arch,
                                    const ToolLimits &Limits) {
  std::string Image =
      ("--image3=kind=elf,sm=" + Twine(Arch) + ",file=INPUT").str();
  return runInFolder("fatbinary", "it is part of the CUDA toolkit",
                     {"-64", "--compress-all", "--create", "out.fatbin", Image},
                     Cubin, ".fatbin", Limits);
}

Expected<std::string> extractCubin(StringRef FatBinary,
                                   const ToolLimits &Limits) {
  return runInFolder("cuobjdump",
                     "it is part of the CUDA toolkit, and of NVIDIA's package "
                     "nvidia-cuda-cuobjdump for Python; or build with "
                     "nvcc --no-compress",
                     {"-xelf", "all", "INPUT"}, FatBinary, ".cubin", Limits);
}

} // namespace regdem
