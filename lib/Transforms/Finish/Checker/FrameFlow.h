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
#include "Listing.h"
#include "regdem/MachineCode/Sass.h"

namespace regdem::framecheck {

/// Follows all paths from the second instruction on, R1 being the frame's end
/// and FrameBytes its size. Code holds the registers that instructions read and
/// write; Written are registers that set-up code leaves with other contents
/// than before. An error unless
///  - R1 is the frame's end less a known number, at most FrameBytes;
///  - each of Accesses has an address in the frame, and one of known offset
///    lies between R1 and the frame's end, naturally aligned;
///  - addresses in the frame are only added to, moved, selected and compared
///    with each other;
///  - nothing else could have been an address of local memory;
///  - nothing depends on the order in which accesses end;
///  - none of Written is read before it is written.
llvm::Error followFrame(const Listing &L, const SassKernel &Code,
                        const CodeChanges &Changes, uint32_t FrameBytes,
                        llvm::ArrayRef<Operand> Written);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEFLOW_H
