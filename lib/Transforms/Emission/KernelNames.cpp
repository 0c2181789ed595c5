//===- KernelNames.cpp - names of kernels as users know them --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/KernelNames.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace regdem {

std::string shownName(StringRef Symbol) {
  // Demanglers do not know the suffix of builds; C++ names have no '$'.
  size_t End = std::min(Symbol.find('$'), Symbol.size());
  return demangle(Symbol.take_front(End)) + Symbol.drop_front(End).str();
}

std::string counted(unsigned Number, StringRef Noun) {
  return (Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

} // namespace regdem
