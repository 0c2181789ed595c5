//===- CheckerTemporaries.h - registers that carry parts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the new registers that a wide value passes through on its way to its
// slots and back. Each is followed within one block only; where it is read in
// another one, it is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERTEMPORARIES_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERTEMPORARIES_H

#include "CheckerEvents.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class MachineRegisterInfo;
} // namespace llvm

namespace regdem::checker {

/// What a register holds: bytes of an original register's value, or what loads
/// gave, of which is not known yet whose value it is.
struct Temporary {
  unsigned Block;
  /// Value of the definition counter when the register was set.
  unsigned Since;
  unsigned Bytes;
  /// CheckerEvent::NoReg for what was loaded.
  unsigned Reg;
  unsigned Part;
  /// Load events with the byte at which each one's result begins.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> Loads;

  bool isLoaded() const { return Reg == CheckerEvent::NoReg; }
};

class TemporaryMap {
public:
  /// \p Events are those of which Temporary::Loads holds indices.
  TemporaryMap(const AlignedCode &Code, const AddressMap &Addresses,
               std::vector<CheckerEvent> &Events);

  /// The walk goes on in another block.
  void enterBlock(unsigned Block) { this->Block = Block; }

  /// The original code defines the register with that index.
  void define(unsigned Reg) { LastDefined[Reg] = ++Definitions; }

  /// What load event \p Event gives.
  Temporary loaded(unsigned Event, unsigned Bytes) const;

  /// What operand \p Index of \p MI holds.
  llvm::Expected<Temporary> read(const llvm::MachineInstr &MI,
                                 unsigned Index) const;

  /// Operand \p Index of \p MI receives \p Value. A new register is followed
  /// from here; an original one has to get back what it holds, which becomes
  /// what the loads are expected to find.
  llvm::Error write(const llvm::MachineInstr &MI, unsigned Index,
                    Temporary Value);

private:
  unsigned bytes(llvm::Register Reg) const;

  const EncodedFunction &Original;
  const AddressMap &Addresses;
  const llvm::MachineRegisterInfo &MRI;
  const NVPTXOpcodes &Opcodes;
  std::vector<CheckerEvent> &Events;
  CheckerError Report;
  llvm::DenseMap<llvm::Register, Temporary> Values;
  unsigned Block = 0;
  /// Counts definitions by original code; LastDefined is its value after a
  /// register's latest in the order of the walk.
  unsigned Definitions = 0;
  std::vector<unsigned> LastDefined;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERTEMPORARIES_H
