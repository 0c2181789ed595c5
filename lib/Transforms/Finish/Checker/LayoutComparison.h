//===- LayoutComparison.h - headers of two cubins ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of CubinComparison that compares headers: of sections, of segments
// and of the file. Offsets may differ where sections have grown or were added.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_LAYOUTCOMPARISON_H
#define REGDEM_LIB_FINISH_CHECKER_LAYOUTCOMPARISON_H

#include "Cubin.h"

namespace regdem::framecheck {

/// Of sections with the same place in both. Where MayGrow the size
/// may, and shared memory may get a larger alignment.
llvm::Error compareHeaders(const Cubin &O, const Cubin &F,
                           const Section &Before, const Section &After,
                           bool MayGrow);

/// Of a section of shared memory that Kernel of F did not have before.
llvm::Error checkNewShared(const Cubin &F, const Section &S,
                           llvm::StringRef Kernel);

/// Of the files and of their segments.
llvm::Error compareFileHeaders(const Cubin &O, const Cubin &F);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_LAYOUTCOMPARISON_H
