//===- AddressChains.h - addresses from the ones before them ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that reads the fields of a structure of arrays has an address for
// each, all from one index and multiples of the arrays' length:
//
//   %a1 = getelementptr float, ptr addrspace(1) %site, i64 %length
//   %a2 = getelementptr float, ptr addrspace(1) %site, i64 %twice.length
//
// LLVM shares what these have in common as far as it goes: %site and all the
// multiples stay in registers for the next site's fields, or the addresses do,
// which the next ones are so much away from. Here each address is computed from
// the one used last, of which it differs by a multiple of one value:
//
//   %a2 = getelementptr i8, ptr addrspace(1) %a1, i64 %length.in.bytes
//
// Only one of them is alive at a time then. wilson of benchmarks/, with 336
// loads, takes 70 registers instead of 108 (single precision, ptxas 13.0).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ADDRESSCHAINS_H
#define REGDEM_TRANSFORM_ADDRESSCHAINS_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Number of accesses to global memory in F that chainAddresses() would give
/// another address.
unsigned countChainable(llvm::Function &F);

/// Has the addresses of accesses to global memory in F computed from those that
/// come before them in the same block. Returns the number of accesses changed.
unsigned chainAddresses(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ADDRESSCHAINS_H
