//===- DecisionKey.cpp - what decisions depend on -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionKey.h"

#include "regdem/Analysis/KernelHash.h"
#include "regdem/Decision/Builds/Recipe.h"
#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// Adds the digest of the file at Path to Text; false where it cannot be read.
static bool addFile(raw_ostream &Text, const DecisionCache &Cache,
                    StringRef Path) {
  std::string Digest = Cache.digestOfFile(Path);
  Text << Digest << "\n";
  return !Digest.empty();
}

bool addPrograms(raw_ostream &Text, const DecisionCache &Cache,
                 const Ptxas &Assembler, const Disassembler &Reader) {
  Text << REGDEM_VERSION << "\n";
  return addFile(Text, Cache,
                 fileOf(reinterpret_cast<const void *>(&digest))) &&
         addFile(Text, Cache, fileOf(reinterpret_cast<const void *>(&errs))) &&
         addFile(Text, Cache, Assembler.path()) &&
         addFile(Text, Cache, Reader.path());
}

void addOptions(raw_ostream &Text, const Options &O) {
  Text << int(O.RunMode) << " " << O.MaxRegs << " " << O.MinBlocks << " "
       << O.BlockSize << " " << O.BlockSizeAnnotated << O.BlockSizeOfLaunch
       << " " << (O.DynamicSmem ? int(*O.DynamicSmem) : -1) << " "
       << int(O.Pragma) << " " << O.Arrays << O.MayFuseOtherwise
       << int(O.Launch) << " " << (O.SharedLimit ? int(*O.SharedLimit) : -1)
       << " " << (O.Stated ? toText(*O.Stated) : "") << "\n";
  for (const std::string &Flag : O.PtxasFlags)
    Text << Flag << "\n";
}

void addLimit(raw_ostream &Text, const BuildLimit &Limit) {
  Text << "limit " << Limit.Builds.value_or(0) << " ";
}

} // namespace regdem
