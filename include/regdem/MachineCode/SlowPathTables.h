//===- SlowPathTables.h - what only slow paths read -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SLOWPATHTABLES_H
#define REGDEM_MACHINECODE_SLOWPATHTABLES_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace regdem {

/// Offsets in constant bank 4 of Cubin, an ELF image, at which the address of
/// a table stands that libdevice reads for arguments of sin, cos and tan beyond
/// 105615 only (`__cudart_i2opi_f`, the bits of 2/pi). Empty where there is
/// none or where Cubin cannot be read.
std::vector<uint64_t> slowPathTables(llvm::StringRef Cubin);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SLOWPATHTABLES_H
