//===- Check.cpp - stock launches against launches that choose ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches each kernel with blocks of ten sizes and grids of one block to
// sixteen per SM, stock's and RegDem's by turns, on random data. Compares all
// results bit for bit, and prints the time over stock's for each size: mean and
// worst over the grids. Blocks of odd sizes are compared, too. Exit status 1 if
// a result or an error differs.
//
// Check [--results|--quick] [KERNEL…]: these kernels only; --results: no times;
// --quick: nor any but small grids, as for compute-sanitizer.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr unsigned Sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr unsigned OddSizes[] = {1, 17, 33, 100, 225, 250, 300, 513, 777, 1000};
constexpr unsigned MostBlocksPerSM = 16;
constexpr unsigned Rounds = 7;            ///< Of which the medians count.
constexpr float LeastMilliseconds = 0.4f; ///< That a timed batch lasts.

void require(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

struct Buffers {
  unsigned *In, *Out[2];
  size_t OutWords;
};

struct Timer {
  cudaEvent_t Start, Stop;
  cudaStream_t Stream;
};

/// Milliseconds that a launch takes in the mean of Count.
float timeLaunches(const Timer &T, Launcher L, unsigned Blocks, unsigned Size,
                   const Buffers &B, unsigned Count) {
  require(cudaEventRecord(T.Start, T.Stream), "record");
  for (unsigned I = 0; I != Count; ++I)
    require(L(Blocks, Size, B.In, B.Out[0], T.Stream), "launch");
  require(cudaEventRecord(T.Stop, T.Stream), "record");
  require(cudaEventSynchronize(T.Stop), "run");
  float Milliseconds = 0;
  require(cudaEventElapsedTime(&Milliseconds, T.Start, T.Stop), "elapsed");
  return Milliseconds / Count;
}

float median(std::vector<float> Values) {
  std::nth_element(Values.begin(), Values.begin() + Values.size() / 2,
                   Values.end());
  return Values[Values.size() / 2];
}

/// Time of Pair[1] over that of Pair[0].
float compareTimes(const Timer &T, const Launcher (&Pair)[2], unsigned Blocks,
                   unsigned Size, const Buffers &B) {
  float Once = timeLaunches(T, Pair[0], Blocks, Size, B, 2);
  unsigned Count = static_cast<unsigned>(
      std::clamp(LeastMilliseconds / std::max(Once, 1e-4f), 1.0f, 200.0f));
  std::vector<float> Times[2];
  for (unsigned R = 0; R != Rounds; ++R)
    for (unsigned Which : {R % 2, 1 - R % 2})
      Times[Which].push_back(
          timeLaunches(T, Pair[Which], Blocks, Size, B, Count));
  return median(Times[1]) / median(Times[0]);
}

/// Whether both give the same error and the same words in all of Out.
bool agree(const Timer &T, const Launcher (&Pair)[2], unsigned Blocks,
           unsigned Size, const Buffers &B, bool &Runs) {
  size_t Words = std::min<size_t>(size_t(Blocks) * Size + 1024, B.OutWords);
  std::vector<unsigned> Results[2];
  cudaError_t Errors[2];
  for (int I = 0; I != 2; ++I) {
    require(cudaMemsetAsync(B.Out[I], 0xa5, Words * 4, T.Stream), "set");
    Errors[I] = Pair[I](Blocks, Size, B.In, B.Out[I], T.Stream);
    require(cudaStreamSynchronize(T.Stream), "run");
    Results[I].resize(Words);
    require(cudaMemcpy(Results[I].data(), B.Out[I], Words * 4,
                       cudaMemcpyDeviceToHost),
            "copy");
  }
  Runs = Errors[0] == cudaSuccess;
  return Errors[0] == Errors[1] && Results[0] == Results[1];
}

/// A launch that chooses works in a graph as elsewhere.
bool agreeInGraph(const Timer &T, const Launcher (&Pair)[2], unsigned Blocks,
                  const Buffers &B) {
  constexpr unsigned Size = 256;
  std::vector<unsigned> Results[2];
  for (int I = 0; I != 2; ++I) {
    cudaGraph_t Graph;
    cudaGraphExec_t Exec;
    require(cudaStreamBeginCapture(T.Stream, cudaStreamCaptureModeGlobal),
            "capture");
    require(Pair[I](Blocks, Size, B.In, B.Out[I], T.Stream), "launch");
    require(cudaStreamEndCapture(T.Stream, &Graph), "end of capture");
    require(cudaGraphInstantiate(&Exec, Graph, 0), "graph");
    require(cudaMemset(B.Out[I], 0xa5, size_t(Blocks) * Size * 4), "set");
    require(cudaGraphLaunch(Exec, T.Stream), "graph launch");
    require(cudaStreamSynchronize(T.Stream), "run");
    Results[I].resize(size_t(Blocks) * Size);
    require(cudaMemcpy(Results[I].data(), B.Out[I], Results[I].size() * 4,
                       cudaMemcpyDeviceToHost),
            "copy");
    require(cudaGraphExecDestroy(Exec), "destroy");
    require(cudaGraphDestroy(Graph), "destroy");
  }
  return Results[0] == Results[1];
}

bool isWanted(const char *Name, const std::vector<const char *> &Wanted) {
  return Wanted.empty() ||
         std::any_of(Wanted.begin(), Wanted.end(), [Name](const char *Other) {
           return !std::strcmp(Name, Other);
         });
}

} // namespace

int main(int NumArgs, char **Args) {
  std::vector<const char *> Wanted(Args + 1, Args + NumArgs);
  bool IsQuick = !Wanted.empty() && !std::strcmp(Wanted[0], "--quick");
  bool ResultsOnly =
      IsQuick || (!Wanted.empty() && !std::strcmp(Wanted[0], "--results"));
  if (ResultsOnly)
    Wanted.erase(Wanted.begin());
  int SMs = 0, Wrong = 0, Cells = 0;
  require(cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0),
          "device");
  Buffers B{};
  B.OutWords = size_t(SMs) * MostBlocksPerSM * 1024 + 1024;
  require(cudaMalloc(&B.In, size_t(InWords) * 4), "memory");
  for (unsigned *&Out : B.Out)
    require(cudaMalloc(&Out, B.OutWords * 4), "memory");
  std::vector<unsigned> Random(InWords);
  std::mt19937 Source(20261123);
  std::generate(Random.begin(), Random.end(), std::ref(Source));
  require(cudaMemcpy(B.In, Random.data(), Random.size() * 4,
                     cudaMemcpyHostToDevice),
          "copy");
  Timer T{};
  require(cudaStreamCreate(&T.Stream), "stream");
  require(cudaEventCreate(&T.Start), "event");
  require(cudaEventCreate(&T.Stop), "event");

  std::vector<unsigned> Grids = {1u,       unsigned(SMs) / 2, unsigned(SMs),
                                 2u * SMs, 3u * SMs + 7,      4u * SMs,
                                 8u * SMs, 16u * SMs};
  if (IsQuick)
    Grids = {1, 5};
  std::printf("time over stock's, mean/worst of %zu grids, by block size\n%-9s",
              Grids.size(), "kernel");
  for (unsigned Size : Sizes)
    std::printf(" %9u", Size);
  std::printf("  all\n");
  double LogAll = 0;
  float WorstOfAll = 0;
  for (unsigned K = 0; K != NumKernels; ++K) {
    if (!isWanted(StockKernels[K].Name, Wanted))
      continue;
    const Launcher Pair[2] = {StockKernels[K].Launch,
                              ChoosingKernels[K].Launch};
    std::printf("%-9s", StockKernels[K].Name);
    double LogOfKernel = 0;
    int CellsOfKernel = 0;
    for (unsigned Size : Sizes) {
      double Log = 0;
      float Worst = 0;
      int Counted = 0;
      for (unsigned Blocks : Grids) {
        bool Runs = false;
        if (!agree(T, Pair, Blocks, Size, B, Runs)) {
          ++Wrong;
          std::fprintf(stderr, "%s <<<%u, %u>>>: results differ\n",
                       StockKernels[K].Name, Blocks, Size);
        }
        if (!Runs || ResultsOnly)
          continue;
        float Ratio = compareTimes(T, Pair, Blocks, Size, B);
        Worst = std::max(Worst, Ratio);
        Log += std::log(Ratio);
        ++Counted;
      }
      if (Counted)
        std::printf(" %.2f/%.2f", std::exp(Log / Counted), Worst);
      else
        std::printf(" %9s", "-");
      std::fflush(stdout);
      LogOfKernel += Log;
      CellsOfKernel += Counted;
      WorstOfAll = std::max(WorstOfAll, Worst);
    }
    for (unsigned Size : OddSizes)
      for (unsigned Blocks : {Grids.front(), Grids.back()}) {
        bool Runs = false;
        if (!agree(T, Pair, Blocks, Size, B, Runs)) {
          ++Wrong;
          std::fprintf(stderr, "%s <<<%u, %u>>>: results differ\n",
                       StockKernels[K].Name, Blocks, Size);
        }
      }
    std::printf("  %.3f\n",
                CellsOfKernel ? std::exp(LogOfKernel / CellsOfKernel) : 0);
    LogAll += LogOfKernel;
    Cells += CellsOfKernel;
    if (!agreeInGraph(T, Pair, Grids.back(), B)) {
      ++Wrong;
      std::fprintf(stderr, "%s in a graph: results differ\n",
                   StockKernels[K].Name);
    }
  }
  std::printf("%d cells: mean %.3f, worst %.3f; %d wrong\n", Cells,
              Cells ? std::exp(LogAll / Cells) : 0, WorstOfAll, Wrong);
  return Wrong != 0;
}
