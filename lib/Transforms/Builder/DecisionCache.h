//===- DecisionCache.h - decisions of earlier compilations ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of small files, one for each decision. Any number of compilations
// may use it at once, also over a network file system: a file is written under
// another name and then renamed. Files bear a checksum, and one that is damaged
// counts as none. Only this process's user and root may have written what is
// read. LLVM's pruning (CachePruning.h) bounds size and age. Its localCache()
// is not used for writing: a full disk there ends the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_DECISIONCACHE_H
#define REGDEM_LIB_BUILDER_DECISIONCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

struct Options;
class Ptxas;

class DecisionCache {
public:
  /// The cache that Options::Cache names; none where that is "off", or "auto"
  /// where the user has no cache folder. The folder need not exist.
  static std::optional<DecisionCache> open(llvm::StringRef Setting);

  /// Why nothing is read or stored, as others can write the folder or a file
  /// that was asked for, and what to do about it; empty: it is used.
  const std::string &refusal() const;

  /// What is kept under Key, as digest() gives it; none where nothing is.
  std::optional<std::string> find(llvm::StringRef Key) const;

  /// Keeps Value under Key. An error where the folder or the file cannot be
  /// written, which leaves nothing half done.
  llvm::Error store(llvm::StringRef Key, llvm::StringRef Value) const;

  /// Removes what has not been asked for in a month, and the oldest files
  /// where all take more than 128 MB; looks at most every 20 minutes.
  void prune() const;

  /// The digest of the contents of the file at Path; empty where it cannot be
  /// read. It is kept under the file's name, size and time of change, as tools
  /// have tens of megabytes.
  std::string digestOfFile(llvm::StringRef Path) const;

private:
  explicit DecisionCache(std::string Folder) : Folder(std::move(Folder)) {}
  std::string Folder;
  mutable std::string Refusal; ///< As far as it has been found out.

  std::string pathFor(llvm::StringRef Key) const;
};

// The parts of a decision's key that do not depend on where the kernel comes
// from.

/// What RegDem, LLVM and ptxas are, by their contents; empty where one cannot
/// be read.
std::string keyOfPrograms(const DecisionCache &Cache, const Ptxas &Assembler);

/// Adds those of O that bear on a decision.
void addOptions(llvm::raw_ostream &Text, const Options &O);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_DECISIONCACHE_H
