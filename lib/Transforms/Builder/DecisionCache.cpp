//===- DecisionCache.cpp - decisions of earlier compilations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionCache.h"

#include "regdem/Analysis/KernelHash.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// Pruning touches files with this prefix only.
static constexpr const char *FilePrefix = "llvmcache-";

std::optional<DecisionCache> DecisionCache::open(StringRef Setting) {
  if (Setting == "off")
    return std::nullopt;
  if (Setting != "auto")
    return DecisionCache(Setting.str());
  SmallString<128> Folder;
  if (!sys::path::cache_directory(Folder))
    return std::nullopt;
  sys::path::append(Folder, "regdem");
  return DecisionCache(std::string(Folder));
}

std::string DecisionCache::pathFor(StringRef Key) const {
  return (Folder + "/" + FilePrefix + Key).str();
}

// A file is a line with the digest of what follows it.
std::optional<std::string> DecisionCache::find(StringRef Key) const {
  auto File = MemoryBuffer::getFile(pathFor(Key), /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  if (!File)
    return std::nullopt;
  auto [Digest, Value] = (*File)->getBuffer().split('\n');
  if (digest(Value) != Digest)
    return std::nullopt;
  return Value.str();
}

/// Writes Text to the open file; an error where not all of it could be.
static Error writeAll(int FD, StringRef Text) {
  raw_fd_ostream OS(FD, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  std::error_code Problem = OS.error();
  OS.clear_error(); // Or the stream ends the compiler.
  return errorCodeToError(Problem);
}

Error DecisionCache::store(StringRef Key, StringRef Value) const {
  if (std::error_code Problem = sys::fs::create_directories(Folder))
    return createStringError("cannot make '" + Folder +
                             "': " + Problem.message());
  auto Fault = [this](Error E) {
    return createStringError("cannot write to '" + Folder +
                             "': " + toString(std::move(E)));
  };
  auto File =
      sys::fs::TempFile::create(Folder + "/" + FilePrefix + "%%%%%%%%.tmp");
  if (!File)
    return Fault(File.takeError());
  std::string Text = digest(Value) + "\n" + Value.str();
  if (Error E = writeAll(File->FD, Text)) {
    consumeError(File->discard());
    return Fault(std::move(E));
  }
  if (Error E = File->keep(pathFor(Key)))
    return Fault(std::move(E));
  return Error::success();
}

void DecisionCache::prune() const {
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(30 * 24);
  Policy.MaxSizePercentageOfAvailableSpace = 0;
  Policy.MaxSizeBytes = 128 << 20;
  pruneCache(Folder, Policy);
}

std::string DecisionCache::digestOfFile(StringRef Path) const {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return "";
  sys::fs::UniqueID ID = Status.getUniqueID();
  std::string Look;
  raw_string_ostream(Look)
      << "file " << Path << "\n"
      << Status.getSize() << " "
      << Status.getLastModificationTime().time_since_epoch().count() << " "
      << ID.getDevice() << " " << ID.getFile();
  std::string Key = digest(Look);
  if (std::optional<std::string> Known = find(Key))
    return *Known;
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File)
    return "";
  std::string Result = digest((*File)->getBuffer());
  consumeError(store(Key, Result)); // Decisions will not be stored, either.
  return Result;
}

} // namespace regdem
