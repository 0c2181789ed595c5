//===- Check.cpp - stock launches against launches that choose ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches each kernel with blocks of ten sizes and grids of one block to
// sixteen per SM: stock's, those that choose, and each build by itself, by
// turns, on random data. Compares all results bit for bit, and prints the time
// over stock's for each size, mean and worst over the grids, and the cells that
// lose most. Blocks of odd sizes are compared, too. Exit status 1 if a result
// or an error differs.
//
// Check [--results|--quick|--measure|--again|--control] [--csv FILE]
// [--launches N] [KERNEL…]:
// these kernels only. --results: no times; --quick: nor any but small grids, as
// for compute-sanitizer. --measure: with launches that measure, 200 of a kind,
// what they take over stock's, and what they chose over the best of all builds.
// --again: the former for launches of less than 0.1 ms, and nothing else.
// --control: the same with launches that always take the kernel; so much is
// noise. --launches: so many of a kind instead of 200.
//
// Link with -Wl,--wrap=cudaLaunchKernel, which shows what a launch takes.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr unsigned Sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr unsigned OddSizes[] = {1, 17, 33, 100, 225, 250, 300, 513, 777, 1000};
constexpr unsigned MostBlocksPerSM = 16;
constexpr unsigned Rounds = 9;            ///< Of which the medians count.
constexpr float LeastMilliseconds = 0.3f; ///< That a timed batch lasts.
unsigned MeasuredLaunches = 200;          ///< Of each kind, for --measure.
constexpr unsigned SettledBy = 40,        ///< After these it is settled.
    MeasuredBatch = 10;                   ///< The program waits after each.
constexpr float MostMeasured = 2, ///< Milliseconds of a launch for --measure;
    MostMeasuredAgain = 0.1f;     ///< those that differ from run to run.
constexpr size_t WorstShown = 30;

/// How a kernel is launched. Ways are timed in this order and back: a build
/// with another carve-out slows the batch that follows, which is none of those
/// that are compared with stock's.
enum Way { Stock, Choosing, StockAgain, Build1, Build2, Build3, NumWays };
constexpr const char *WayNames[NumWays] = {"stock",  "choosing", "stock_again",
                                           "build1", "build2",   "build3"};
const NamedLauncher *const Kernels[NumWays] = {StockKernels,  ChoosingKernels,
                                               StockKernels,  Build1Kernels,
                                               Build2Kernels, Build3Kernels};

/// What the last launch took.
const void *LastStub;
size_t LastShared;

} // namespace

extern "C" cudaError_t __real_cudaLaunchKernel(const void *, dim3, dim3,
                                               void **, size_t, cudaStream_t);
extern "C" cudaError_t __wrap_cudaLaunchKernel(const void *Stub, dim3 Grid,
                                               dim3 Block, void **Args,
                                               size_t Shared,
                                               cudaStream_t Stream) {
  LastStub = Stub;
  LastShared = Shared;
  return __real_cudaLaunchKernel(Stub, Grid, Block, Args, Shared, Stream);
}

namespace {

void require(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

/// The number of the build that the last launch took; 0 for the kernel.
unsigned lastBuild() {
  const char *Name = nullptr;
  require(cudaFuncGetName(&Name, LastStub), "name");
  const char *Suffix = std::strstr(Name, "$regdem");
  return Suffix ? static_cast<unsigned>(std::atoi(Suffix + 7)) : 0;
}

/// Blocks of what the last launch took that an SM holds.
int lastBlocksPerSM(unsigned Size) {
  int Blocks = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &Blocks, LastStub, static_cast<int>(Size), LastShared),
          "occupancy");
  return Blocks;
}

struct Buffers {
  unsigned *In, *Out[2];
  size_t OutWords;
};

struct Timer {
  cudaEvent_t Start, Stop;
  cudaStream_t Stream;
};

/// A kernel at one block size and grid.
struct Cell {
  unsigned Kernel, Size, Blocks;
  int OnSM = 1;                  ///< Blocks that an SM gets.
  unsigned Chosen = 0;           ///< The build that launches take which choose.
  int BlocksPerSM[NumWays] = {}; ///< 0: this way is another's equal.
  float Time[NumWays] = {}, Spread[NumWays] = {}; ///< Median and quartiles.
  float Total = 0;      ///< --measure: of all launches, over stock's.
  float FirstTotal = 0; ///< Of those in which it settles.

  const char *name() const { return StockKernels[Kernel].Name; }
  /// Time of what was chosen over stock's.
  float ratio() const { return Time[Choosing] / Time[Stock]; }
  /// Whether the GPU has room for all blocks of W at a time if it has for all
  /// of stock's, which may wait for each other.
  bool hasRoom(int W) const {
    return OnSM <= BlocksPerSM[W] || OnSM > BlocksPerSM[Stock];
  }
  /// The build that takes least time; 0 for stock's.
  unsigned best() const {
    unsigned Best = 0;
    float Least = Time[Stock];
    for (int W = Build1; W != NumWays; ++W)
      if (Time[W] > 0 && Time[W] < Least && hasRoom(W)) {
        Best = static_cast<unsigned>(W - Build1 + 1);
        Least = Time[W];
      }
    return Best;
  }
  float timeOf(unsigned Build) const {
    return Build ? Time[Build1 + Build - 1] : Time[Stock];
  }
};

cudaError_t launch(const Timer &T, const Cell &C, int W, const Buffers &B,
                   unsigned *Out) {
  return Kernels[W][C.Kernel].Launch(C.Blocks, C.Size, B.In, Out, T.Stream);
}

/// Milliseconds that Count launches take.
float timeLaunches(const Timer &T, const Cell &C, int W, const Buffers &B,
                   unsigned Count) {
  require(cudaEventRecord(T.Start, T.Stream), "record");
  for (unsigned I = 0; I != Count; ++I)
    require(launch(T, C, W, B, B.Out[0]), "launch");
  require(cudaEventRecord(T.Stop, T.Stream), "record");
  require(cudaEventSynchronize(T.Stop), "run");
  float Milliseconds = 0;
  require(cudaEventElapsedTime(&Milliseconds, T.Start, T.Stop), "elapsed");
  return Milliseconds;
}

/// Times all ways of C that are there, by turns.
void timeWays(const Timer &T, Cell &C, const Buffers &B) {
  float Once = timeLaunches(T, C, Stock, B, 2) / 2;
  unsigned Count = static_cast<unsigned>(
      std::clamp(LeastMilliseconds / std::max(Once, 1e-4f), 1.0f, 200.0f));
  std::vector<float> Times[NumWays];
  for (unsigned R = 0; R != Rounds; ++R)
    for (int I = 0; I != NumWays; ++I) {
      int W = R % 2 ? NumWays - 1 - I : I;
      if (C.BlocksPerSM[W])
        Times[W].push_back(timeLaunches(T, C, W, B, Count) / Count);
    }
  for (int W = 0; W != NumWays; ++W)
    if (!Times[W].empty()) {
      std::sort(Times[W].begin(), Times[W].end());
      C.Time[W] = Times[W][Rounds / 2];
      C.Spread[W] =
          (Times[W][3 * Rounds / 4] - Times[W][Rounds / 4]) / C.Time[W];
    }
}

/// Whether all ways give the same error and the same words in all of Out, or,
/// where stock cannot be launched, those that can give the same words. Sets
/// what they took.
bool agree(const Timer &T, Cell &C, const Buffers &B, bool &Runs) {
  size_t Words = std::min<size_t>(size_t(C.Blocks) * C.Size + 1024, B.OutWords);
  std::vector<unsigned> Results[2], WithoutStock;
  cudaError_t StockError = cudaSuccess;
  bool Agree = true;
  for (int W : {Stock, Choosing, Build1, Build2, Build3}) {
    unsigned *Out = B.Out[W != Stock];
    require(cudaMemsetAsync(Out, 0xa5, Words * 4, T.Stream), "set");
    cudaError_t Error = launch(T, C, W, B, Out);
    unsigned Build = Error == cudaSuccess ? lastBuild() : 0;
    int BlocksPerSM = Error == cudaSuccess ? lastBlocksPerSM(C.Size) : 0;
    require(cudaStreamSynchronize(T.Stream), "run");
    std::vector<unsigned> &Result = Results[W != Stock];
    Result.resize(Words);
    require(cudaMemcpy(Result.data(), Out, Words * 4, cudaMemcpyDeviceToHost),
            "copy");
    if (W == Stock) {
      StockError = Error;
      C.BlocksPerSM[StockAgain] = BlocksPerSM;
    } else if (StockError == cudaSuccess || Error != cudaSuccess) {
      Agree &= Error == StockError && Results[0] == Results[1];
    } else {
      if (WithoutStock.empty())
        WithoutStock = Result;
      Agree &= Result == WithoutStock;
    }
    if (W == Choosing)
      C.Chosen = Build;
    if (W <= Choosing || Build)
      C.BlocksPerSM[W] = BlocksPerSM;
  }
  Runs = StockError == cudaSuccess;
  return Agree;
}

/// A launch that chooses works in a graph as elsewhere.
bool agreeInGraph(const Timer &T, const Cell &C, const Buffers &B) {
  std::vector<unsigned> Results[2];
  for (int I = 0; I != 2; ++I) {
    cudaGraph_t Graph;
    cudaGraphExec_t Exec;
    size_t Words = size_t(C.Blocks) * C.Size;
    require(cudaStreamBeginCapture(T.Stream, cudaStreamCaptureModeGlobal),
            "capture");
    require(launch(T, C, I ? Choosing : Stock, B, B.Out[I]), "launch");
    require(cudaStreamEndCapture(T.Stream, &Graph), "end of capture");
    require(cudaGraphInstantiate(&Exec, Graph, 0), "graph");
    require(cudaMemset(B.Out[I], 0xa5, Words * 4), "set");
    require(cudaGraphLaunch(Exec, T.Stream), "graph launch");
    require(cudaStreamSynchronize(T.Stream), "run");
    Results[I].resize(Words);
    require(cudaMemcpy(Results[I].data(), B.Out[I], Words * 4,
                       cudaMemcpyDeviceToHost),
            "copy");
    require(cudaGraphExecDestroy(Exec), "destroy");
    require(cudaGraphDestroy(Graph), "destroy");
  }
  return Results[0] == Results[1];
}

/// The launches of a program that waits now and then for results, stock's and
/// measuring ones by turns. False where they take longer than Most.
bool timeMeasuring(const Timer &T, Cell &C, const Buffers &B, float Most) {
  C.Time[Stock] = timeLaunches(T, C, Stock, B, 1);
  if (C.Time[Stock] > Most)
    return false;
  std::array<float, 2> Total = {}, First = {};
  for (unsigned I = 0; I != MeasuredLaunches; I += MeasuredBatch)
    for (unsigned Turn = 0; Turn != 2; ++Turn) {
      unsigned IsMeasuring = (I / MeasuredBatch + Turn) % 2;
      float Time =
          timeLaunches(T, C, IsMeasuring ? Choosing : Stock, B, MeasuredBatch);
      Total[IsMeasuring] += Time;
      if (I < SettledBy)
        First[IsMeasuring] += Time;
      if (IsMeasuring && I + MeasuredBatch == SettledBy)
        C.Chosen = lastBuild();
    }
  C.Time[Stock] = Total[0] / MeasuredLaunches;
  C.Total = Total[1] / Total[0];
  C.FirstTotal = First[1] / First[0];
  C.BlocksPerSM[Choosing] = 0; // Timed as the build that it is.
  return true;
}

/// Has each copy of the launches that choose read its own REGDEM_LAUNCH, which
/// is Chosen for those that choose.
void readModes(const Timer &T, const Buffers &B, const char *Chosen) {
  const char *Old = std::getenv("REGDEM_LAUNCH");
  std::string Kept = Chosen ? Chosen : Old ? Old : "predict";
  for (int W : {Build1, Build2, Build3, Choosing}) {
    std::string Mode = W == Choosing ? Kept : std::to_string(W - Build1 + 1);
    setenv("REGDEM_LAUNCH", Mode.c_str(), 1);
    launch(T, Cell{0, 31, 1}, W, B, B.Out[0]);
  }
  require(cudaStreamSynchronize(T.Stream), "run");
}

void writeCSV(const char *FileName, const std::vector<Cell> &Cells) {
  std::FILE *File = std::fopen(FileName, "w");
  if (!File) {
    std::perror(FileName);
    std::exit(1);
  }
  std::fprintf(File, "kernel,block,grid,chosen,total,first_total");
  for (const char *Name : WayNames)
    std::fprintf(File, ",%s_blocks,%s_ms,%s_spread", Name, Name, Name);
  std::fprintf(File, "\n");
  for (const Cell &C : Cells) {
    std::fprintf(File, "%s,%u,%u,%u,%.4f,%.4f", C.name(), C.Size, C.Blocks,
                 C.Chosen, C.Total, C.FirstTotal);
    for (int W = 0; W != NumWays; ++W)
      std::fprintf(File, ",%d,%.6f,%.4f", C.BlocksPerSM[W], C.Time[W],
                   C.Spread[W]);
    std::fprintf(File, "\n");
  }
  std::fclose(File);
}

/// Prints mean and worst of Loss, and the cells for which it is greatest.
void printWorst(std::vector<Cell> Cells, const char *What,
                const std::function<float(const Cell &)> &Loss) {
  if (Cells.empty())
    return;
  std::sort(Cells.begin(), Cells.end(),
            [&](const Cell &A, const Cell &B) { return Loss(A) > Loss(B); });
  double Log = 0;
  for (const Cell &C : Cells)
    Log += std::log(Loss(C));
  std::printf("\n%s: mean %.4f, worst %.3f; worst cells:\n"
              "kernel    block  grid      %%  chosen best  stock_ms again%%"
              "   b1%%   b2%%   b3%%  blocks/SM (stock, b1..3)\n",
              What, std::exp(Log / Cells.size()), Loss(Cells.front()));
  for (size_t I = 0; I != std::min(WorstShown, Cells.size()); ++I) {
    const Cell &C = Cells[I];
    std::printf("%-9s %5u %5u %6.1f %7u %4u %9.4f", C.name(), C.Size, C.Blocks,
                100 * Loss(C), C.Chosen, C.best(), C.Time[Stock]);
    for (int W : {StockAgain, Build1, Build2, Build3})
      if (C.Time[W] > 0)
        std::printf(" %5.1f", 100 * C.Time[W] / C.Time[Stock]);
      else
        std::printf("     -");
    std::printf("  %d %d %d %d\n", C.BlocksPerSM[Stock], C.BlocksPerSM[Build1],
                C.BlocksPerSM[Build2], C.BlocksPerSM[Build3]);
  }
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
  bool IsQuick = false, ResultsOnly = false, IsMeasuring = false,
       IsAgain = false;
  const char *Mode = nullptr;
  const char *CSV = nullptr;
  while (!Wanted.empty() && Wanted[0][0] == '-') {
    std::string Option = Wanted[0];
    Wanted.erase(Wanted.begin());
    IsQuick |= Option == "--quick";
    ResultsOnly |= Option == "--quick" || Option == "--results";
    IsAgain |= Option == "--again" || Option == "--control";
    IsMeasuring |= Option == "--measure" || IsAgain;
    if (Option == "--control")
      Mode = "stock";
    else if (IsMeasuring && !Mode)
      Mode = "measure";
    if ((Option == "--csv" || Option == "--launches") && !Wanted.empty()) {
      if (Option == "--csv")
        CSV = Wanted[0];
      else
        MeasuredLaunches = static_cast<unsigned>(std::atoi(Wanted[0]));
      Wanted.erase(Wanted.begin());
    }
  }
  int SMs = 0, Wrong = 0;
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

  readModes(T, B, Mode);

  const unsigned S = static_cast<unsigned>(SMs);
  std::vector<unsigned> Grids = {1u,        S / 2, S,     2 * S,
                                 3 * S + 7, 4 * S, 8 * S, 16 * S};
  if (IsQuick)
    Grids = {1, 5};
  if (IsMeasuring)
    Grids = {1, S, 4 * S, 16 * S};
  std::printf("time over stock's, mean/worst of %zu grids, by block size\n%-9s",
              Grids.size(), "kernel");
  for (unsigned Size : Sizes)
    std::printf(" %9u", Size);
  std::printf("  all\n");
  std::vector<Cell> Cells;
  for (unsigned K = 0; K != NumKernels; ++K) {
    const char *Name = StockKernels[K].Name;
    if (!isWanted(Name, Wanted))
      continue;
    std::printf("%-9s", Name);
    auto Check = [&](Cell &C) {
      bool Runs = false;
      if (!agree(T, C, B, Runs)) {
        ++Wrong;
        std::fprintf(stderr, "%s <<<%u, %u>>>: results differ\n", Name,
                     C.Blocks, C.Size);
      }
      return Runs;
    };
    double LogOfKernel = 0;
    int CellsOfKernel = 0;
    for (unsigned Size : Sizes) {
      double Log = 0;
      float Worst = 0;
      int Counted = 0;
      for (unsigned Blocks : Grids) {
        Cell C{K, Size, Blocks, (static_cast<int>(Blocks) + SMs - 1) / SMs};
        if (!Check(C) || ResultsOnly ||
            (IsMeasuring &&
             !timeMeasuring(T, C, B,
                            IsAgain ? MostMeasuredAgain : MostMeasured)))
          continue;
        if (!IsAgain)
          timeWays(T, C, B);
        float Ratio = IsMeasuring ? C.Total : C.ratio();
        Worst = std::max(Worst, Ratio);
        Log += std::log(Ratio);
        ++Counted;
        Cells.push_back(C);
      }
      if (Counted)
        std::printf(" %.2f/%.2f", std::exp(Log / Counted), Worst);
      else
        std::printf(" %9s", "-");
      std::fflush(stdout);
      LogOfKernel += Log;
      CellsOfKernel += Counted;
    }
    for (unsigned Size : OddSizes)
      for (unsigned Blocks : {Grids.front(), Grids.back()})
        if (Cell C{K, Size, Blocks}; !IsAgain)
          Check(C);
    std::printf("  %.3f\n",
                CellsOfKernel ? std::exp(LogOfKernel / CellsOfKernel) : 0);
    if (!agreeInGraph(T, Cell{K, 256, Grids.back()}, B)) {
      ++Wrong;
      std::fprintf(stderr, "%s in a graph: results differ\n", Name);
    }
  }
  if (CSV)
    writeCSV(CSV, Cells);
  if (!IsMeasuring) {
    printWorst(Cells, "chosen over stock's",
               [](const Cell &C) { return C.ratio(); });
  } else {
    printWorst(Cells, "all launches over stock's, the measuring included",
               [](const Cell &C) { return C.Total; });
    if (!IsAgain)
      printWorst(Cells, "chosen over the best of all", [](const Cell &C) {
        return C.timeOf(C.Chosen) / C.timeOf(C.best());
      });
  }
  std::printf("%zu cells, %d wrong\n", Cells.size(), Wrong);
  return Wrong != 0;
}
