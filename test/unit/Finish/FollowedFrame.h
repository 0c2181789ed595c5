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
/// nothing is. Lines that start with "~" are spill code.
inline std::string followed(std::vector<llvm::StringRef> Lines,
                            const CodeChanges &Changes,
                            const StackSetUp &SetUp) {
  std::set<uint64_t> Spills = takeSpills(Lines);
  SassListing L = cantFail(readListing(writeSass(Lines)));
  for (SassInstruction &I : L.Code)
    I.IsSpill = Spills.count(I.Address) != 0;
  return toString(followFrame(L, Changes, SetUp));
}

} // namespace regdem::framecheck

#endif // REGDEM_UNIT_FINISH_FOLLOWEDFRAME_H
