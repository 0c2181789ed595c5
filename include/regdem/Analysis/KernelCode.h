//===- KernelCode.h - machine code with its graph ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the KernelGraph of a machine function and keeps the way back from its
// numbers to instructions and blocks. This is where values are classified;
// legality is all that is asked, never profit.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_KERNELCODE_H
#define REGDEM_ANALYSIS_KERNELCODE_H

#include "regdem/Analysis/KernelGraph.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class AnalysisUsage;
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class Pass;
class raw_ostream;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

struct KernelCode {
  KernelGraph Graph;
  /// Instruction of each InstId; debug instructions have none.
  std::vector<llvm::MachineInstr *> Insts;
  /// Machine block of each BlockId.
  std::vector<llvm::MachineBasicBlock *> Blocks;

  llvm::Register registerOf(ValueId V) const {
    return llvm::Register::index2VirtReg(Graph.Values[V].Register);
  }
};

/// States what readKernelCode takes from the pass that calls it.
void requireCodeAnalyses(llvm::AnalysisUsage &AU);

/// Reads MF, which must be past PHI elimination and before any renumbering of
/// its registers, with the analyses of P, the running pass.
KernelCode readKernelCode(llvm::MachineFunction &MF,
                          const NVPTXOpcodes &Opcodes, const llvm::Pass &P);

/// One line per value: register, words, kind.
void printCandidates(llvm::raw_ostream &OS, const KernelGraph &Graph);

} // namespace regdem

#endif // REGDEM_ANALYSIS_KERNELCODE_H
