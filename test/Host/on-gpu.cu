// On a GPU: graphs whose nodes were captured with one block size and run with
// others give stock's results, whatever builds launches take otherwise, a
// kernel's first launch may be a captured one, and a launch that could take a
// build never has to load it while another kernel waits for that launch.
// REQUIRES: clang-cuda, gpu
// RUN: %launches %s -o %t.exe -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: env REGDEM_LAUNCH=stock %t.exe > %t.stock
// RUN: FileCheck %s < %t.stock
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH_LOG=%t.log %t.exe > %t.predicted
// RUN: cmp %t.stock %t.predicted
// RUN: env REGDEM_LAUNCH=1 REGDEM_LAUNCH_LOG=%t.log %t.exe > %t.forced
// RUN: cmp %t.stock %t.forced
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log %t.exe > %t.measured
// RUN: cmp %t.stock %t.measured
// RUN: grep -q '"build":[1-9]' %t.log
// So it is where device code is linked.
// RUN: %launches -fgpu-rdc -c %s -o %t.o
// RUN: %clang --offload-link --cuda-path=%cuda %t.o -o %t.linked -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH=1 REGDEM_LAUNCH_LOG=%t.log %t.linked > %t.forced
// RUN: cmp %t.stock %t.forced
// RUN: grep -q '"build":[1-9]' %t.log
// CHECK: waiting kernel: went on
// CHECK: error 0
#include "Inputs/walk.h"
#include <cstdio>
#include <vector>

/// Blocks of 512, 600 and 1024 threads divide it.
static const unsigned Threads = 10 * 76800;
static const unsigned Waiting = 44, Rows = Threads / 32;
static unsigned *Cold, *Row, *Result;

__device__ __forceinline__ void work(const unsigned *Cold, const unsigned *Rows,
                                     unsigned *Result, int Threads,
                                     unsigned *Own) {
  Own[threadIdx.x] = Threads + threadIdx.x;
  __syncthreads();
  walk<Waiting>(Cold, Rows, Result, Threads);
  Result[blockIdx.x * blockDim.x + threadIdx.x] += Own[threadIdx.x ^ 1];
}

// Own[] lies below the slots of a build in shared memory.
__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  __shared__ unsigned Own[4096];
  work(Cold, Rows, Result, Threads, Own);
}

__global__ void capturedFirst(const unsigned *Cold, const unsigned *Rows,
                              unsigned *Result, int Threads) {
  __shared__ unsigned Own[2048];
  work(Cold, Rows, Result, Threads, Own);
}

/// Waits for Flag, five seconds at most, and says whether it came.
__global__ void waitFor(volatile int *Flag, int *Came) {
  unsigned long long Start, Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now));
  while (!*Flag && Now - Start < 5000000000);
  *Came = *Flag;
}
__global__ void raise(volatile int *Flag) { *Flag = 1; }

static void show(const char *What, unsigned Block) {
  std::vector<unsigned> Words(Threads);
  cudaDeviceSynchronize();
  cudaMemcpy(Words.data(), Result, Threads * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  cudaMemset(Result, 0, Threads * sizeof(unsigned));
  unsigned long long Sum = 0;
  for (unsigned Word : Words)
    Sum = (Sum ^ Word) * 0x9E3779B97F4A7C15u;
  std::printf("%s %u: %llx\n", What, Block, Sum);
}

static void waitWhileLaunched() {
  int *Flag;
  cudaMalloc(&Flag, 2 * sizeof(int));
  cudaMemset(Flag, 0, 2 * sizeof(int));
  cudaStream_t One, Other;
  cudaStreamCreateWithFlags(&One, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking);
  // All kernels have been launched, as CUDA asks for, step without a build.
  step<<<1, 32>>>(Cold, Row, Result, Threads);
  raise<<<1, 1>>>(Flag);
  waitFor<<<1, 1>>>(Flag, Flag + 1);
  cudaMemset(Flag, 0, 2 * sizeof(int));
  cudaDeviceSynchronize();
  waitFor<<<1, 1, 0, One>>>(Flag, Flag + 1);
  step<<<Threads / 512, 512, 0, Other>>>(Cold, Row, Result, Threads);
  raise<<<1, 1, 0, Other>>>(Flag);
  int Came = 0;
  cudaDeviceSynchronize();
  cudaMemcpy(&Came, Flag + 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("waiting kernel: %s\n", Came ? "went on" : "gave up");
}

static void captureAndEdit(const char *Name, void (*Launch)(cudaStream_t)) {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
  Launch(Stream);
  cudaGraph_t Graph;
  cudaStreamEndCapture(Stream, &Graph);
  cudaGraphNode_t Node;
  size_t One = 1;
  cudaGraphGetNodes(Graph, &Node, &One);
  for (unsigned Block : {512, 600, 1024}) {
    cudaKernelNodeParams Params;
    cudaGraphKernelNodeGetParams(Node, &Params);
    Params.blockDim = dim3(Block);
    Params.gridDim = dim3(Threads / Block);
    cudaGraphKernelNodeSetParams(Node, &Params);
    cudaGraphExec_t Run;
    cudaGraphInstantiate(&Run, Graph, 0);
    cudaGraphLaunch(Run, Stream);
    show(Name, Block);
  }
}

int main() {
  std::vector<unsigned> Words(Waiting * Threads);
  unsigned State = 12345;
  auto Next = [&State] { return State = State * 1664525u + 1013904223u; };
  for (unsigned &Word : Words)
    Word = Next();
  cudaMalloc(&Cold, Words.size() * sizeof(unsigned));
  cudaMalloc(&Row, Threads * sizeof(unsigned));
  cudaMalloc(&Result, Threads * sizeof(unsigned));
  cudaMemcpy(Cold, Words.data(), Words.size() * sizeof(unsigned),
             cudaMemcpyHostToDevice);
  for (unsigned I = 0; I != Threads; ++I)
    Words[I] = (Next() >> 8) % Rows << 12 | Next() >> 20;
  cudaMemcpy(Row, Words.data(), Threads * sizeof(unsigned),
             cudaMemcpyHostToDevice);
  waitWhileLaunched();
  show("launched", 512);
  captureAndEdit("first captured", [](cudaStream_t Stream) {
    capturedFirst<<<Threads / 512, 512, 0, Stream>>>(Cold, Row, Result,
                                                     Threads);
  });
  captureAndEdit("captured", [](cudaStream_t Stream) {
    step<<<Threads / 512, 512, 0, Stream>>>(Cold, Row, Result, Threads);
  });
  std::printf("error %d\n", cudaGetLastError());
}
