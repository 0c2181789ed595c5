//===- FrameJSON.h - what became of a frame, as text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_FRAMEJSON_H
#define REGDEM_FINISH_FRAMEJSON_H

#include "regdem/Finish/Finisher.h"
#include "llvm/Support/JSON.h"

namespace regdem {

llvm::json::Object toJSON(const FrameResult &Frame);

/// Undoes toJSON(); what O lacks is as in FrameResult().
FrameResult frameFromJSON(const llvm::json::Object &O);

} // namespace regdem

#endif // REGDEM_FINISH_FRAMEJSON_H
