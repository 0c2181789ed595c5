//===- manifest.h - what a GPU run launches ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A manifest (driver/gpu_bundle.py writes it) has a line "pair STEM" for each
// pair of cubins, STEM.stock.cubin and STEM.regdem.cubin, followed by one line
// for each of its kernels.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_GPU_MANIFEST_H
#define REGDEM_FUZZ_GPU_MANIFEST_H

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// Block, Grid: x, y, z. InWords, OutWords: words of 32 bits. N: the kernel's
/// third argument. Seed: of the input. Changed: 1 if RegDem changed the kernel.
struct Kernel {
  std::string Stem, Name;
  unsigned Block[3], Grid[3];
  unsigned DynamicBytes, InWords, OutWords, N, Seed, Changed;
};

/// False if the file is missing, malformed or empty.
inline bool readManifest(const std::string &Path,
                         std::vector<Kernel> &Kernels) {
  std::ifstream File(Path);
  std::string Line, Stem;
  while (std::getline(File, Line)) {
    std::istringstream Words(Line);
    std::string First;
    Words >> First;
    if (First == "pair") {
      Words >> Stem;
    } else {
      Kernel K;
      K.Stem = Stem;
      K.Name = First;
      for (unsigned &D : K.Block)
        Words >> D;
      for (unsigned &D : K.Grid)
        Words >> D;
      Words >> K.DynamicBytes >> K.InWords >> K.OutWords >> K.N >> K.Seed >>
          K.Changed;
      Kernels.push_back(K);
    }
    if (!Words || Stem.empty())
      return false;
  }
  return !Kernels.empty();
}

#endif
