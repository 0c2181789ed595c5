//===- SharedBases.h - one register for neighbouring places -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places that an access to memory may name are a register and a constant:
//
//   a[i - 1] + a[i] + a[i + 1]           of an i that is known to be positive,
//                                        clang extends i - 1 and i + 1 without
//                                        their signs, and LLVM has three
//                                        addresses: now one, of a[i - 1], and
//                                        4 and 8 bytes from it
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_SHAREDBASES_H
#define REGDEM_TRANSFORM_SHAREDBASES_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Whether shareBases() has Kernel compute far fewer addresses.
bool hasSharedBases(llvm::Function &Kernel);

/// Has addresses of one block that differ by constants be computed from the
/// first of them that the program relies on; whether there are any. Without
/// being used, an address may be poison: that of a[i - 1] where i is 0.
bool shareBases(llvm::Function &Kernel);

} // namespace regdem

#endif // REGDEM_TRANSFORM_SHAREDBASES_H
