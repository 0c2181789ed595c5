//===- AssemblyEffects.h - what assembly does with memory -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang's __ldcg, __ldcs and others are assembly that says nothing of memory:
//
//   for (int I = 0; I < N; ++I)          // four iterations in one block: four
//     *P = __ldcg(P) * 0.5f + In[I];     // stores of what one read gave
//
// So is that of programs that should say `volatile`: an atomicAdd in each
// iteration, a look at a barrier, or at the clock.
//
// Convergent calls stay in their blocks, so that stock code reads anew in each
// iteration. Rewrites that copy blocks into one need to know better.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ASSEMBLYEFFECTS_H
#define REGDEM_TRANSFORM_ASSEMBLYEFFECTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Has assembly of F, and of the functions that it calls, say what it does with
/// memory, and keep its place, where it does anything. Whether any is new to
/// that.
bool stateAssemblyEffects(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ASSEMBLYEFFECTS_H
