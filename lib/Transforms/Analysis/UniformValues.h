//===- UniformValues.h - values that need no vector register ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Since sm_75 each warp has 63 uniform registers besides the 255 of each thread
// (Jia et al., "Dissecting the NVidia Turing T4 GPU via Microbenchmarking",
// 2019). ptxas keeps values there that are the same for all threads of a warp,
// also such as it has to compute in vector registers: where those are short, it
// moves the results over. A slot for such a value relieves nothing.
//
// That is an estimate, and nothing that is right or wrong depends on it:
// whether threads run together is not asked, and ptxas decides by rules of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_ANALYSIS_UNIFORMVALUES_H
#define REGDEM_LIB_ANALYSIS_UNIFORMVALUES_H

#include "regdem/Analysis/KernelGraph.h"
#include "llvm/ADT/BitVector.h"

namespace llvm {
class MachineFunction;
}

namespace regdem {

class NVPTXOpcodes;

/// By virtual register of MF: whether all its definitions compute it from such
/// values, parameters, constants and special registers of the block, and from
/// nothing else.
llvm::BitVector findUniformValues(const llvm::MachineFunction &MF,
                                  const NVPTXOpcodes &Opcodes);

/// Gives the values that are set in Uniform, by virtual register, and have a
/// thread slot the home UniformRegister, if at the point of most pressure they
/// take as many words as matter and no more than there is room for.
void moveToUniformRegisters(KernelGraph &Graph, const llvm::BitVector &Uniform);

} // namespace regdem

#endif // REGDEM_LIB_ANALYSIS_UNIFORMVALUES_H
