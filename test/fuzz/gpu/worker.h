//===- worker.h - runs kernels until one takes the device away --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker launches each kernel of the manifest, from a given one on, and
// writes lines to standard output: "at INDEX BUILD" before a launch, "done
// INDEX VERDICT TEXT" after the kernel. A kernel that faults or does not end
// takes the context with it, so the worker leaves after reporting it, and the
// supervisor starts another one after that kernel.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_GPU_WORKER_H
#define REGDEM_FUZZ_GPU_WORKER_H

#include "device.h"
#include "input.h"
#include "manifest.h"

#include <cstdio>
#include <cstdlib>

class Worker {
public:
  Worker(std::string Folder, const std::vector<Kernel> &Kernels,
         unsigned LimitSeconds)
      : Folder(std::move(Folder)), Kernels(Kernels), Gpu(LimitSeconds) {}

  /// Does not return. The process's status: 0 at the end of the manifest, 3
  /// after a kernel that took the context, 2 if the device cannot be used.
  [[noreturn]] void run(size_t First) {
    if (!Gpu.open())
      unusable();
    std::printf("device %s\n", Gpu.name().c_str());
    for (Index = First; Index < Kernels.size(); ++Index) {
      load(Kernels[Index].Stem);
      check(Kernels[Index]);
    }
    leave(0);
  }

private:
  // The runtime's own exit would wait for a kernel that does not end.
  [[noreturn]] void leave(int Status) {
    std::fflush(stdout);
    std::_Exit(Status);
  }

  [[noreturn]] void unusable() {
    std::fprintf(stderr, "gpu_check: error: %s\n", Gpu.error().c_str());
    leave(2);
  }

  void load(const std::string &Stem) {
    if (Stem == Loaded)
      return;
    if (!Loaded.empty()) {
      Gpu.unload(Stock);
      Gpu.unload(RegDem);
    }
    Loaded = Stem;
    Stock = Gpu.load(Folder + "/" + Stem + ".stock.cubin");
    RegDem = Gpu.load(Folder + "/" + Stem + ".regdem.cubin");
    if (!Stock)
      unusable();
    if (!RegDem) {
      done("regdem-fault", Gpu.error());
      leave(3);
    }
  }

  void done(const char *Verdict, const std::string &Text) {
    std::printf("done %zu %s %s\n", Index, Verdict, Text.c_str());
    std::fflush(stdout);
  }

  std::vector<unsigned> launch(const Kernel &K, const char *Build,
                               const std::vector<unsigned> &In) {
    std::printf("at %zu %s\n", Index, Build);
    std::fflush(stdout);
    bool IsStock = Build[0] == 's';
    std::vector<unsigned> Out(K.OutWords, PoisonedOutput);
    if (!Gpu.run(IsStock ? Stock : RegDem, K.Name.c_str(), K.Grid, K.Block,
                 K.DynamicBytes, In, Out, K.N)) {
      done(Gpu.hung() ? (IsStock ? "stock-hang" : "regdem-hang")
                      : (IsStock ? "stock-fault" : "regdem-fault"),
           Gpu.error());
      leave(3);
    }
    return Out;
  }

  void check(const Kernel &K) {
    std::vector<unsigned> In = randomWords(K.InWords, K.Seed);
    std::vector<unsigned> Expected = launch(K, "stock", In);
    std::vector<unsigned> Got = launch(K, "regdem", In);
    std::vector<unsigned> Again = launch(K, "stock", In);
    if (Expected != Again)
      done("unstable", difference(Again, Expected));
    else if (Expected != Got)
      done("mismatch", difference(Got, Expected));
    else
      done("passed", "");
  }

  static std::string difference(const std::vector<unsigned> &Got,
                                const std::vector<unsigned> &Expected) {
    size_t First = 0, Count = 0;
    for (size_t I = Got.size(); I-- > 0;)
      if (Got[I] != Expected[I])
        First = I, ++Count;
    char Text[128];
    std::snprintf(Text, sizeof(Text),
                  "%zu of %zu words, word %zu is %08x, stock %08x", Count,
                  Got.size(), First, Got[First], Expected[First]);
    return Text;
  }

  std::string Folder;
  const std::vector<Kernel> &Kernels;
  Device Gpu;
  CUmodule Stock = nullptr, RegDem = nullptr;
  std::string Loaded;
  size_t Index = 0;
};

#endif
