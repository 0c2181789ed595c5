//===- CudaDriver.cpp - the CUDA driver, found at run time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/CudaDriver.h"
#include "common/Device.h"
#include <dlfcn.h>

using namespace bench;

#define BENCH_STRING(Name) BENCH_STRING_EXPANDED(Name)
#define BENCH_STRING_EXPANDED(Name) #Name

static CudaDriver openDriver() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    fatal("no CUDA driver on this machine (libcuda.so.1 not found)");
  CudaDriver Driver;
  auto Find = [Library](const char *Name) {
    void *Symbol = dlsym(Library, Name);
    if (!Symbol)
      fatal(std::string("the CUDA driver lacks ") + Name);
    return Symbol;
  };
#define BENCH_LOAD(Name)                                                       \
  Driver.Name##_ =                                                             \
      reinterpret_cast<decltype(Driver.Name##_)>(Find(BENCH_STRING(Name)));
  BENCH_DRIVER_FUNCTIONS(BENCH_LOAD)
#undef BENCH_LOAD
  return Driver;
}

const CudaDriver &bench::cudaDriver() {
  static const CudaDriver Driver = openDriver();
  return Driver;
}

void bench::checkCuda(CUresult Result, const char *Call) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Text = nullptr;
  cudaDriver().cuGetErrorString_(Result, &Text);
  fatal(std::string(Call) + ": " + (Text ? Text : "unknown error"));
}
