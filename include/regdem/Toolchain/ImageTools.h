//===- ImageTools.h - images of fat binaries, compressed --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `fatbinary` and `cuobjdump` of the toolkit do with an image of a fat
// binary. They are looked for as ptxas is; a missing one is an error that says
// what to do.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_IMAGETOOLS_H
#define REGDEM_TOOLCHAIN_IMAGETOOLS_H

#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regdem {

/// A fat binary with Cubin, for sm_Arch, as its only image, compressed.
llvm::Expected<std::string> compressCubin(llvm::StringRef Cubin, unsigned Arch,
                                          const ToolLimits &Limits);

/// The cubin in FatBinary, which has one image.
llvm::Expected<std::string> extractCubin(llvm::StringRef FatBinary,
                                         const ToolLimits &Limits);

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_IMAGETOOLS_H
