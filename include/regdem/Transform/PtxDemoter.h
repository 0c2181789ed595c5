//===- PtxDemoter.h - carry out a demotion plan in PTX ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Demoter.h for PTX. In blocks of 256 threads:
//
//                                  .shared .align 8 .b8 __regdem_slots[2048];
//                                  mov.u32 %regdem0, %tid.x; ...  // %regdemw0
//   add.s32 %r7, %r1, %r2;     =>  add.s32 %r7, %r1, %r2;
//                                  st.shared.b32 [%regdemw0+1024], %r7;
//   ...                            ...
//                                  ld.shared.b32 %r7, [%regdemw0+1024];
//   add.s32 %r9, %r7, %r8;         add.s32 %r9, %r7, %r8;
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_PTXDEMOTER_H
#define REGDEM_TRANSFORM_PTXDEMOTER_H

#include "regdem/Analysis/PtxGraph.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/Transform/SlotLayout.h"

namespace regdem {

/// The edits of File by which Kernel, whose graph is G, carries out Plan, with
/// slots in a variable of RegionBytes, Layout's at least. Dims: as demote() has
/// them. Kernel must not name anything "regdem" yet.
std::vector<PtxEdit> demoteInPtx(const PtxFile &File, const PtxFunction &Kernel,
                                 const PtxGraph &G, const DemotionPlan &Plan,
                                 const SlotLayout &Layout, uint64_t RegionBytes,
                                 const unsigned (&Dims)[3]);

} // namespace regdem

#endif // REGDEM_TRANSFORM_PTXDEMOTER_H
