//===- Device.h - where kernels run -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few operations the runner needs from a GPU. CudaDevice.cpp implements
// them with the CUDA driver, EmulatedDevice.cpp on the CPU; a program links one
// of the two. Errors end the program with one line (see fatal()).
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_DEVICE_H
#define BENCHMARKS_COMMON_DEVICE_H

#include "common/Problem.h"
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Prints "error: Message" and ends the program with exit code 2.
[[noreturn]] void fatal(const std::string &Message);

/// What the driver says about a kernel as it is loaded.
struct KernelAttributes {
  int Registers = 0;    ///< 32-bit registers a thread
  int LocalBytes = 0;   ///< local memory a thread, in bytes
  int StaticShared = 0; ///< static shared memory a block, in bytes
  int BlocksPerSM = 0;  ///< at the launch's block size
};

/// A loaded cubin.
class Module {
public:
  virtual ~Module() = default;
  virtual KernelAttributes attributes(const std::string &Kernel,
                                      unsigned ThreadsPerBlock) = 0;
};

/// One array in device memory.
class Buffer {
public:
  virtual ~Buffer() = default;
  virtual void upload(const void *Source) = 0;
  virtual void download(void *Target) = 0;
  virtual void fill(unsigned char Byte) = 0;
};

class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  virtual int driverVersion() const = 0;
  virtual std::unique_ptr<Module> load(const std::string &Path) = 0;
  virtual std::unique_ptr<Buffer> allocate(size_t Bytes) = 0;
  /// \p Buffers holds one entry per array of the problem, in its order.
  virtual void launch(Module &M, const Launch &L, const Problem &P,
                      const std::vector<std::unique_ptr<Buffer>> &Buffers) = 0;
  /// Time of what was launched between the two calls, in milliseconds.
  virtual void startTimer() = 0;
  virtual double stopTimer() = 0;
  virtual void synchronize() = 0;
};

std::unique_ptr<Device> openDevice();

} // namespace bench

#endif // BENCHMARKS_COMMON_DEVICE_H
