//===- OrderSubject.h - random blocks to put into other orders --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of random code over a few registers, which is repeated at random and
// followed by one that reads them all. What each instruction does to memory is
// known because the block was written so, not from LLVM's description of its
// opcode.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_ORDERSUBJECT_H
#define REGDEM_TEST_UNIT_ORDERSUBJECT_H

#include "MachineText.h"
#include "MutationExecution.h"
#include "Transform/FlowChecker.h"
#include <optional>

namespace regdem::test {

/// What an instruction is; those from Store on keep their order.
enum class Kind {
  Arithmetic, ///< Registers only.
  Constant,   ///< Loads what never changes, from an address that is valid.
  ReadOnly,   ///< The same, where the address may not be valid.
  Load,
  Store,
  Volatile, ///< A volatile or atomic load.
  Unknown,  ///< A load of which LLVM has forgotten what it loads.
  Atomic,
  Barrier,
  Fence,
  Vote,
  Clock,
  Assembly, ///< Inline, with side effects.
  Call,
  Terminator,
};

/// The code of a block, in MIR, and what its lines are.
struct OrderCode {
  std::vector<std::string> Lines;
  std::vector<Kind> Kinds;
};

/// Random code; the two terminators, a branch back to it and a jump, come last.
OrderCode randomOrderCode(unsigned Seed);

/// A MIR function "f": an entry that gives every register a value, a loop of
/// Code, and an exit that stores every register.
std::string functionText(const OrderCode &Code);

/// Runs a function in several launches.
std::vector<ExecutionResult> runSeveral(const llvm::MachineFunction &MF);

/// Whether a launch shows that Now is not what Right is.
bool differ(llvm::ArrayRef<ExecutionResult> Now,
            llvm::ArrayRef<ExecutionResult> Right);

class OrderSubject {
public:
  explicit OrderSubject(const OrderCode &Code);

  /// In the order they were written, wherever they stand now.
  const std::vector<llvm::MachineInstr *> &insts() const { return Insts; }
  Kind kind(unsigned I) const { return Kinds[I]; }

  /// Whether J reads, in the order written, what I wrote: to a physical
  /// register, or to a virtual one.
  bool feeds(unsigned I, unsigned J, bool Physical = false) const;
  /// Whether I reads a register that J writes.
  bool reads(unsigned I, unsigned J) const;
  /// Whether I is the last to write a register that J writes, too.
  bool writesLast(unsigned I, unsigned J) const;
  /// Whether J, which was written after I, has to stay there.
  bool isOrdered(unsigned I, unsigned J) const;

  llvm::MachineFunction &function() { return *MF; }
  llvm::MachineBasicBlock &block() { return *std::next(MF->begin()); }
  /// Puts the instructions into an order of their numbers.
  void arrange(llvm::ArrayRef<unsigned> Order);
  /// Puts back whatever was moved, and removes what was added.
  void restore();

  /// The checker's message about the block as it stands; empty if it accepts.
  std::string check() const;
  /// Whether a run shows that the code no longer does what it did.
  bool isHarmful() const;
  std::string text() const;

private:
  std::vector<Kind> Kinds;
  MachineText Text;
  llvm::MachineFunction *MF;
  std::vector<llvm::MachineInstr *> Insts;
  std::optional<FlowSnapshot> Original;
  std::vector<ExecutionResult> Expected;
};

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_ORDERSUBJECT_H
