//===- ProductDistance.h - products far from their sums ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_PRODUCTDISTANCE_H
#define REGDEM_ANALYSIS_PRODUCTDISTANCE_H

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Whether MF, in SSA form, has a product that ptxas may fuse into a sum of
/// another block. Whether ptxas does may depend on how far apart they are, so
/// that a build in which one of them stands elsewhere may differ in the last
/// bit. A product next to its sum stays there in every build.
bool hasDistantProduct(const llvm::MachineFunction &MF,
                       const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_ANALYSIS_PRODUCTDISTANCE_H
