//===- FileTrust.h - who besides the user can write a file ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever can write what the compiler reads decides what it makes. The rules
// are OpenSSH's for the files it trusts (secure_filename() in its misc.c),
// except that folders like /tmp, where the sticky bit keeps users from
// replacing each other's files, are no danger.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_FILETRUST_H
#define REGDEM_LIB_BUILDER_FILETRUST_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regdem {

/// Why others than this process's user and root can put files of theirs into
/// the folder at Path, or another folder in its place, and what to do about it;
/// empty where they cannot. Of a folder that does not exist it says so of those
/// that it would be made in.
std::string whyFolderIsUnsafe(llvm::StringRef Path);

/// The same of the open file FD, which Path names in the text.
std::string whyFileIsUnsafe(int FD, llvm::StringRef Path);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_FILETRUST_H
