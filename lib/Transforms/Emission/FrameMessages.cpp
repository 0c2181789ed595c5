//===- FrameMessages.cpp - what became of frames, in words ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static std::string describeStaying(StringRef Kernel, unsigned Bytes,
                                   StringRef Reason, StringRef Arch) {
  return formatv("'{0}': frame of {1} bytes a thread stays in local memory: "
                 "{2} ({3})",
                 shownName(Kernel), Bytes, Reason, Arch);
}

std::string describeStayingFrame(const Outcome &O) {
  return describeStaying(O.Facts.Name, O.Staying.Bytes, O.Staying.Reason,
                         O.Facts.ArchName);
}

std::string describeFrame(const FrameResult &Frame) {
  std::string Name = shownName(Frame.Kernel);
  if (!Frame.Moved)
    return describeStaying(Frame.Kernel, Frame.FrameBytes, Frame.Reason,
                           Frame.Arch);
  std::string Bytes =
      Frame.AtEnd
          ? formatv("to which launches add {0} bytes a thread", Frame.Stride)
                .str()
          : formatv("{0} bytes a block", Frame.SharedAfter - Frame.SharedBefore)
                .str();
  std::string Part =
      Frame.MovedBytes == Frame.FrameBytes
          ? ""
          : formatv("{0} of {1} bytes ", Frame.MovedBytes, Frame.FrameBytes)
                .str();
  std::string Blocks =
      Frame.BlocksAfter == Frame.BlocksBefore
          ? ""
          : formatv(", {0} instead of {1} per SM", Frame.BlocksAfter,
                    counted(Frame.BlocksBefore, "block"))
                .str();
  return formatv("'{0}': frame of {1} bytes a thread, {2} and {3}, {4}"
                 "moved from local to shared memory, {5}{6} ({7})",
                 Name, Frame.FrameBytes, counted(Frame.Loads, "load"),
                 counted(Frame.Stores, "store"), Part, Bytes, Blocks,
                 Frame.Arch);
}

} // namespace regdem
