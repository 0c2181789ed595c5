//===- PlanSimulator.h - carry out a plan on a graph ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Judges demotion plans without any of the planner's own code: the plan is
// carried out on the graph, and the outcome is proven by data flow, run along
// random paths, and measured. Each function returns what is wrong, for a
// test's message, and the empty string where nothing is.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_PLANSIMULATOR_H
#define REGDEM_TEST_UNIT_PLANSIMULATOR_H

#include "regdem/Decision/Plan/DemotionPlan.h"
#include <string>

namespace regdem::test {

/// One step of the code with the plan in it.
struct PlanStep {
  enum Kind { Instruction, Store, Reload, Recompute };
  Kind What;
  InstId Inst = 0;   ///< Where What is Instruction.
  ValueId Value = 0; ///< Where it is not.
  unsigned Slot = 0;
};

/// A graph with a plan carried out: the graph's blocks, then the split edges.
struct PlannedCode {
  std::vector<std::vector<PlanStep>> Steps;
  std::vector<std::vector<BlockId>> Succs;
};

/// Carries Plan out; Problem says where a point of the plan does not exist.
PlannedCode carryOut(const KernelGraph &Graph, const DemotionPlan &Plan,
                     std::string &Problem);

/// On all paths at once: whether every reload finds the current value of its
/// register in its slot, and every recomputation has its value's definition
/// after it.
std::string proveReloads(const KernelGraph &Graph, const PlannedCode &Code);

/// The same along one path of up to MaxSteps steps that Seed chooses.
std::string walkPath(const KernelGraph &Graph, const PlannedCode &Code,
                     uint64_t Seed, unsigned MaxSteps);

/// The most register words that are live at once in Code, the slots' base
/// address not included.
unsigned pressureOf(const KernelGraph &Graph, const PlannedCode &Code);

/// The most words at any instruction of what cannot leave its register there:
/// live values that no plan may move, and whatever the instruction itself
/// reads or writes. How: only Belady plans let what an instruction reads
/// leave before it writes.
unsigned unavoidablePressure(const KernelGraph &Graph, Strategy How);

/// Whether Plan can be carried out, keeps every value, and takes the slots
/// that it states.
std::string checkPlan(const KernelGraph &Graph, const DemotionPlan &Plan);

/// The most register words in use at once with Plan carried out, the base
/// address of its slots included.
unsigned pressureWith(const KernelGraph &Graph, const DemotionPlan &Plan);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_PLANSIMULATOR_H
