//===- FollowedFrame.h - what following a frame says ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_UNIT_FINISH_FOLLOWEDFRAME_H
#define REGDEM_UNIT_FINISH_FOLLOWEDFRAME_H

#include "Finish/Checker/FrameFlow.h"
#include "SassTexts.h"

namespace regdem::framecheck {

/// What is wrong with a kernel of Lines, which has Changes after SetUp; "" if
/// nothing is.
inline std::string followed(llvm::ArrayRef<llvm::StringRef> Lines,
                            const CodeChanges &Changes,
                            const StackSetUp &SetUp) {
  SassListing L = cantFail(readListing(writeSass(Lines)));
  return toString(followFrame(L, Changes, SetUp));
}

} // namespace regdem::framecheck

#endif // REGDEM_UNIT_FINISH_FOLLOWEDFRAME_H
