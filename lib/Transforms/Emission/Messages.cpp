//===- Messages.cpp - decisions in words ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Messages.h"

#include "regdem/Decision/Outcome.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static std::string describeObstacle(const Outcome &O) {
  switch (O.Because) {
  case Obstacle::None:
    return "";
  case Obstacle::UnknownArch:
    return "the limits of this GPU architecture are not known";
  case Obstacle::SetMaxNReg:
    return "the kernel changes its register count with setmaxnreg";
  case Obstacle::IrreducibleFlow:
    return "a loop is entered at two places (irreducible control flow), which "
           "ptxas may miscompile when registers are short";
  case Obstacle::UnknownBlockSize:
    return "threads per block are not known: state __launch_bounds__ or "
           "-regdem-block-size";
  case Obstacle::UnknownDynamicShared:
    return "dynamic shared memory of unknown size: state "
           "-regdem-dynamic-smem";
  case Obstacle::CalleeRegisters:
    return "it calls functions that may need more registers than the new cap, "
           "and no assembler was asked";
  case Obstacle::UnknownCallee:
    return "it calls functions whose use of shared memory is not known here";
  }
  return "";
}

std::string describeReason(const Outcome &O) {
  switch (O.Why) {
  case Reason::Declined:
    return describeObstacle(O);
  case Reason::NoCap:
    return "no register cap is stated";
  case Reason::Fits:
    return formatv("it keeps to {0} registers without demotion", O.MaxRegs);
  case Reason::NoSharedMemory:
    return "no shared memory is left for a slot";
  case Reason::NothingToDemote:
    return "no value can leave its register";
  case Reason::NoBetter:
    return "no demotion tried leaves less local spill";
  case Reason::ToolFailed:
    return "the assembler could not be used to try variants";
  case Reason::SmemSpilling:
    return formatv("ptxas's own spilling to shared memory promises more than "
                   "any demotion tried under {0} registers",
                   O.MaxRegs);
  case Reason::BelowCap:
    return formatv("the excess over {0} registers fits into shared memory",
                   O.MaxRegs);
  case Reason::AboveCap:
    return formatv("part of the excess over {0} registers fits into shared "
                   "memory; ptxas spills the rest{1}",
                   O.MaxRegs, O.SmemSpilling ? ", to shared memory first" : "");
  }
  return "";
}

std::string describeDecision(const Outcome &O) {
  switch (O.What) {
  case Decision::Stock:
    return formatv("'{0}' left as it is: {1}", O.Facts.Name, describeReason(O));
  case Decision::Cap:
    return formatv("'{0}' held to {1} registers: {2}", O.Facts.Name, O.MaxRegs,
                   describeReason(O));
  case Decision::Pragma:
    return formatv("'{0}' held to {1} registers with enable_smem_spilling: {2}",
                   O.Facts.Name, O.MaxRegs, describeReason(O));
  case Decision::Demote:
    return formatv("'{0}' held to {1} registers with {2} words a thread "
                   "({3} bytes a block) in shared memory, {4} stores and {5} "
                   "reloads: {6}",
                   O.Facts.Name, O.MaxRegs, O.Slots, O.SlotBytes, O.Stores,
                   O.Reloads, describeReason(O));
  }
  return "";
}

std::string describeFigures(const Outcome &O) {
  return formatv("'{0}': {1} threads a block ({2}), pressure {3} -> {4} words, "
                 "blocks per SM {5} (limited by {6}) -> {7} (limited by {8})",
                 O.Facts.Name, O.Facts.Threads, toString(O.Facts.ThreadsFrom),
                 O.PressureBefore, O.PressureAfter, O.Before.BlocksPerSM,
                 toString(O.Before.Limit), O.After.BlocksPerSM,
                 toString(O.After.Limit));
}

} // namespace regdem
