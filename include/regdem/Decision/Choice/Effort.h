//===- Effort.h - how many builds a kernel may cost -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiling may cost is bounded in work, not in time, so that the result
// does not depend on the machine. A build of a kernel takes about as long for
// each instruction as compiling it without RegDem. So all builds of a file's
// kernels may have so many times the instructions of the file, with what a file
// without any takes counted in instructions, too; each kernel may have the same
// number of builds. Kernels whose launches nobody states or shows, as a library
// has many, add less to that.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_EFFORT_H
#define REGDEM_DECISION_CHOICE_EFFORT_H

#include "regdem/Decision/Builds/Recipe.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace regdem {

struct KernelFacts;
struct Options;

/// Builds that a kernel may cost, stock included, if it may have all that it
/// asks for.
inline constexpr unsigned AnyBuilds = ~0u;

/// Builds with which there is something to compare: stock and another one.
inline constexpr unsigned BuildsToCompare = 2;

/// Takes Cost, in builds, off Limit; false, and nothing taken, where that
/// leaves fewer than BuildsToCompare.
bool payFrom(unsigned &Limit, unsigned Cost);

/// How it is found out how the stock build rounds: by a build that states the
/// usual roundings. Where it does not round so, as in one kernel of four, by
/// one whose lines are numbered, which takes twice as long, and one that states
/// what these show.
enum class ProofStep { Usual, Reading };

/// What that costs, in builds.
constexpr unsigned buildsOf(ProofStep S) {
  return S == ProofStep::Usual ? 1 : 3;
}

/// Whether a step may be taken, which has been paid for then.
using PayForProof = llvm::function_ref<bool(ProofStep)>;

/// Builds that a kernel must have for passes to be left out or loops to be
/// unrolled: each is generated before it shows whether it is worth a build.
inline constexpr unsigned BuildsOfRewrites = 3;

/// The builds of a kernel, which its searches, one after the other, pay for
/// once.
class PaidBuilds {
public:
  explicit PaidBuilds(unsigned Limit) : Left(Limit) {}

  /// One search's part of them.
  class Share {
  public:
    /// IsLast: no search follows. Others may have half of what is left, but two
    /// builds at least.
    Share(PaidBuilds &Of, bool IsLast);

    /// How many may still be built.
    size_t left() const { return std::min(Left, Of.Left); }
    /// Takes Cost, in builds, off that; false, and nothing taken, where that
    /// leaves none.
    bool pay(unsigned Cost);
    /// Those of Wanted, of a kernel with Facts, that are paid for, or may still
    /// be.
    std::vector<BuildRecipe> take(llvm::ArrayRef<BuildRecipe> Wanted,
                                  const KernelFacts &Facts);
    /// Whether some of what was wanted may not.
    bool endedEarly() const { return EndedEarly; }
    /// What this search has paid, in builds.
    unsigned paid() const { return Spent; }

  private:
    PaidBuilds &Of;
    size_t Left;
    unsigned Spent = 0;
    bool EndedEarly = false;

    void spend(unsigned Cost);
  };

private:
  size_t Left; ///< That may still be built.
  /// With the threads of a block, where these make another build of it.
  std::set<std::pair<BuildRecipe, unsigned>> Paid;
};

/// Whether O lets any kernel have two builds.
bool comparesBuilds(const Options &O);

/// A kernel that may have builds.
struct KernelWork {
  unsigned Instructions = 0; ///< Before code generation or after it.
  /// A cap is stated for it, or it has arrays in local memory: builds gain most
  /// there, and it has twice the share.
  bool GainsMost = false;
  /// RegDem itself is asked for that: its file may cost twice as much.
  bool IsAskedFor = false;
  bool IsShown = false; ///< The file's own host code launches it.
  /// Neither that nor the kernel says how many threads its blocks have.
  bool IsUnknown = false;
};

/// What a build of K takes, in instructions that clang and ptxas compile in as
/// much time.
double workOfBuild(const KernelWork &K);

/// What all builds of a file's kernels may cost.
class FileBudget {
public:
  /// Of a file of so many instructions in all, with Kernels: as many times the
  /// work in the file as Tuned.TimesOfFile and O say.
  FileBudget(const Options &O, unsigned FileInstructions,
             llvm::ArrayRef<KernelWork> Kernels);

  /// The indices of Kernels in the order in which they come where there is too
  /// little for all: those that the file launches, those that gain most, the
  /// largest.
  static std::vector<size_t> order(llvm::ArrayRef<KernelWork> Kernels);

  /// Reserves two builds for K; false where that is not left.
  bool reserve(const KernelWork &K);
  /// K, which has these reserved, is to have none: its code was generated, and
  /// shows that registers do not limit it.
  void release(const KernelWork &K);

  /// The limits of Kernels, for some of which builds are reserved: the same
  /// number of builds for each. Where that is less than two for one of them,
  /// those that the file itself launches share it first: a library's may be
  /// many. Of what is left some others have two builds, in order().
  std::vector<unsigned> limits(llvm::ArrayRef<KernelWork> Kernels) const;

private:
  /// Stated: builds of all kernels; none: the work in instructions bounds them.
  std::optional<unsigned> Builds;
  /// By IsUnknown: how much all may have spent when such a kernel spends. Where
  /// launches are unknown that is less, as such kernels add less.
  std::array<double, 2> Work;
  double Reserved = 0; ///< Of Work.
};

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_EFFORT_H
