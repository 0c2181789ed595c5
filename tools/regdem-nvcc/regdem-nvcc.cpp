//===- regdem-nvcc.cpp - nvcc with regdem-ptxas in ptxas's place ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes nvcc's command line and becomes the first nvcc of the search path, or,
// if there is none, that of NVIDIA's package for Python where pip has installed
// both, with one option in front of the user's:
//
//   nvcc --ptxas-prefix "'/…/libexec/regdem/ptxas' --in-place-of" …
//
// nvcc puts that text, in which ptxas is a link to regdem-ptxas, in front of
// each command "ptxas …" that it gives to the shell. The option is meant for
// profilers, and `nvcc --help` does not list it. Nothing is written to disk,
// and nvcc finds its parts as it always does. This program links nothing of
// LLVM, which takes longer to load than nvcc to start.
//
//   REGDEM_NVCC=PATH   the nvcc to run instead
//
//===----------------------------------------------------------------------===//

#include "../regdem-ptxas/Help.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

/// Set for nvcc to its path: where that runs regdem-nvcc again, it does so
/// once.
static constexpr const char *RunsVariable = "REGDEM_NVCC_RUNS";

static int fail(const std::string &Problem) {
  std::fprintf(stderr, "regdem-nvcc: error: %s\n", Problem.c_str());
  return 1;
}

static bool isProgram(const fs::path &Path) {
  std::error_code Error;
  return fs::is_regular_file(Path, Error) && access(Path.c_str(), X_OK) == 0;
}

/// The first nvcc of the search path that is not this program, Own, by a link;
/// empty if there is none.
static fs::path findNvcc(const fs::path &Own) {
  const char *Variable = std::getenv("PATH");
  std::string_view Rest = Variable ? Variable : "";
  while (!Rest.empty()) {
    std::string_view Folder = Rest.substr(0, Rest.find(':'));
    Rest.remove_prefix(std::min(Folder.size() + 1, Rest.size()));
    // An empty name is the current folder. nvcc looks for itself on the search
    // path if its name has no folder.
    fs::path Nvcc = fs::path(Folder.empty() ? "." : Folder) / "nvcc";
    std::error_code Error;
    if (isProgram(Nvcc) && !fs::equivalent(Nvcc, Own, Error))
      return Nvcc;
  }
  return {};
}

/// nvcc in PREFIX/lib/pythonX.Y/site-packages/nvidia/cuNN/bin, for Own in
/// PREFIX/bin: the last by name; empty if there is none.
static fs::path findPackagedNvcc(const fs::path &Own) {
  fs::path Last;
  std::error_code Error;
  auto ForEach = [&](const fs::path &Folder, std::string_view Start,
                     const auto &Do) {
    for (const fs::directory_entry &Its : fs::directory_iterator(Folder, Error))
      if (Its.path().filename().string().rfind(Start, 0) == 0)
        Do(Its.path());
  };
  fs::path Libraries = Own.parent_path().parent_path() / "lib";
  ForEach(Libraries, "python3", [&](const fs::path &Python) {
    for (const char *Packages : {"site-packages", "dist-packages"})
      ForEach(Python / Packages / "nvidia", "cu", [&](const fs::path &Toolkit) {
        if (isProgram(Toolkit / "bin/nvcc"))
          Last = std::max(Last, Toolkit / "bin/nvcc");
      });
  });
  return Last;
}

/// Text as one word of the shell's.
static std::string quoted(const std::string &Text) {
  std::string Word = "'";
  for (char C : Text)
    Word += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Word + "'";
}

static int cannotRun(const std::string &Nvcc) {
  return fail("cannot run '" + Nvcc + "': " + std::strerror(errno));
}

/// Runs nvcc, which prints something of its own, and adds More.
static int runAndPrint(const std::string &Nvcc, char *const *Args,
                       const char *More) {
  pid_t Child = fork();
  if (Child == 0) {
    execv(Nvcc.c_str(), Args);
    _exit(cannotRun(Nvcc));
  }
  int Status = 0;
  if (Child < 0 || waitpid(Child, &Status, 0) < 0)
    return cannotRun(Nvcc);
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return WIFEXITED(Status) ? WEXITSTATUS(Status) : 1;
  std::fputs(More, stdout);
  return 0;
}

int main(int Argc, char **Argv) {
  std::error_code Error;
  fs::path Own = fs::read_symlink("/proc/self/exe", Error);
  fs::path Assembler = Own.parent_path().parent_path() / "libexec/regdem/ptxas";
  if (Error || !isProgram(Assembler))
    return fail("no regdem-ptxas at '" + Assembler.string() + "'");
  if (const char *Caller = std::getenv(RunsVariable))
    return fail(std::string("'") + Caller +
                "' runs regdem-nvcc again: set REGDEM_NVCC to the path of nvcc "
                "itself");
  const char *Stated = std::getenv("REGDEM_NVCC");
  fs::path Nvcc = Stated && *Stated ? fs::path(Stated) : findNvcc(Own);
  if (Nvcc.empty())
    Nvcc = findPackagedNvcc(Own);
  if (Nvcc.empty())
    return fail("no nvcc is on the search path: add the folder bin of a CUDA "
                "toolkit to PATH, or set REGDEM_NVCC to nvcc's path");
  setenv(RunsVariable, Nvcc.c_str(), /*replace=*/1);

  std::vector<std::string> Words = {
      Nvcc, "--ptxas-prefix", quoted(Assembler.string()) + " --in-place-of"};
  std::vector<char *> Args;
  for (std::string &Word : Words)
    Args.push_back(Word.data());
  Args.insert(Args.end(), Argv + 1, Argv + Argc);
  Args.push_back(nullptr);

  // What stands behind -Xlinker or --linker-options is for others.
  auto IsForOthers = [](std::string_view Arg) {
    constexpr std::string_view Options = "-options";
    return Arg.substr(0, 2) == "-X" ||
           (Arg.size() > Options.size() &&
            Arg.substr(Arg.size() - Options.size()) == Options);
  };
  auto Has = [&](std::string_view Long, std::string_view Short) {
    for (int I = 1; I < Argc; ++I)
      if ((Argv[I] == Long || Argv[I] == Short) && !IsForOthers(Argv[I - 1]))
        return true;
    return false;
  };
  if (Has("--help", "-h"))
    return runAndPrint(Nvcc, Args.data(), regdem::HelpOnVariables);
  // Last, and without a release: scripts read nvcc's from what is printed.
  if (Has("--version", "-V"))
    return runAndPrint(Nvcc, Args.data(),
                       "RegDem " REGDEM_VERSION " in place of ptxas\n");
  execv(Nvcc.c_str(), Args.data());
  return cannotRun(Nvcc);
}
