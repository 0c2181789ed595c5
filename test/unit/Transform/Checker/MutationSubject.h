//===- MutationSubject.h - kernels that mutants are made of -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a kernel from LLVM IR up to where RegDem stands, plans its demotion,
// and carries plans out on copies of its code, right ones and wrong ones.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONSUBJECT_H
#define REGDEM_TEST_UNIT_MUTATIONSUBJECT_H

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/Checker/DemotionChecker.h"
#include "regdem/Transform/Demoter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include <functional>
#include <memory>
#include <string>

namespace regdem::test {

/// What one demotion is made of; a mutation changes some of it.
struct Recipe {
  DemotionPlan Plan;
  SlotLayout Layout;
  unsigned Dims[3] = {};
  llvm::GlobalVariable *Region = nullptr;
  /// What the checker is told, and what holds when the kernel runs.
  RegionBounds Bounds;
};

class Subject {
public:
  Subject(llvm::MachineFunction &Original, KernelCode Code, Recipe Right,
          llvm::GlobalVariable &OtherRegion, const NVPTXOpcodes &Opcodes);

  llvm::MachineFunction &Original;
  const KernelCode Code;
  /// The demotion as RegDem does it.
  const Recipe Right;
  /// A shared variable that is not the slots'.
  llvm::GlobalVariable &OtherRegion;
  const NVPTXOpcodes &Opcodes;

  /// A copy of the original code, demoted by R.
  std::unique_ptr<llvm::MachineFunction> build(const Recipe &R) const;

  /// The checker's message, empty where it accepts.
  std::string check(const llvm::MachineFunction &Result,
                    const RegionBounds &Bounds) const;

  /// Whether the register is one of the original code.
  bool isOriginal(llvm::Register Reg) const;

private:
  FunctionSnapshot Snapshot;
};

/// Compiles IR, which must hold one kernel, and hands it to Visit with a plan
/// that keeps it to Part percent of its register pressure. AtEnd: slots lie at
/// the end of dynamic shared memory.
void withSubject(const std::string &IR, unsigned Part, Strategy How, bool AtEnd,
                 const std::function<void(const Subject &)> &Visit);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONSUBJECT_H
