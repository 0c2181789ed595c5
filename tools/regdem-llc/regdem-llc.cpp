//===- regdem-llc.cpp - llc with RegDem at work ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For front ends that run llc and can be told where it is. This program becomes
// LLVM's own llc with RegDem loaded, so that command line, output, messages and
// exit codes are llc's. It links nothing of LLVM, as loading that twice would
// take longer than a small kernel.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

static bool isReadable(const std::string &Path) {
  return access(Path.c_str(), R_OK) == 0;
}

static int fail(const std::string &Problem) {
  std::fprintf(stderr, "regdem-llc: error: %s\n", Problem.c_str());
  return 1;
}

/// Prints a line before llc's own version; it names no release of LLVM, which
/// scripts read from llc's lines.
static void printVersion() {
  std::puts("RegDem " REGDEM_VERSION " in llc");
  std::fflush(stdout);
}

int main(int Argc, char **Argv) {
  std::error_code Error;
  std::string Folder =
      std::filesystem::read_symlink("/proc/self/exe", Error).parent_path();
  std::string Plugin = Folder + "/../lib/RegDem.so";
  if (!isReadable(Plugin))
    Plugin = Folder + "/../" REGDEM_LIB_FOLDER "/RegDem.so";
  if (!isReadable(Plugin))
    return fail("no RegDem.so in '" + Folder + "/../lib'");
  std::string Llc = REGDEM_LLVM_TOOLS "/llc";
  if (access(Llc.c_str(), X_OK) != 0)
    Llc = REGDEM_LLC_NAME;

  std::vector<std::string> Words = {Llc, "-load-pass-plugin=" + Plugin};
  Words.insert(Words.end(), Argv + 1, Argv + Argc);
  // Front ends have no way to pass options of RegDem on.
  if (const char *More = std::getenv("REGDEM_LLC_FLAGS")) {
    std::istringstream Stream(More);
    for (std::string Word; Stream >> Word;)
      Words.push_back(Word);
  }
  for (const std::string &Word : Words)
    if (Word == "--version" || Word == "-version")
      printVersion();
  std::vector<char *> Args;
  for (std::string &Word : Words)
    Args.push_back(Word.data());
  Args.push_back(nullptr);
  execvp(Llc.c_str(), Args.data());
  return fail("cannot run '" + Llc + "': " + std::strerror(errno) +
              " (it comes with Debian's package llvm-22)");
}
