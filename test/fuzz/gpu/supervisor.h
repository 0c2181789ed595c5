//===- supervisor.h - keeps workers going -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the worker as a process of its own and reads its lines. A worker that
// ends after a kernel's fault, dies, or is silent for too long (then it is
// killed) costs that one kernel: the next worker begins after it.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_GPU_SUPERVISOR_H
#define REGDEM_FUZZ_GPU_SUPERVISOR_H

#include <chrono>
#include <csignal>
#include <poll.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// Verdict: passed, mismatch, unstable, {stock,regdem}-{fault,hang,death}, or
/// not-run.
struct Verdict {
  std::string Name = "not-run", Text;
};

class Supervisor {
public:
  /// Command: of a worker, to which the first kernel's index is appended.
  /// SilenceSeconds: how long a worker may write nothing.
  Supervisor(std::vector<std::string> Command, size_t Kernels,
             unsigned SilenceSeconds)
      : Verdicts(Kernels), Command(std::move(Command)),
        SilenceSeconds(SilenceSeconds) {}

  /// False if the device could not be used to the end.
  bool run() {
    size_t Next = 0;
    while (Next < Verdicts.size()) {
      At = -1;
      Build.clear();
      if (!start(Next))
        return false;
      bool Silent = !listen();
      if (Silent)
        kill(Child, SIGKILL);
      close(Pipe);
      int Status = 0;
      waitpid(Child, &Status, 0);
      if (At >= 0 && Verdicts[At].Name == "not-run") {
        Verdicts[At].Name = Build + (Silent ? "-hang" : "-death");
        Verdicts[At].Text = Silent ? "no answer" : "the worker died";
      } else if (At < 0 || (WIFEXITED(Status) && WEXITSTATUS(Status) == 2)) {
        return false;
      }
      Next = static_cast<size_t>(At) + 1;
    }
    return true;
  }

  const std::string &device() const { return DeviceName; }

  std::vector<Verdict> Verdicts;

private:
  bool start(size_t First) {
    int Ends[2];
    if (pipe(Ends))
      return false;
    std::vector<std::string> Words = Command;
    Words.push_back(std::to_string(First));
    std::vector<char *> Arguments;
    for (std::string &W : Words)
      Arguments.push_back(W.data());
    Arguments.push_back(nullptr);
    Child = fork();
    if (Child == 0) {
      dup2(Ends[1], 1);
      close(Ends[0]);
      close(Ends[1]);
      execv("/proc/self/exe", Arguments.data());
      _exit(2);
    }
    close(Ends[1]);
    Pipe = Ends[0];
    return Child > 0;
  }

  // Reads until the worker ends. False if it was silent for too long.
  bool listen() {
    std::string Rest;
    char Buffer[4096];
    while (true) {
      pollfd Poll = {Pipe, POLLIN, 0};
      int Ready = poll(&Poll, 1, static_cast<int>(SilenceSeconds) * 1000);
      if (Ready == 0)
        return false;
      ssize_t Count = Ready < 0 ? 0 : read(Pipe, Buffer, sizeof(Buffer));
      if (Count <= 0)
        return true;
      Rest.append(Buffer, static_cast<size_t>(Count));
      for (size_t End; (End = Rest.find('\n')) != std::string::npos;
           Rest.erase(0, End + 1))
        take(Rest.substr(0, End));
    }
  }

  void take(const std::string &Line) {
    std::istringstream Words(Line);
    std::string First;
    Words >> First >> std::ws;
    if (First == "device") {
      std::getline(Words, DeviceName);
      return;
    }
    size_t Index = 0;
    if (!(Words >> Index) || Index >= Verdicts.size())
      return;
    At = static_cast<long>(Index);
    if (First == "at") {
      Words >> Build;
    } else {
      Words >> Verdicts[Index].Name >> std::ws;
      std::getline(Words, Verdicts[Index].Text);
    }
  }

  std::vector<std::string> Command;
  unsigned SilenceSeconds;
  std::string DeviceName = "no device", Build;
  pid_t Child = -1;
  int Pipe = -1;
  long At = -1;
};

#endif
