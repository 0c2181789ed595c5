//===- HeldStderr.cpp - keep LLVM from flooding stderr --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldStderr.h"

#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// The one that holds stderr now.
static HeldStderr *Holder = nullptr;

HeldStderr::HeldStderr() {
  File = std::tmpfile();
  Original = File ? dup(STDERR_FILENO) : -1;
  if (Original < 0 || dup2(fileno(File), STDERR_FILENO) < 0)
    return;
  Holder = this;
}

HeldStderr::~HeldStderr() {
  if (Holder == this)
    errs() << restore();
  if (Original >= 0)
    close(Original);
  if (File)
    std::fclose(File);
}

std::string HeldStderr::restore() {
  errs().flush();
  dup2(Original, STDERR_FILENO);
  Holder = nullptr;
  std::string Text;
  std::rewind(File);
  char Chunk[4096];
  while (size_t Read = std::fread(Chunk, 1, sizeof(Chunk), File))
    Text.append(Chunk, Read);
  return Text;
}

std::string HeldStderr::release() {
  return Holder ? Holder->restore() : std::string();
}

} // namespace regdem
