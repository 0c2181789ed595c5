//===- Runner.cpp - checks and times the builds of one kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Correctness comes first, on every seed; then the first input is timed. The
// builds are interleaved, repetition by repetition, so that a change of the
// clock rate meets all of them alike, and each timed run follows an untimed
// one of the same build, so that no build pays for its predecessor's cache
// configuration.
//
//===----------------------------------------------------------------------===//

#include "common/Runner.h"
#include <map>

using namespace bench;

namespace {

/// Outputs are filled with this before a run, so that an element which a
/// kernel fails to write does not pass for the previous build's.
constexpr unsigned char Poison = 0xA5;

class Run {
public:
  Run(Device &D, uint64_t Seed, bool Quick) : D(D), P(Seed, Quick) {
    describe(P);
    for (const auto &A : P.Arrays) {
      Buffers.push_back(D.allocate(A->sizeInBytes()));
      if (!A->IsOutput)
        Buffers.back()->upload(A->bytes());
    }
  }

  void launch(Module &M) {
    for (const Launch &L : P.Launches)
      D.launch(M, L, P, Buffers);
  }

  /// Runs \p M once; P's output arrays then hold its results.
  void compute(Module &M) {
    for (size_t I = 0; I < Buffers.size(); ++I)
      if (P.Arrays[I]->IsOutput)
        Buffers[I]->fill(Poison);
    launch(M);
    D.synchronize();
    for (size_t I = 0; I < Buffers.size(); ++I)
      if (P.Arrays[I]->IsOutput)
        Buffers[I]->download(P.Arrays[I]->bytes());
  }

  std::vector<char> outputs() const {
    std::vector<char> Result;
    for (const auto &A : P.Arrays)
      if (A->IsOutput) {
        const char *Begin = static_cast<const char *>(A->bytes());
        Result.insert(Result.end(), Begin, Begin + A->sizeInBytes());
      }
    return Result;
  }

  bool outputsEqual(const std::vector<char> &Expected) const {
    size_t Offset = 0;
    for (const auto &A : P.Arrays)
      if (A->IsOutput) {
        if (std::memcmp(A->bytes(), Expected.data() + Offset, A->sizeInBytes()))
          return false;
        Offset += A->sizeInBytes();
      }
    return true;
  }

  const Problem &problem() const { return P; }

private:
  Device &D;
  Problem P;
  std::vector<std::unique_ptr<Buffer>> Buffers;
};

} // namespace

/// Checks every build on the input of \p R. A build whose output equals that
/// of its family's first, bit for bit, shares the first's reference check.
static void checkAll(Run &R, const Options &O,
                     const std::vector<std::unique_ptr<Module>> &Modules,
                     std::vector<Measurement> &Results) {
  struct Expected {
    std::vector<char> Outputs;
    Checker Reference;
  };
  std::map<std::string, Expected> Families;
  for (size_t V = 0; V < Modules.size(); ++V) {
    R.compute(*Modules[V]);
    auto Found = Families.find(O.Variants[V].Family);
    bool Equal =
        Found != Families.end() && R.outputsEqual(Found->second.Outputs);
    Checker C = Equal ? Found->second.Reference : R.problem().check();
    if (Found == Families.end())
      Families.emplace(O.Variants[V].Family, Expected{R.outputs(), C});
    else
      Results[V].BitEqual &= Equal;
    Results[V].Reference.merge(C);
    Results[V].Tolerance = R.problem().Tolerance;
  }
}

std::vector<Measurement> bench::measure(Device &D, const Options &O) {
  std::vector<std::unique_ptr<Module>> Modules;
  for (const Variant &V : O.Variants)
    Modules.push_back(D.load(V.Path));
  std::vector<Measurement> Results(Modules.size());

  // Backwards, so that the input left for the timing is the first one.
  for (unsigned S = O.Seeds; S-- > 0;) {
    Run R(D, O.FirstSeed + S, O.Quick);
    checkAll(R, O, Modules, Results);
    if (S > 0)
      continue;

    const Launch &First = R.problem().Launches.front();
    unsigned Threads = First.Block.X * First.Block.Y * First.Block.Z;
    for (size_t V = 0; V < Modules.size(); ++V)
      Results[V].Attributes = Modules[V]->attributes(First.Kernel, Threads);
    for (unsigned Rep = 0; Rep < O.Repetitions; ++Rep)
      for (size_t V = 0; V < Modules.size(); ++V) {
        R.launch(*Modules[V]);
        D.startTimer();
        R.launch(*Modules[V]);
        Results[V].TimesMs.push_back(D.stopTimer());
      }
  }
  return Results;
}
