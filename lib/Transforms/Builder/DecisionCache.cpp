//===- DecisionCache.cpp - decisions of earlier compilations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionCache.h"

#include "FileTrust.h"
#include "regdem/Analysis/KernelHash.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

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

const std::string &DecisionCache::refusal() const {
  if (Refusal.empty())
    Refusal = whyFolderIsUnsafe(Folder);
  return Refusal;
}

/// A file that is closed in the end; Is is negative where there is none.
struct OpenFile {
  int Is;
  explicit OpenFile(int FD) : Is(FD) {}
  OpenFile(const OpenFile &) = delete;
  ~OpenFile() {
    if (Is >= 0)
      close(Is);
  }
};

// A file is a line with the digest of what follows it.
std::optional<std::string> DecisionCache::find(StringRef Key) const {
  if (!refusal().empty())
    return std::nullopt;
  std::string Path = pathFor(Key);
  // What a path names can change between two looks, an open file cannot.
  OpenFile File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (File.Is < 0)
    return std::nullopt;
  Refusal = whyFileIsUnsafe(File.Is, Path);
  if (!Refusal.empty())
    return std::nullopt;
  auto Text = MemoryBuffer::getOpenFile(File.Is, Path, /*FileSize=*/-1,
                                        /*RequiresNullTerminator=*/false,
                                        /*IsVolatile=*/true);
  if (!Text)
    return std::nullopt;
  auto [Digest, Value] = (*Text)->getBuffer().split('\n');
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
  if (std::error_code Problem = sys::fs::create_directories(
          Folder, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return createStringError("cannot make '" + Folder +
                             "': " + Problem.message());
  if (!refusal().empty())
    return createStringError(refusal());
  auto Fault = [this](Error E) {
    return createStringError("cannot write to '" + Folder +
                             "': " + toString(std::move(E)));
  };
  // LLVM's TempFile would take each % of the folder's name for a placeholder.
  std::string Path = pathFor("XXXXXX");
  OpenFile File(mkostemp(Path.data(), O_CLOEXEC)); // Its mode is 0600.
  if (File.Is < 0)
    return Fault(errorCodeToError(errnoAsErrorCode()));
  sys::RemoveFileOnSignal(Path);
  Error Problem = writeAll(File.Is, digest(Value) + "\n" + Value.str());
  if (!Problem)
    Problem = errorCodeToError(sys::fs::rename(Path, pathFor(Key)));
  if (Problem)
    consumeError(errorCodeToError(sys::fs::remove(Path)));
  sys::DontRemoveFileOnSignal(Path);
  return Problem ? Fault(std::move(Problem)) : Error::success();
}

void DecisionCache::prune() const {
  if (!refusal().empty())
    return;
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
