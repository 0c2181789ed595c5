//===- FatBinary.h - the device code in a host module -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_LAUNCH_FATBINARY_H
#define REGDEM_LIB_LAUNCH_FATBINARY_H

#include "regdem/Decision/Builds/ProgramRecord.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regdem {

/// Machine code for one architecture.
struct DeviceImage {
  unsigned Arch = 0;             ///< 90 for sm_90 and sm_90a.
  std::set<std::string> Kernels; ///< As the linker sees them.
  /// Of these kernels, as far as they can be read.
  std::map<std::string, KernelFigures> Figures;
  /// With the rows of builds that are there as they are to be; empty where the
  /// code has none.
  ProgramRecord Record;
};

/// The machine code that a fat binary holds. An error where it holds any that
/// cannot be read (compressed, or of a form that is not known), or PTX for an
/// architecture that it has no machine code for: the GPU driver may then make
/// code of which nothing is known here.
llvm::Expected<std::vector<DeviceImage>> readFatBinary(llvm::StringRef Bytes);

} // namespace regdem

#endif // REGDEM_LIB_LAUNCH_FATBINARY_H
