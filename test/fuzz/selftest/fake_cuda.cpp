//===- fake_cuda.cpp - a CUDA driver without a device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcuda.so.1 in the test of gpu_check. Kernels leave the
// output as it is; the variable FAKE_CUDA, "KERNEL:BUILD:WHAT ...", lets some
// do WHAT instead: fault, hang, die (the process), wrong (one word), or random
// (another word each time). The first module that a process loads is stock's,
// the next RegDem's, and so on.
//
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {
struct Module {
  bool Stock;
  std::string Kernel;
};
int Status = 0;
unsigned Launches = 0;

std::string planned(const Module &M) {
  const char *Plan = std::getenv("FAKE_CUDA");
  std::istringstream Words(Plan ? Plan : "");
  std::string Word, Prefix = M.Kernel + (M.Stock ? ":stock:" : ":regdem:");
  while (Words >> Word)
    if (Word.compare(0, Prefix.size(), Prefix) == 0)
      return Word.substr(Prefix.size());
  return "";
}
} // namespace

extern "C" {
int cuInit(unsigned) { return 0; }
int cuDeviceGet(int *Device, int) { return *Device = 0; }
int cuDeviceGetName(char *Name, int, int) {
  std::strcpy(Name, "Fake GPU");
  return 0;
}
int cuCtxCreate_v2(void **, unsigned, int) { return 0; }
int cuModuleLoadData(Module **M, const void *) {
  static bool Stock = false;
  Stock = !Stock;
  *M = new Module{Stock, ""};
  return 0;
}
int cuModuleUnload(Module *M) {
  delete M;
  return 0;
}
int cuModuleGetFunction(Module **Function, Module *M, const char *Name) {
  M->Kernel = Name;
  *Function = M;
  return 0;
}
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuMemAlloc_v2(unsigned long long *Address, size_t Bytes) {
  *Address = reinterpret_cast<unsigned long long>(std::calloc(Bytes, 1));
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long To, const void *From, size_t Bytes) {
  std::memcpy(reinterpret_cast<void *>(To), From, Bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *To, unsigned long long From, size_t Bytes) {
  std::memcpy(To, reinterpret_cast<const void *>(From), Bytes);
  return 0;
}
int cuLaunchKernel(Module *M, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void *, void **Parameters, void **) {
  unsigned *Out = *static_cast<unsigned **>(Parameters[1]);
  std::string What = planned(*M);
  Status = What == "hang" ? 600 : What == "fault" ? 700 : 0;
  if (What == "die")
    std::abort();
  if (What == "wrong")
    Out[3] ^= 1;
  if (What == "random")
    Out[4] ^= ++Launches;
  return 0;
}
int cuStreamQuery(void *) { return Status; }
int cuGetErrorName(int, const char **Text) {
  *Text = "CUDA_ERROR_ILLEGAL_ADDRESS";
  return 0;
}
}
