//===- Profile.h - decisions that were measured -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile names for some kernels the build that was the fastest when it
// was measured. It is JSON:
//
//   {"version": 1, "entries": [
//     {"kernel": "solve", "arch": "sm_90",
//      "hash": "0123456789abcdef0123456789abcdef", "decision": "demote",
//      "max_regs": 40, "target": 36, "strategy": "resident"}]}
//
// Other fields, such as the times measured, are for the record and not read.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_PROFILE_H
#define REGDEM_DECISION_CHOICE_PROFILE_H

#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace regdem {

/// The build of one kernel for one architecture.
struct ProfileEntry : BuildRecipe {
  std::string Kernel; ///< The symbol's name.
  std::string Arch;   ///< "sm_90".
  std::string Hash;   ///< As KernelHasher gives it.

  /// The entry as the machine pass takes it.
  Outcome settled() const;
};

class Profile {
public:
  /// The profile in Text, or an error in one line that names the field at
  /// fault. A cap or demotion must state a cap, a demotion its target and
  /// strategy; two entries for one kernel, architecture and hash are an error.
  static llvm::Expected<Profile> parse(llvm::StringRef Text);

  /// The profile in File; errors name the file.
  static llvm::Expected<Profile> read(llvm::StringRef File);

  /// The entry for Kernel's code with this Hash; null if there is none.
  const ProfileEntry *find(llvm::StringRef Kernel, llvm::StringRef Arch,
                           llvm::StringRef Hash) const;

  /// Whether there is an entry for Kernel, whatever its hash.
  bool mentions(llvm::StringRef Kernel, llvm::StringRef Arch) const;

  bool empty() const { return Entries.empty(); }

private:
  std::vector<ProfileEntry> Entries;
};

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_PROFILE_H
