//===- MutationMachine.h - a block of threads at work -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inside of execute(): control flow and memory in MutationExecution.cpp,
// registers and arithmetic in MutationArithmetic.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONMACHINE_H
#define REGDEM_TEST_UNIT_MUTATIONMACHINE_H

#include "MutationExecution.h"

#include "llvm/ADT/DenseMap.h"

namespace regdem::test {

/// Where the region lies, and how far around it an access is taken for one
/// that misses it.
constexpr uint64_t RegionStart = uint64_t(1) << 40;
constexpr uint64_t Neighbourhood = uint64_t(1) << 24;

inline uint64_t mix(uint64_t A, uint64_t B) {
  uint64_t X = (A ^ (B + 0x9e3779b97f4a7c15ull + (A << 6) + (A >> 2))) *
               0xbf58476d1ce4e5b9ull;
  return X ^ (X >> 29);
}

/// A register's contents; those of up to 64 bits leave High zero.
struct Bits {
  uint64_t Low = 0, High = 0;
};

struct Thread {
  unsigned Tid[3];
  std::vector<Bits> Registers; ///< The virtual ones.
  const llvm::MachineBasicBlock *Block;
  llvm::MachineBasicBlock::const_iterator Next;
  /// Depends on everything that the thread did to memory.
  uint64_t Memory;
  unsigned Steps = 0;
  bool Done = false;
  llvm::DenseMap<llvm::Register, uint64_t> Physical{}; ///< Zero if not written.
};

class Machine {
public:
  Machine(const llvm::MachineFunction &MF, const NVPTXOpcodes &Opcodes,
          const RegionBounds &Bounds, const LaunchCase &Launch);
  ExecutionResult run();

private:
  const llvm::MachineRegisterInfo &MRI;
  const NVPTXOpcodes &Ops;
  const RegionBounds &Bounds;
  const LaunchCase &Launch;
  std::vector<uint8_t> Region;
  /// Bytes of it at the start that are the program's, where launches add others
  /// for each thread.
  uint64_t Own = 0;
  std::vector<Thread> Threads;
  ExecutionResult Result;

  void step(unsigned Index);
  void goTo(Thread &T, const llvm::MachineBasicBlock *Block);
  bool compute(Thread &T, const llvm::MachineInstr &MI, Op O);
  bool access(Thread &T, const llvm::MachineInstr &MI, bool IsStore);
  void executeUnknown(unsigned Index, const llvm::MachineInstr &MI);
  uint64_t read(const Thread &T, const llvm::MachineOperand &MO) const;
  void write(Thread &T, const llvm::MachineOperand &MO, Bits Value);
};

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONMACHINE_H
