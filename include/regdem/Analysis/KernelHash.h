//===- KernelHash.h - has a kernel's code changed ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether a kernel is still the one that was measured. The hash is over
// the printed IR of the kernel and all it reaches, isolated from its module
// and stripped of what does not become code. LLVM's StructuralHash would be
// cheaper, but leaves out what bears on speed (alignment, metadata, most
// attributes, flags), and so would take changed code for measured code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_KERNELHASH_H
#define REGDEM_ANALYSIS_KERNELHASH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// 32 hexadecimal digits for Text (XXH3, 128 bits).
std::string digest(llvm::StringRef Text);

/// Hashes the kernels of a module as it is when this object is made; the
/// module is only read.
class KernelHasher {
public:
  explicit KernelHasher(const llvm::Module &M);

  /// A digest(). Equal in every compilation that comes to the same code for the
  /// kernel, wherever its file lies and whatever else is in it: without debug
  /// information, names of values, types and internal symbols, source
  /// locations, the target's name, and the text of strings, which may hold a
  /// file's path. Code, attributes, launch bounds and all other metadata count.
  std::string hash(const llvm::Function &Kernel) const;

  /// As many digits, for which the text of strings and the module's flags count
  /// besides. Other releases of LLVM come to others.
  std::string exactHash(const llvm::Function &Kernel) const;

private:
  llvm::SmallVector<char, 0> Bitcode;
};

/// Name without the suffix that clang gives to internal symbols of relocatable
/// device code (`__intern__`, `__static__` and up to 16 digits), which depends
/// on the file's path and on the command line.
llvm::StringRef stableName(llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_ANALYSIS_KERNELHASH_H
