//===- RelaxedSwaps.h - atomicCAS() as CUDA defines it ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's atomic functions order nothing but themselves, and are atomic for the
// device (CUDA C++ Programming Guide, "Atomic Functions"). clang 22 has
// atomicCAS() alone order all memory of the system:
//
//   atomicCAS(p, 1, 2)                   fence.sc.sys;
//                                        atom.acquire.sys.global.cas.b32 …
//                                        now atom.relaxed.gpu.global.cas.b32 …,
//                                        as nvcc, and clang before 22, have it
//
// clang 23 has mended that (https://github.com/llvm/llvm-project/pull/185822).
// A compare-and-swap that the program asks for in another way, as by
// __atomic_compare_exchange_n, keeps the order that it states.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_RELAXEDSWAPS_H
#define REGDEM_TRANSFORM_RELAXEDSWAPS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// Marks the compare-and-swaps of atomicCAS() in M, in which nothing has been
/// inlined yet: later nobody can tell them from others.
void markSwapsOfCUDA(llvm::Module &M);

/// Whether relaxSwaps() would change Kernel.
bool hasStrictSwaps(const llvm::Function &Kernel);

/// Has the marked compare-and-swaps of Kernel order no other accesses; whether
/// there are any. To stand behind LLVM's optimizations of the source: for these
/// they are as clang made them.
bool relaxSwaps(llvm::Function &Kernel);

} // namespace regdem

#endif // REGDEM_TRANSFORM_RELAXEDSWAPS_H
