//===- RecipeText.cpp - how a kernel is built, in one line ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/RecipeText.h"

#include "regdem/Decision/Builds/Build.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

/// "whole", "part:108" or "end" for a frame that moves.
static std::string frameText(const Build &V) {
  if (V.ThreadBytes)
    return "end";
  return V.FrameBytes ? formatv("part:{0}", V.FrameStride).str() : "whole";
}

std::string toText(const Build &V) {
  SmallVector<std::string, 8> Parts;
  if (V.MaxRegs)
    Parts.push_back(formatv("cap={0}", V.MaxRegs));
  if (V.MinBlocks)
    Parts.push_back(formatv("min-blocks={0}", V.MinBlocks));
  if (V.Target)
    Parts.push_back(formatv("demote={0}:{1}", toString(V.How), V.Target));
  if (V.SmemSpilling)
    Parts.push_back("smem-spilling");
  if (V.Order != InstOrder::Source)
    Parts.push_back(formatv("order={0}", toString(V.Order)));
  if (any(V.Rewrites))
    Parts.push_back("rewrites=" + toString(V.Rewrites));
  if (V.MovedBytes)
    Parts.push_back("frame=" + frameText(V));
  return Parts.empty() ? "stock" : join(Parts, " ");
}

} // namespace regdem
