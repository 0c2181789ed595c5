//===- device.h - the CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few calls of libcuda.so.1 that gpu_check needs, found with dlsym and
// declared here, so that neither building nor running needs the toolkit. The
// names and types are those of the driver API's reference; "_v2" is the name
// under which the library exports the 64-bit form of a call.
//
// A failed call leaves a message in error(). After a fault inside a kernel
// the context is lost, and with it the process's use of the device.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_GPU_DEVICE_H
#define REGDEM_FUZZ_GPU_DEVICE_H

#include "input.h"
#include <chrono>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

using CUresult = int;
using CUdevice = int;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUdeviceptr = unsigned long long;

class Device {
public:
  explicit Device(unsigned LimitSeconds) : LimitSeconds(LimitSeconds) {}

  bool open() {
    void *Library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!Library) {
      Message = "cannot load libcuda.so.1 (is there a CUDA driver?)";
      return false;
    }
    bool Found = find(Library, "cuInit", Init) &&
                 find(Library, "cuDeviceGet", Get) &&
                 find(Library, "cuDeviceGetName", GetName) &&
                 find(Library, "cuCtxCreate_v2", CtxCreate) &&
                 find(Library, "cuModuleLoadData", ModuleLoad) &&
                 find(Library, "cuModuleUnload", ModuleUnload) &&
                 find(Library, "cuModuleGetFunction", GetFunction) &&
                 find(Library, "cuFuncSetAttribute", FuncSetAttribute) &&
                 find(Library, "cuMemAlloc_v2", MemAlloc) &&
                 find(Library, "cuMemcpyHtoD_v2", CopyIn) &&
                 find(Library, "cuMemcpyDtoH_v2", CopyOut) &&
                 find(Library, "cuLaunchKernel", Launch) &&
                 find(Library, "cuStreamQuery", StreamQuery) &&
                 find(Library, "cuGetErrorName", ErrorName);
    if (!Found)
      return false;
    char Text[128] = "";
    if (!ok(Init(0), "cuInit") || !ok(Get(&Id, 0), "cuDeviceGet") ||
        !ok(GetName(Text, sizeof(Text), Id), "cuDeviceGetName"))
      return false;
    Name = Text;
    return createContext();
  }

  CUmodule load(const std::string &Path) {
    std::ifstream File(Path, std::ios::binary);
    std::vector<char> Image((std::istreambuf_iterator<char>(File)),
                            std::istreambuf_iterator<char>());
    CUmodule Module = nullptr;
    if (Image.empty()) {
      Message = "cannot read " + Path;
      return nullptr;
    }
    return ok(ModuleLoad(&Module, Image.data()), "cuModuleLoadData") ? Module
                                                                     : nullptr;
  }

  void unload(CUmodule Module) { ModuleUnload(Module); }

  /// Runs kernel(const unsigned *in, unsigned *out, unsigned n) and waits for
  /// it, for LimitSeconds at most. Out goes in with its contents and comes
  /// back.
  bool run(CUmodule Module, const char *Kernel, const unsigned (&Grid)[3],
           const unsigned (&Block)[3], unsigned SharedBytes,
           const std::vector<unsigned> &In, std::vector<unsigned> &Out,
           unsigned N) {
    CUfunction Function = nullptr;
    const int MaxDynamicSharedBytes = 8; // CU_FUNC_ATTRIBUTE_...
    if (In.size() > BufferWords || Out.size() > BufferWords) {
      Message = "buffer too small";
      return false;
    }
    auto Arguments = argumentsOf(N);
    void *Parameters[] = {&InBuffer, &OutBuffer, Arguments.data()};
    return ok(GetFunction(&Function, Module, Kernel), "cuModuleGetFunction") &&
           ok(FuncSetAttribute(Function, MaxDynamicSharedBytes,
                               static_cast<int>(SharedBytes)),
              "cuFuncSetAttribute") &&
           ok(CopyIn(InBuffer, In.data(), In.size() * 4), "cuMemcpyHtoD") &&
           ok(CopyIn(OutBuffer, Out.data(), Out.size() * 4), "cuMemcpyHtoD") &&
           ok(Launch(Function, Grid[0], Grid[1], Grid[2], Block[0], Block[1],
                     Block[2], SharedBytes, nullptr, Parameters, nullptr),
              "cuLaunchKernel") &&
           wait() &&
           ok(CopyOut(Out.data(), OutBuffer, Out.size() * 4), "cuMemcpyDtoH");
  }

  /// True after a kernel that did not end: nothing can stop it but the end of
  /// the process, and calls that wait for the device would wait with it.
  bool hung() const { return Hung; }

  const std::string &error() const { return Message; }
  const std::string &name() const { return Name; }

private:
  static constexpr size_t BufferWords = 1 << 20;
  static constexpr CUresult NotReady = 600; // CUDA_ERROR_NOT_READY

  template <typename T> bool find(void *Library, const char *Symbol, T &Entry) {
    Entry = reinterpret_cast<T>(dlsym(Library, Symbol));
    if (!Entry)
      Message = std::string("libcuda.so.1 has no ") + Symbol;
    return Entry != nullptr;
  }

  bool ok(CUresult Result, const char *Call) {
    if (Result == 0)
      return true;
    const char *Text = nullptr;
    ErrorName(Result, &Text);
    Message = std::string(Call) + ": " +
              (Text ? std::string(Text) : "error " + std::to_string(Result));
    return false;
  }

  bool createContext() {
    return ok(CtxCreate(&Context, 0, Id), "cuCtxCreate") &&
           ok(MemAlloc(&InBuffer, BufferWords * 4), "cuMemAlloc") &&
           ok(MemAlloc(&OutBuffer, BufferWords * 4), "cuMemAlloc");
  }

  bool wait() {
    auto End =
        std::chrono::steady_clock::now() + std::chrono::seconds(LimitSeconds);
    CUresult Result;
    while ((Result = StreamQuery(nullptr)) == NotReady) {
      if (std::chrono::steady_clock::now() > End) {
        Message = "kernel did not end";
        Hung = true;
        return false;
      }
      std::this_thread::yield();
    }
    return ok(Result, "kernel");
  }

  CUresult (*Init)(unsigned) = nullptr;
  CUresult (*Get)(CUdevice *, int) = nullptr;
  CUresult (*GetName)(char *, int, CUdevice) = nullptr;
  CUresult (*CtxCreate)(CUcontext *, unsigned, CUdevice) = nullptr;
  CUresult (*ModuleLoad)(CUmodule *, const void *) = nullptr;
  CUresult (*ModuleUnload)(CUmodule) = nullptr;
  CUresult (*GetFunction)(CUfunction *, CUmodule, const char *) = nullptr;
  CUresult (*FuncSetAttribute)(CUfunction, int, int) = nullptr;
  CUresult (*MemAlloc)(CUdeviceptr *, size_t) = nullptr;
  CUresult (*CopyIn)(CUdeviceptr, const void *, size_t) = nullptr;
  CUresult (*CopyOut)(void *, CUdeviceptr, size_t) = nullptr;
  CUresult (*Launch)(CUfunction, unsigned, unsigned, unsigned, unsigned,
                     unsigned, unsigned, unsigned, CUstream, void **,
                     void **) = nullptr;
  CUresult (*StreamQuery)(CUstream) = nullptr;
  CUresult (*ErrorName)(CUresult, const char **) = nullptr;
  unsigned LimitSeconds;
  CUdevice Id = 0;
  CUcontext Context = nullptr;
  CUdeviceptr InBuffer = 0, OutBuffer = 0;
  bool Hung = false;
  std::string Message, Name;
};

#endif
