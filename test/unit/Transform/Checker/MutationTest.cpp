//===- MutationTest.cpp - the checker finds every kind of mistake ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each mutation is made at every place of every kernel where it can be made. A
// mutant is harmful if a run of it shows so (MutationExecution.h); the checker
// must reject all of those. One that no run tells from the original may be
// accepted or not: the checker is entitled to more than these runs need.
//
//===----------------------------------------------------------------------===//

#include "MutationExecution.h"
#include "MutationKernels.h"
#include "MutationSearch.h"
#include "Mutations.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// Runs the mutants of one kernel against its original.
class Judge {
public:
  explicit Judge(const Subject &S) : S(S) {
    const unsigned *Dims = S.Right.Dims;
    std::vector<std::vector<unsigned>> Shapes = {
        {32, 1, 1}, {1, 32, 1}, {4, 4, 2}, {2, 8, 2}};
    if (Dims[0])
      Shapes = {{Dims[0], Dims[1], Dims[2]}};
    for (uint64_t Seed = 1; Seed != 3; ++Seed)
      for (const std::vector<unsigned> &Shape : Shapes) {
        LaunchCase Launch{{Shape[0], Shape[1], Shape[2]}, Seed};
        Launches.push_back(Launch);
        Expected.push_back(
            execute(S.Original, S.Opcodes, S.Right.Bounds, Launch));
      }
  }

  /// Whether some launch shows that MF does not do what the original does.
  bool isHarmful(const MachineFunction &MF, const RegionBounds &Bounds) const {
    for (size_t I = 0; I != Launches.size(); ++I)
      if (execute(MF, S.Opcodes, Bounds, Launches[I]).differsFrom(Expected[I]))
        return true;
    return false;
  }

private:
  const Subject &S;
  std::vector<LaunchCase> Launches;
  std::vector<ExecutionResult> Expected;
};

/// What became of the mutants of one kind.
struct Tally {
  unsigned Made = 0, Rejected = 0, Accepted = 0;
  bool SeenHarm = false; ///< One of the rejected is harmful.
};

void tryMutation(const Subject &S, const Judge &Runs, const Mutation &M,
                 const std::string &Kernel, Tally &Counts) {
  for (unsigned Site = 0;; ++Site) {
    Recipe R = S.Right;
    if (M.InRecipe && !M.InRecipe(S, R, Site))
      return;
    std::unique_ptr<MachineFunction> Mutant = S.build(R);
    if (M.InCode && !M.InCode(S, *Mutant, Site))
      return;
    ++Counts.Made;
    if (!S.check(*Mutant, R.Bounds).empty()) {
      ++Counts.Rejected;
      if (!Counts.SeenHarm)
        Counts.SeenHarm = Runs.isHarmful(*Mutant, R.Bounds);
      continue;
    }
    ++Counts.Accepted;
    if (Runs.isHarmful(*Mutant, R.Bounds)) {
      std::string Code;
      raw_string_ostream OS(Code);
      Mutant->print(OS);
      ADD_FAILURE() << "accepted although it is harmful: " << M.Name
                    << ", place " << Site << " of '" << Kernel << "'\n"
                    << Code;
    }
  }
}

/// Calls Visit for every kernel, planned in both ways and to two pressures.
template <typename Visitor> void forEachSubject(Visitor Visit) {
  for (const MutationKernel &K : mutationKernels())
    for (Strategy How : {Strategy::Belady, Strategy::Resident})
      for (unsigned Part : {50u, 75u})
        withSubject(K.IR, Part, How, /*AtEnd=*/false,
                    [&](const Subject &S) { Visit(S, std::string(K.Name)); });
}

/// The same for slots at the end of dynamic shared memory.
template <typename Visitor> void forEachSubjectAtEnd(Visitor Visit) {
  for (const MutationKernel &K : mutationKernels())
    for (unsigned Part : {50u, 75u})
      withSubject(K.IR, Part, Strategy::Resident, /*AtEnd=*/true,
                  [&](const Subject &S) { Visit(S, std::string(K.Name)); });
}

void expectAllFound(const std::vector<Mutation> &Mutations,
                    bool AtEnd = false) {
  std::vector<Tally> Counts(Mutations.size());
  auto Visit = [&](const Subject &S, const std::string &Kernel) {
    Judge Runs(S);
    for (size_t I = 0; I != Mutations.size(); ++I)
      tryMutation(S, Runs, Mutations[I], Kernel, Counts[I]);
  };
  if (AtEnd)
    forEachSubjectAtEnd(Visit);
  else
    forEachSubject(Visit);
  for (size_t I = 0; I != Mutations.size(); ++I) {
    const Tally &T = Counts[I];
    EXPECT_TRUE(T.SeenHarm) << "no harmful mutant: " << Mutations[I].Name;
    outs() << formatv("{0,-45} {1,5} made, {2,5} rejected, {3,5} harmless\n",
                      Mutations[I].Name, T.Made, T.Rejected, T.Accepted);
  }
  outs().flush();
}

TEST(Mutation, RightDemotionsAreAcceptedAndDoWhatTheOriginalDoes) {
  forEachSubject([](const Subject &S, const std::string &Kernel) {
    std::unique_ptr<MachineFunction> Result = S.build(S.Right);
    EXPECT_EQ(S.check(*Result, S.Right.Bounds), "") << Kernel;
    EXPECT_FALSE(Judge(S).isHarmful(*Result, S.Right.Bounds)) << Kernel;
  });
}

// The register still holds the value: what is lost is the register that
// demotion was to free.
TEST(Mutation, ReloadsThatAreLeftOutDoNoHarm) {
  forEachSubject([](const Subject &S, const std::string &Kernel) {
    Judge Runs(S);
    for (size_t I = 0; I != S.Right.Plan.Actions.size(); ++I) {
      if (S.Right.Plan.Actions[I].What != PlanAction::Reload)
        continue;
      Recipe R = S.Right;
      R.Plan.Actions.erase(R.Plan.Actions.begin() + I);
      std::unique_ptr<MachineFunction> Result = S.build(R);
      EXPECT_EQ(S.check(*Result, R.Bounds), "") << Kernel;
      EXPECT_FALSE(Runs.isHarmful(*Result, R.Bounds)) << Kernel;
    }
  });
}

TEST(Mutation, MistakesInTheRecipeAreFound) {
  expectAllFound(recipeMutations());
}

TEST(Mutation, MistakesInRecomputationAreFound) {
  expectAllFound(recomputationMutations());
}

TEST(Mutation, MistakesInInsertionsAreFound) {
  expectAllFound(insertionMutations());
}

TEST(Mutation, MistakesInAddressesAreFound) {
  expectAllFound(addressMutations());
}

TEST(Mutation, RightSlotsAtTheEndAreAcceptedAndDoWhatTheOriginalDoes) {
  forEachSubjectAtEnd([](const Subject &S, const std::string &Kernel) {
    std::unique_ptr<MachineFunction> Result = S.build(S.Right);
    EXPECT_EQ(S.check(*Result, S.Right.Bounds), "") << Kernel;
    EXPECT_FALSE(Judge(S).isHarmful(*Result, S.Right.Bounds)) << Kernel;
  });
}

TEST(Mutation, MistakesInSlotsAtTheEndAreFound) {
  expectAllFound(endMutations(), /*AtEnd=*/true);
}

TEST(Mutation, MistakesInAddressesFromTheEndAreFound) {
  expectAllFound(addressMutations(), /*AtEnd=*/true);
}

TEST(Mutation, DamageToTheOriginalIsFound) {
  expectAllFound(originalCodeMutations());
}

} // namespace
