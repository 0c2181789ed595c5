//===- CompiledTexts.h - the PTX of all builds, each made once --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches for launches of several sizes compile copies of one kernel, and most
// of their builds are the same. Here each is compiled once, by the search that
// asks first; the others wait for it. What comes of that does not depend on who
// asks, nor on when.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_COMPILEDTEXTS_H
#define REGDEM_LIB_BUILDER_COMPILEDTEXTS_H

#include "CandidateText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <mutex>

namespace regdem {

/// Values by their keys, each made by the first thread that asks for it.
template <typename Key, typename Value> class MadeOnce {
public:
  /// What Make returns or has returned for K; the same error for all who ask.
  llvm::Expected<const Value &>
  get(const Key &K, llvm::function_ref<llvm::Expected<Value>()> Make) {
    Entry &E = entry(K);
    std::call_once(E.Begun, [&] {
      if (llvm::Expected<Value> V = Make())
        E.Made.emplace(std::move(*V));
      else
        E.Problem = toString(V.takeError());
    });
    if (!E.Made)
      return llvm::createStringError(E.Problem);
    return *E.Made;
  }

private:
  struct Entry {
    std::once_flag Begun;
    std::optional<Value> Made;
    std::string Problem;
  };
  std::mutex Lock;
  std::map<Key, Entry> Entries;

  Entry &entry(const Key &K) {
    std::lock_guard Guard(Lock);
    return Entries[K]; // Stays in place.
  }
};

/// A kernel as code generation gets it.
struct CandidateSource {
  ModuleImage Image;
  std::string Digest; ///< Of the image.
  std::string KernelName;
  bool CapIsFree = false; ///< As compileCandidate() takes it.
};

class CompiledTexts {
public:
  /// compileCandidate() of From; InOneGo: not by way of prepareCandidate(),
  /// which pays if other builds of the kernel are to come. LaunchThreads: of a
  /// block, where that is a copy for launches; else 0.
  llvm::Expected<CandidateText> compile(const CandidateSource &From,
                                        const llvm::TargetMachine &TM,
                                        const BuildRecipe &Wanted,
                                        unsigned LaunchThreads, bool InOneGo);

private:
  MadeOnce<std::pair<std::string, Rewrite>, ModuleImage> Prepared;
  MadeOnce<std::tuple<std::string, bool, BuildRecipe, unsigned>, CandidateText>
      Texts;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_COMPILEDTEXTS_H
