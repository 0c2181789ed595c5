//===- FrameFlow.h - follow the stack pointer through a kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows on the original code that a kernel uses its frame only in ways that do
// not depend on where the frame is.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMEFLOW_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMEFLOW_H

#include "CodeComparison.h"
#include "SetUpCheck.h"
#include "regdem/MachineCode/SassListing.h"

namespace regdem::framecheck {

/// Follows all paths of L, the kernel's section, from the second instruction
/// on, R1 being as SetUp leaves it. An error unless
///  - R1 is the frame's end less a known number, at most the frame's size;
///  - each of the accesses that changed has an address in the frame, and one of
///    known offset lies between R1 and the frame's end, naturally aligned;
///    likewise each access with a generic address in the frame;
///  - addresses in the frame are only added to, moved, selected and compared
///    with each other, generic ones together with their upper halves;
///  - uniform registers with addresses are read by what computes uniform
///    addresses and by what was rewritten, and R1 is what they are seen from;
///  - the window of local memory is read where that was rewritten, and nothing
///    else could have been an address of local memory;
///  - nothing depends on the order in which accesses end;
///  - no register that set-up code leaves with other contents is read before it
///    is written, and the one with the window is never written.
llvm::Error followFrame(const SassListing &L, const CodeChanges &Changes,
                        const StackSetUp &SetUp);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEFLOW_H
