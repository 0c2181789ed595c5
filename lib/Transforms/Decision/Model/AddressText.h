//===- AddressText.h - addresses as nvdisasm prints them --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_ADDRESSTEXT_H
#define REGDEM_LIB_DECISION_MODEL_ADDRESSTEXT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <utility>

namespace regdem {

/// Base and constant offset of the last address in Operands: "R8.64" and -4 of
/// "desc[UR4][R8.64+-0x4]".
std::pair<llvm::StringRef, int64_t> splitAddress(llvm::StringRef Operands);

/// Stands for the word that a local or shared access in Operands is to: 'L' or
/// 'S', and the constant offset. A frame in shared memory (Finish/) is as local
/// as before it moved: its address is in R1, too.
std::string wordOf(llvm::StringRef Operands, bool IsLocal);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_ADDRESSTEXT_H
