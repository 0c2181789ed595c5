//===- FrameJSON.cpp - what became of a frame, as text --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/Finisher.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace regdem {

static constexpr std::pair<StringLiteral, unsigned FrameResult::*> Numbers[] = {
    {"registers", &FrameResult::Registers},
    {"frame_bytes", &FrameResult::FrameBytes},
    {"loads", &FrameResult::Loads},
    {"stores", &FrameResult::Stores},
    {"indexed", &FrameResult::Indexed},
    {"threads", &FrameResult::Threads},
    {"widest", &FrameResult::Widest},
    {"moved_bytes", &FrameResult::MovedBytes},
    {"staying_load_bytes", &FrameResult::StayingLoadBytes},
    {"staying_store_bytes", &FrameResult::StayingStoreBytes},
    {"blocks_per_sm_before", &FrameResult::BlocksBefore},
    {"blocks_per_sm_after", &FrameResult::BlocksAfter},
};

static constexpr std::pair<StringLiteral, uint64_t FrameResult::*> Sizes[] = {
    {"stride", &FrameResult::Stride},
    {"shared_before", &FrameResult::SharedBefore},
    {"shared_after", &FrameResult::SharedAfter},
    {"dynamic_shared", &FrameResult::DynamicShared},
};

json::Object toJSON(const FrameResult &Frame) {
  json::Object O{{"kernel", Frame.Kernel},
                 {"arch", Frame.Arch},
                 {"moved", Frame.Moved},
                 {"at_end", Frame.AtEnd},
                 {"reason", Frame.Reason}};
  for (auto [Key, Number] : Numbers)
    O[Key] = Frame.*Number;
  for (auto [Key, Size] : Sizes)
    O[Key] = Frame.*Size;
  return O;
}

} // namespace regdem
