//===- FileTrust.cpp - who besides the user can write a file --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileTrust.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace regdem {

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

/// Whether only a file's owner, and the owner of the folder that S is of, can
/// remove or rename it there.
static bool keepsFilesApart(const struct stat &S) {
  return S.st_mode & S_ISVTX;
}

std::string whyFolderIsUnsafe(StringRef Path) {
  SmallString<128> Absolute(Path), Real;
  if (std::error_code Problem = sys::fs::make_absolute(Absolute))
    return "'" + Path.str() + "' cannot be looked at: " + Problem.message();
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
    if (IsParent && keepsFilesApart(S))
      S.st_mode &= ~mode_t(S_IWGRP | S_IWOTH);
    if (std::string Why = whyUnsafe(S, At); !Why.empty())
      return Why;
    IsParent = true;
  }
  return "";
}

std::string whyFileIsUnsafe(int FD, StringRef Path) {
  struct stat S;
  return fstat(FD, &S) ? whyUnknown(Path) : whyUnsafe(S, Path);
}

} // namespace regdem
