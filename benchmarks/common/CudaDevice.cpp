//===- CudaDevice.cpp - runs kernels on the first CUDA device -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The default stream of the device's primary context, plain cuMemAlloc, no
// cache preference: kernels run as in an ordinary program.
//
//===----------------------------------------------------------------------===//

#include "common/CudaDriver.h"
#include "common/Device.h"
#include <map>

using namespace bench;

#define BENCH_CUDA(Name, ...)                                                  \
  checkCuda(cudaDriver().Name##_(__VA_ARGS__), #Name)

namespace {

class CudaModule : public Module {
public:
  explicit CudaModule(const std::string &Path) : Path(Path) {
    CUresult Result = cudaDriver().cuModuleLoad_(&Handle, Path.c_str());
    checkCuda(Result, ("cuModuleLoad " + Path).c_str());
  }
  ~CudaModule() override { cudaDriver().cuModuleUnload_(Handle); }

  CUfunction function(const std::string &Kernel) {
    CUfunction &F = Functions[Kernel];
    if (!F)
      checkCuda(cudaDriver().cuModuleGetFunction_(&F, Handle, Kernel.c_str()),
                (Path + ": kernel " + Kernel).c_str());
    return F;
  }

  KernelAttributes attributes(const std::string &Kernel,
                              unsigned ThreadsPerBlock) override {
    CUfunction F = function(Kernel);
    KernelAttributes A;
    BENCH_CUDA(cuFuncGetAttribute, &A.Registers, CU_FUNC_ATTRIBUTE_NUM_REGS, F);
    BENCH_CUDA(cuFuncGetAttribute, &A.LocalBytes,
               CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, F);
    BENCH_CUDA(cuFuncGetAttribute, &A.StaticShared,
               CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, F);
    BENCH_CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor, &A.BlocksPerSM, F,
               int(ThreadsPerBlock), 0);
    return A;
  }

private:
  std::string Path;
  CUmodule Handle = nullptr;
  std::map<std::string, CUfunction> Functions;
};

class CudaBuffer : public Buffer {
public:
  explicit CudaBuffer(size_t Bytes) : Bytes(Bytes) {
    BENCH_CUDA(cuMemAlloc, &Address, Bytes);
  }
  ~CudaBuffer() override { cudaDriver().cuMemFree_(Address); }
  void upload(const void *Source) override {
    BENCH_CUDA(cuMemcpyHtoD, Address, Source, Bytes);
  }
  void download(void *Target) override {
    BENCH_CUDA(cuMemcpyDtoH, Target, Address, Bytes);
  }
  void fill(unsigned char Byte) override {
    BENCH_CUDA(cuMemsetD8, Address, Byte, Bytes);
  }

  CUdeviceptr Address = 0;

private:
  size_t Bytes;
};

class CudaDevice : public Device {
public:
  CudaDevice() {
    BENCH_CUDA(cuInit, 0);
    BENCH_CUDA(cuDeviceGet, &Handle, 0);
    CUcontext Context = nullptr;
    BENCH_CUDA(cuDevicePrimaryCtxRetain, &Context, Handle);
    BENCH_CUDA(cuCtxSetCurrent, Context);
    BENCH_CUDA(cuEventCreate, &Start, CU_EVENT_DEFAULT);
    BENCH_CUDA(cuEventCreate, &Stop, CU_EVENT_DEFAULT);
  }

  std::string name() const override {
    char Name[256] = {};
    BENCH_CUDA(cuDeviceGetName, Name, sizeof(Name), Handle);
    return Name;
  }

  int driverVersion() const override {
    int Version = 0;
    BENCH_CUDA(cuDriverGetVersion, &Version);
    return Version;
  }

  std::unique_ptr<Module> load(const std::string &Path) override {
    return std::make_unique<CudaModule>(Path);
  }

  std::unique_ptr<Buffer> allocate(size_t Bytes) override {
    return std::make_unique<CudaBuffer>(Bytes);
  }

  void launch(Module &M, const Launch &L, const Problem &P,
              const std::vector<std::unique_ptr<Buffer>> &Buffers) override {
    std::vector<Argument> Values = L.Arguments;
    std::vector<void *> Pointers;
    for (Argument &A : Values) {
      for (size_t I = 0; A.Buffer && I < Buffers.size(); ++I)
        if (P.Arrays[I].get() == A.Buffer)
          std::memcpy(A.Value.data(),
                      &static_cast<CudaBuffer &>(*Buffers[I]).Address, 8);
      Pointers.push_back(A.Value.data());
    }
    BENCH_CUDA(cuLaunchKernel, static_cast<CudaModule &>(M).function(L.Kernel),
               L.Grid.X, L.Grid.Y, L.Grid.Z, L.Block.X, L.Block.Y, L.Block.Z, 0,
               nullptr, Pointers.data(), nullptr);
  }

  void startTimer() override { BENCH_CUDA(cuEventRecord, Start, nullptr); }

  double stopTimer() override {
    float Milliseconds = 0;
    BENCH_CUDA(cuEventRecord, Stop, nullptr);
    BENCH_CUDA(cuEventSynchronize, Stop);
    BENCH_CUDA(cuEventElapsedTime, &Milliseconds, Start, Stop);
    return Milliseconds;
  }

  void synchronize() override { BENCH_CUDA(cuCtxSynchronize); }

private:
  CUdevice Handle = 0;
  CUevent Start = nullptr, Stop = nullptr;
};

} // namespace

std::unique_ptr<Device> bench::openDevice() {
  return std::make_unique<CudaDevice>();
}
