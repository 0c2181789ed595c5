//===- gpu_check.cpp - stock and RegDem cubins against each other -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads manifest.txt of the folder given (see driver/gpu_bundle.py), loads
// every pair of cubins, launches each kernel of both with the same random
// input and the same poisoned output, and compares the outputs bit for bit.
// The stock kernel is run twice: if it differs from itself, the kernel has a
// race and the generator is at fault; such kernels count as unstable.
//
// Needs the CUDA driver (libcuda.so.1) and nothing of the toolkit.
// Exit status: 0 all passed, 1 a mismatch, 2 usage or set-up.
//
//===----------------------------------------------------------------------===//
#include "gpu_device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Kernel {
  std::string Name;
  unsigned Block[3], Grid[3];
  unsigned DynamicBytes, InWords, OutWords, N, Seed, Demoted;
};

// The kernels of one pair of cubins, STEM.stock.cubin and STEM.regdem.cubin.
struct Pair {
  std::string Stem;
  std::vector<Kernel> Kernels;
};

struct Counts {
  unsigned Passed = 0, Demoted = 0, Failed = 0, Unstable = 0;
};

bool readManifest(const std::string &Path, std::vector<Pair> &Pairs) {
  std::ifstream File(Path);
  if (!File)
    return false;
  std::string Line;
  while (std::getline(File, Line)) {
    std::istringstream Words(Line);
    std::string First;
    Words >> First;
    if (First == "pair") {
      Pairs.emplace_back();
      Words >> Pairs.back().Stem;
    } else if (!Pairs.empty()) {
      Kernel K;
      K.Name = First;
      for (unsigned &D : K.Block)
        Words >> D;
      for (unsigned &D : K.Grid)
        Words >> D;
      Words >> K.DynamicBytes >> K.InWords >> K.OutWords >> K.N >> K.Seed >>
          K.Demoted;
      Pairs.back().Kernels.push_back(K);
    }
    if (!Words)
      return false;
  }
  return true;
}

// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, OOPSLA 2014), two words a step.
std::vector<unsigned> randomWords(unsigned Count, unsigned long long Seed) {
  std::vector<unsigned> Words;
  unsigned long long State = Seed * 0x9e3779b97f4a7c15ull + 1;
  while (Words.size() < Count) {
    State += 0x9e3779b97f4a7c15ull;
    unsigned long long Z = State;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ull;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebull;
    Z ^= Z >> 31;
    Words.push_back(static_cast<unsigned>(Z));
    Words.push_back(static_cast<unsigned>(Z >> 32));
  }
  Words.resize(Count);
  return Words;
}

// The first word in which two outputs differ, or -1.
long firstDifference(const std::vector<unsigned> &A,
                     const std::vector<unsigned> &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] != B[I])
      return static_cast<long>(I);
  return -1;
}

bool launch(Device &Gpu, CUmodule Module, const Kernel &K,
            const std::vector<unsigned> &In, std::vector<unsigned> &Out) {
  Out.assign(K.OutWords, 0xa5c35a3cu);
  return Gpu.run(Module, K.Name.c_str(), K.Grid, K.Block, K.DynamicBytes, In,
                 Out, K.N);
}

void fail(const Kernel &K, const std::string &What, Counts &Total) {
  ++Total.Failed;
  std::printf("FAILED %s: %s\n", K.Name.c_str(), What.c_str());
  std::fflush(stdout);
}

// Returns false if the device context is lost and must be made anew.
bool checkKernel(Device &Gpu, CUmodule Stock, CUmodule RegDem, const Kernel &K,
                 Counts &Total) {
  std::vector<unsigned> In = randomWords(K.InWords, K.Seed);
  std::vector<unsigned> Expected, Again, Got;
  if (!launch(Gpu, Stock, K, In, Expected)) {
    ++Total.Unstable;
    std::printf("UNSTABLE %s: stock build: %s\n", K.Name.c_str(),
                Gpu.error().c_str());
    return false;
  }
  if (!launch(Gpu, RegDem, K, In, Got)) {
    fail(K, Gpu.error(), Total);
    return false;
  }
  if (!launch(Gpu, Stock, K, In, Again))
    return false;
  if (firstDifference(Expected, Again) >= 0) {
    ++Total.Unstable;
    std::printf("UNSTABLE %s: two stock runs differ\n", K.Name.c_str());
    return true;
  }
  long Word = firstDifference(Expected, Got);
  if (Word >= 0) {
    char Text[128];
    std::snprintf(Text, sizeof(Text), "word %ld of %u is %08x, stock %08x",
                  Word, K.OutWords, Got[Word], Expected[Word]);
    fail(K, Text, Total);
    return true;
  }
  ++Total.Passed;
  Total.Demoted += K.Demoted;
  return true;
}

bool checkPair(Device &Gpu, const std::string &Folder, const Pair &P,
               Counts &Total) {
  CUmodule Stock = nullptr, RegDem = nullptr;
  for (size_t I = 0; I < P.Kernels.size(); ++I) {
    if (!Stock) {
      Stock = Gpu.load(Folder + "/" + P.Stem + ".stock.cubin");
      RegDem = Gpu.load(Folder + "/" + P.Stem + ".regdem.cubin");
      if (!Stock || !RegDem) {
        std::fprintf(stderr, "gpu_check: error: %s: %s\n", P.Stem.c_str(),
                     Gpu.error().c_str());
        return false;
      }
    }
    if (!checkKernel(Gpu, Stock, RegDem, P.Kernels[I], Total)) {
      if (Gpu.hung() || !Gpu.reset())
        return false;
      Stock = RegDem = nullptr;
    }
  }
  if (Stock)
    Gpu.unload(Stock);
  if (RegDem)
    Gpu.unload(RegDem);
  return true;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    std::fprintf(stderr, "usage: gpu_check FOLDER\n");
    return 2;
  }
  std::string Folder = Argv[1];
  std::vector<Pair> Pairs;
  if (!readManifest(Folder + "/manifest.txt", Pairs) || Pairs.empty()) {
    std::fprintf(stderr, "gpu_check: error: no valid manifest.txt in '%s'\n",
                 Argv[1]);
    return 2;
  }
  Device Gpu;
  if (!Gpu.open()) {
    std::fprintf(stderr, "gpu_check: error: %s\n", Gpu.error().c_str());
    return 2;
  }
  Counts Total;
  bool Complete = true;
  for (const Pair &P : Pairs)
    if (!(Complete = checkPair(Gpu, Folder, P, Total)))
      break;
  std::printf("%u passed (%u demoted), %u failed, %u unstable on %s\n",
              Total.Passed, Total.Demoted, Total.Failed, Total.Unstable,
              Gpu.name().c_str());
  std::fflush(stdout);
  if (!Complete) {
    std::fprintf(stderr, "gpu_check: error: stopped early\n");
    std::_Exit(Total.Failed ? 1 : 2);
  }
  return Total.Failed || Total.Unstable ? 1 : 0;
}
