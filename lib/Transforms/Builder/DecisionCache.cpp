//===- DecisionCache.cpp - decisions of earlier compilations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionCache.h"

#include "regdem/Analysis/KernelHash.h"
#include "regdem/Decision/Builds/Recipe.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// Pruning touches files with this prefix only.
static constexpr const char *FilePrefix = "llvmcache-";

// Whoever can write what the compiler reads decides what it makes. The rules
// are OpenSSH's for the files it trusts (secure_filename() in its misc.c),
// except that folders like /tmp, where the sticky bit keeps users from
// replacing each other's files, are no danger.

/// Why others can write what S is of, which Path names; empty: they cannot. An
/// access control list counts: the group's bits are the most that it allows.
static std::string whyUnsafe(const struct stat &S, StringRef Path) {
  if (S.st_uid != 0 && S.st_uid != geteuid())
    return "'" + Path.str() +
           "' belongs to another user: name a folder of your own in "
           "REGDEM_CACHE_DIR";
  if (S.st_mode & (S_IWGRP | S_IWOTH))
    return "others can write '" + Path.str() + "': run chmod go-w '" +
           Path.str() + "', or name another folder in REGDEM_CACHE_DIR";
  return "";
}

static std::string whyUnknown(StringRef Path) {
  return "'" + Path.str() + "' cannot be looked at: " + std::strerror(errno);
}

/// Why others than this process's user and root can put files of theirs into
/// the folder at Path, or another folder in its place, and what to do about it;
/// empty where they cannot. Of a folder that does not exist it says so of those
/// that it would be made in.
static std::string whyFolderIsUnsafe(StringRef Path) {
  SmallString<128> Absolute(Path), Real;
  if (std::error_code Problem = sys::fs::make_absolute(Absolute))
    return "'" + Path.str() + "' cannot be looked at: " + Problem.message();
  if (sys::fs::exists(Path) && !sys::fs::is_directory(Path))
    return "'" + Path.str() +
           "' is no folder: name another in REGDEM_CACHE_DIR";
  bool IsParent = false;
  StringRef At = Absolute;
  while (sys::fs::real_path(At, Real)) { // It does not exist, or is no folder.
    At = sys::path::parent_path(At);
    IsParent = true;
    if (At.empty())
      return "'" + Path.str() + "' is in no folder";
  }
  for (At = Real; !At.empty(); At = sys::path::parent_path(At)) {
    struct stat S;
    if (stat(At.str().c_str(), &S))
      return whyUnknown(At);
    // Only a file's owner, and the folder's, can remove or rename it there.
    if (IsParent && (S.st_mode & S_ISVTX))
      S.st_mode &= ~mode_t(S_IWGRP | S_IWOTH);
    if (std::string Why = whyUnsafe(S, At); !Why.empty())
      return Why;
    IsParent = true;
  }
  return "";
}

/// The same of the open file FD, which Path names in the text.
static std::string whyFileIsUnsafe(int FD, StringRef Path) {
  struct stat S;
  return fstat(FD, &S) ? whyUnknown(Path) : whyUnsafe(S, Path);
}

std::optional<DecisionCache> DecisionCache::open(StringRef Setting) {
  if (Setting == "off")
    return std::nullopt;
  if (Setting != "auto")
    return DecisionCache(Setting.str());
  SmallString<128> Folder;
  if (!sys::path::cache_directory(Folder))
    return std::nullopt;
  if (!sys::path::is_absolute(Folder)) { // XDG: such a variable is none.
    sys::path::home_directory(Folder);
    sys::path::append(Folder, ".cache");
  }
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

// A file is a line with the digest of what follows it.
std::optional<std::string> DecisionCache::find(StringRef Key) const {
  if (!refusal().empty())
    return std::nullopt;
  std::string Path = pathFor(Key);
  // What a path names can change between two looks, an open file cannot.
  int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0)
    return std::nullopt;
  scope_exit Close([File] { close(File); });
  Refusal = whyFileIsUnsafe(File, Path);
  if (!Refusal.empty())
    return std::nullopt;
  auto Text = MemoryBuffer::getOpenFile(File, Path, /*FileSize=*/-1,
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
  int File = mkostemp(Path.data(), O_CLOEXEC); // Its mode is 0600.
  if (File < 0)
    return Fault(errorCodeToError(errnoAsErrorCode()));
  scope_exit Close([File] { close(File); });
  sys::RemoveFileOnSignal(Path);
  Error Problem = writeAll(File, digest(Value) + "\n" + Value.str());
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
  struct stat Status;
  if (stat(Path.str().c_str(), &Status))
    return "";
  std::string Look;
  raw_string_ostream OS(Look);
  OS << "file " << Path << "\n" << Status.st_size;
  for (const timespec &Time : {Status.st_mtim, Status.st_ctim})
    OS << " " << Time.tv_sec << "." << Time.tv_nsec;
  OS << " " << Status.st_dev << " " << Status.st_ino;
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

std::string keyOfPrograms(const DecisionCache &Cache, const Ptxas &Assembler) {
  std::string Key = REGDEM_VERSION "\n";
  for (const std::string &Path :
       {fileOf(reinterpret_cast<const void *>(&digest)),
        fileOf(reinterpret_cast<const void *>(&errs)),
        Assembler.path().str()}) {
    std::string Digest = Cache.digestOfFile(Path);
    if (Digest.empty())
      return "";
    Key += Digest + "\n";
  }
  return Key;
}

void addOptions(raw_ostream &Text, const Options &O) {
  Text << int(O.RunMode) << " " << O.MaxRegs << " " << O.MinBlocks << " "
       << O.BlockSize << " " << O.BlockSizeAnnotated << O.BlockSizeOfLaunch
       << " " << (O.DynamicSmem ? int(*O.DynamicSmem) : -1) << " "
       << int(O.Pragma) << " " << O.Arrays << O.MayFuseOtherwise
       << int(O.Launch) << " " << (O.SharedLimit ? int(*O.SharedLimit) : -1)
       << " " << (O.Stated ? toText(*O.Stated) : "") << "\n";
  for (const std::string &Flag : O.PtxasFlags)
    Text << Flag << "\n";
}

} // namespace regdem
