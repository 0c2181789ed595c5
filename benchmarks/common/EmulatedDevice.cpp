//===- EmulatedDevice.cpp - runs kernels on the CPU -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the kernels of Emulation.h: the threads of a block are fibers
// (ucontext), each run up to its next barrier in turn. Times and register
// figures do not exist here and are reported as zero.
//
//===----------------------------------------------------------------------===//

#include "common/Device.h"
#include "common/Emulation.h"
#include <map>
#include <ucontext.h>

using namespace bench;
using namespace bench::emulation;

ThreadState bench::emulation::State;

namespace {

constexpr size_t StackBytes = 64 * 1024;

struct Fiber {
  ucontext_t Context;
  uint3 Thread;
  bool Done;
};

ucontext_t Scheduler;
Fiber *Current;
Trampoline CurrentKernel;
void **CurrentArguments;

std::map<std::string, Trampoline> &kernels() {
  static std::map<std::string, Trampoline> Known;
  return Known;
}

void runFiber() {
  CurrentKernel(CurrentArguments);
  Current->Done = true;
}

/// Makes \p F start at the kernel's beginning, on a stack of its own.
void prepare(Fiber &F, char *Stack) {
  F.Done = false;
  getcontext(&F.Context);
  F.Context.uc_stack.ss_sp = Stack;
  F.Context.uc_stack.ss_size = StackBytes;
  F.Context.uc_link = &Scheduler;
  makecontext(&F.Context, runFiber, 0);
}

/// Runs every thread of block State.Block to its end.
void runBlock(std::vector<Fiber> &Fibers, std::vector<char> &Stacks) {
  for (size_t I = 0; I < Fibers.size(); ++I) {
    unsigned Rest = unsigned(I) / blockDim.x;
    Fibers[I].Thread = {unsigned(I) % blockDim.x, Rest % blockDim.y,
                        Rest / blockDim.y};
    prepare(Fibers[I], Stacks.data() + I * StackBytes);
  }
  for (bool Running = true; Running;) {
    Running = false;
    for (Fiber &F : Fibers) {
      if (F.Done)
        continue;
      Current = &F;
      State.Thread = F.Thread;
      swapcontext(&Scheduler, &F.Context);
      Running |= !F.Done;
    }
  }
}

class EmulatedModule : public Module {
  KernelAttributes attributes(const std::string &Kernel, unsigned) override {
    if (!kernels().count(Kernel))
      fatal("no emulated kernel named " + Kernel);
    return {};
  }
};

class EmulatedBuffer : public Buffer {
public:
  explicit EmulatedBuffer(size_t Bytes) : Data(Bytes) {}
  void upload(const void *Source) override {
    std::memcpy(Data.data(), Source, Data.size());
  }
  void download(void *Target) override {
    std::memcpy(Target, Data.data(), Data.size());
  }
  void fill(unsigned char Byte) override {
    std::fill(Data.begin(), Data.end(), char(Byte));
  }
  std::vector<char> Data;
};

class EmulatedDevice : public Device {
  std::string name() const override { return "emulator"; }
  int driverVersion() const override { return 0; }
  std::unique_ptr<Module> load(const std::string &) override {
    return std::make_unique<EmulatedModule>();
  }
  std::unique_ptr<Buffer> allocate(size_t Bytes) override {
    return std::make_unique<EmulatedBuffer>(Bytes);
  }

  void launch(Module &, const Launch &L, const Problem &P,
              const std::vector<std::unique_ptr<Buffer>> &Buffers) override {
    std::vector<Argument> Values = L.Arguments;
    std::vector<void *> Pointers;
    for (Argument &A : Values) {
      for (size_t I = 0; A.Buffer && I < Buffers.size(); ++I)
        if (P.Arrays[I].get() == A.Buffer) {
          char *Data = static_cast<EmulatedBuffer &>(*Buffers[I]).Data.data();
          std::memcpy(A.Value.data(), &Data, sizeof(Data));
        }
      Pointers.push_back(A.Value.data());
    }
    CurrentKernel = kernels().at(L.Kernel);
    CurrentArguments = Pointers.data();
    State.BlockSize = {L.Block.X, L.Block.Y, L.Block.Z};
    State.GridSize = {L.Grid.X, L.Grid.Y, L.Grid.Z};
    size_t Threads = size_t(L.Block.X) * L.Block.Y * L.Block.Z;
    std::vector<Fiber> Fibers(Threads);
    std::vector<char> Stacks(Threads * StackBytes);
    for (unsigned Z = 0; Z < L.Grid.Z; ++Z)
      for (unsigned Y = 0; Y < L.Grid.Y; ++Y)
        for (unsigned X = 0; X < L.Grid.X; ++X) {
          State.Block = {X, Y, Z};
          runBlock(Fibers, Stacks);
        }
  }

  void startTimer() override {}
  double stopTimer() override { return 0; }
  void synchronize() override {}
};

} // namespace

bool bench::emulation::registerKernel(const char *Name, Trampoline Run) {
  return kernels().emplace(Name, Run).second;
}

void bench::emulation::barrier() { swapcontext(&Current->Context, &Scheduler); }

std::unique_ptr<Device> bench::openDevice() {
  return std::make_unique<EmulatedDevice>();
}
