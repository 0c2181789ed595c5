//===- gpu_check.cpp - stock and RegDem cubins against each other -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the manifest of the folder given, loads every pair of cubins, launches
// each kernel of both with the same random input and the same poisoned output,
// and compares the outputs bit for bit. The stock kernel is run twice: if it
// differs from itself, the kernel has a race and the generator is at fault.
//
// The kernels run in a process of their own, so that one that faults or does
// not end costs no other. Needs the CUDA driver (libcuda.so.1) and nothing of
// the toolkit. Exit status: 0 all passed, 1 a kernel did not, 2 usage or
// set-up, or the device was lost.
//
//===----------------------------------------------------------------------===//
#include "supervisor.h"
#include "worker.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace {

struct Options {
  std::string Folder, Manifest = "manifest.txt", Results;
  unsigned Limit = 10;
  long WorkerFirst = -1; // The first kernel of a worker; -1: not a worker.
};

bool parse(int Argc, char **Argv, Options &Given) {
  for (int I = 1; I < Argc; ++I) {
    std::string Word = Argv[I];
    bool HasValue = I + 1 < Argc;
    if (Word == "--limit" && HasValue)
      Given.Limit = static_cast<unsigned>(std::atoi(Argv[++I]));
    else if (Word == "--manifest" && HasValue)
      Given.Manifest = Argv[++I];
    else if (Word == "--results" && HasValue)
      Given.Results = Argv[++I];
    else if (Word == "--worker" && HasValue)
      Given.WorkerFirst = std::atol(Argv[++I]);
    else if (Word[0] != '-' && Given.Folder.empty())
      Given.Folder = Word;
    else
      return false;
  }
  return !Given.Folder.empty() && Given.Limit > 0 && Given.Limit < 10000;
}

// One line per kernel: its name, the verdict and a text.
bool writeResults(const std::string &Path, const std::vector<Kernel> &Kernels,
                  const std::vector<Verdict> &Verdicts) {
  std::ofstream File(Path);
  for (size_t I = 0; I < Kernels.size(); ++I)
    File << Kernels[I].Name << ' ' << Verdicts[I].Name << ' '
         << Verdicts[I].Text << '\n';
  return static_cast<bool>(File.flush());
}

// Prints what did not pass and a table of counts; returns the exit status.
int printTable(const std::vector<Kernel> &Kernels, const Supervisor &All,
               bool Complete) {
  std::map<std::string, std::pair<unsigned, unsigned>> Counts;
  for (size_t I = 0; I < Kernels.size(); ++I) {
    const Verdict &V = All.Verdicts[I];
    ++Counts[V.Name].first;
    Counts[V.Name].second += Kernels[I].Changed;
    if (V.Name != "passed" && V.Name != "not-run")
      std::printf("%s %s: %s\n", V.Name.c_str(), Kernels[I].Name.c_str(),
                  V.Text.c_str());
  }
  std::printf("%-14s %8s %8s   on %s\n", "verdict", "kernels", "changed",
              All.device().c_str());
  for (const auto &[Name, Count] : Counts)
    std::printf("%-14s %8u %8u\n", Name.c_str(), Count.first, Count.second);
  if (!Complete)
    return 2;
  return Counts["passed"].first == Kernels.size() ? 0 : 1;
}

} // namespace

int main(int Argc, char **Argv) {
  Options Given;
  if (!parse(Argc, Argv, Given)) {
    std::fprintf(stderr,
                 "usage: gpu_check [--limit SECONDS] [--manifest NAME] "
                 "[--results FILE] FOLDER\n"
                 "--limit: how long one launch may take (default 10)\n");
    return 2;
  }
  std::vector<Kernel> Kernels;
  if (!readManifest(Given.Folder + "/" + Given.Manifest, Kernels)) {
    std::fprintf(stderr, "gpu_check: error: no valid %s in '%s'\n",
                 Given.Manifest.c_str(), Given.Folder.c_str());
    return 2;
  }
  if (Given.WorkerFirst >= 0)
    Worker(Given.Folder, Kernels, Given.Limit)
        .run(static_cast<size_t>(Given.WorkerFirst));
  // A worker may also load cubins or make a context: a minute for that.
  Supervisor All({"gpu_check", Given.Folder, "--manifest", Given.Manifest,
                  "--limit", std::to_string(Given.Limit), "--worker"},
                 Kernels.size(), Given.Limit + 60);
  bool Complete = All.run();
  if (!Complete)
    std::fprintf(stderr, "gpu_check: error: the device was lost\n");
  if (!Given.Results.empty() &&
      !writeResults(Given.Results, Kernels, All.Verdicts)) {
    std::fprintf(stderr, "gpu_check: error: cannot write '%s'\n",
                 Given.Results.c_str());
    return 2;
  }
  return printTable(Kernels, All, Complete);
}
