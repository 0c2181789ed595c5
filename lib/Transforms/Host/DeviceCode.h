//===- DeviceCode.h - the device code in a host module ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host side knows of the programs that device compilations have made.
// Records are read here and nowhere else on the host side.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_DEVICECODE_H
#define REGDEM_LIB_HOST_DEVICECODE_H

#include "regdem/Decision/Builds/ProgramRecord.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regdem {

/// Machine code for one architecture.
struct DeviceImage {
  size_t Place = 0;  ///< Among the images of the fat binary.
  unsigned Arch = 0; ///< 90 for sm_90 and sm_90a.
  std::string Cubin;
  /// Of its kernels, by their mangled names; of none where Cubin is of a form
  /// that is not known.
  std::map<std::string, KernelFigures> Figures;
  ProgramRecord Record;        ///< Of no kernels where the code has none.
  std::set<std::string> Moved; ///< Kernels of which the frame has moved.

  void readFigures();
};

struct DeviceCode {
  std::vector<DeviceImage> Images; ///< Those that can be read.
  /// Why launches must not choose among builds, empty where they may: there is
  /// code that cannot be read (compressed, or of an unknown form), or PTX for
  /// an architecture without machine code. Of that the driver may make
  /// code of which nothing is known here.
  std::string Unknown;
};

/// The code in Bytes, a fat binary.
DeviceCode readDeviceCode(llvm::StringRef Bytes);

/// The code in Objects, as clang embeds what is to be linked.
DeviceCode readLinkedCode(llvm::ArrayRef<llvm::StringRef> Objects);

} // namespace regdem

#endif // REGDEM_LIB_HOST_DEVICECODE_H
