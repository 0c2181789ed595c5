//===- Dispatched.cpp - launches through the dispatcher -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program whose kernel "k" has the builds and rows that stand here, so that
// tests of the dispatcher depend on no decision. %dispatched compiles it with
// the dispatcher's own sources and the recording runtime. Its arguments say
// what it does, one after the other.
//
// Blocks of 225 to 256 threads and those of one warp are for build 1, which
// adds memory; of 481 to 512 for build 2, which takes any launch. Both pay in
// large grids.
//
//===----------------------------------------------------------------------===//

extern "C" {
#include "Dispatcher.h"
}

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
int __regdem_launch(RegDemKernel *Kernel, uint64_t GridXY, uint32_t GridZ,
                    uint64_t BlockXY, uint32_t BlockZ, void **Args,
                    size_t Shared, void *Stream);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int,
                            void *, void *, void *, void *, int *);
int cudaGetLastError();
int cudaSetDevice(int);
int cudaDeviceReset();
int recordedStaleEvents();
}

namespace {

/// After which a process ends that waits for itself.
constexpr unsigned MostSeconds = 60;

char Stub, Stubs[2];
constexpr RegDemTimes Fast{4, 10, 10}, Slow{2, 100, 100};
constexpr RegDemRow Rows[] = {{90, 1, 32, 1, 4096, 16, 0, 0, 1, Fast, Slow},
                              {90, 225, 256, 1, 4096, 16, 0, 0, 1, Fast, Slow},
                              {90, 481, 512, 2, 4096, 0, 1, 0, 1, Fast, Slow}};
RegDemBuild Builds[] = {{&Stubs[0], 0}, {&Stubs[1], 0}};
RegDemKernel Kernel{&Stub, "k", Rows, Builds, 3, 2, 0};

void *const Capturing = reinterpret_cast<void *>(0xca); // As FAKE plays it.
void *CurrentStream = reinterpret_cast<void *>(0x57);

void launch(unsigned Threads) {
  __regdem_launch(&Kernel, uint64_t(1) << 32 | 100000, 1,
                  uint64_t(1) << 32 | Threads, 1, nullptr, 0, CurrentStream);
}

/// What is to happen at the next event, and the next time that the log is
/// opened.
std::atomic<void (*)()> AtEvent{nullptr}, AtOpening{nullptr};

void happen(std::atomic<void (*)()> &What) {
  if (auto *Now = What.exchange(nullptr))
    Now();
}

/// Launches as another thread does.
void inThread() {
  std::thread([] { launch(256); }).join();
  std::puts("another thread has launched");
}

/// Launches as a child does.
void inChild() {
  std::fflush(stdout);
  pid_t Child = fork();
  if (!Child) {
    alarm(MostSeconds);
    launch(256);
    std::exit(0);
  }
  int Status = 1;
  waitpid(Child, &Status, 0);
  std::printf("child ends with %d\n", Status);
}

int openFile(const char *Path, int Flags, mode_t Mode) {
  const char *Log = std::getenv("REGDEM_LAUNCH_LOG");
  if (Log && !std::strcmp(Path, Log)) {
    if (std::getenv("SHOW_OPENING"))
      std::printf("log opened, closed in other programs: %d\n",
                  (Flags & O_CLOEXEC) != 0);
    happen(AtOpening);
  }
  return int(syscall(SYS_openat, AT_FDCWD, Path, Flags, Mode));
}

void act(const std::string &What) {
  if (What == "capture")
    CurrentStream = Capturing;
  else if (What == "legacy")
    CurrentStream = nullptr;
  else if (What == "plain")
    CurrentStream = reinterpret_cast<void *>(0x57);
  else if (What == "device0" || What == "device1")
    cudaSetDevice(What.back() - '0');
  else if (What == "pending")
    cudaSetDevice(99); // Leaves an error.
  else if (What == "error")
    std::printf("error %d\n", cudaGetLastError());
  else if (What == "reset")
    cudaDeviceReset();
  else if (What == "stale")
    std::printf("%d uses of events that are gone\n", recordedStaleEvents());
  else if (What == "event-thread")
    AtEvent = inThread;
  else if (What == "event-child")
    AtEvent = inChild;
  else if (What == "log-thread")
    AtOpening = inThread;
  else if (What == "log-child")
    AtOpening = inChild;
  else if (What == "quote")
    Kernel.Name = "a \"k\" \\ \t\xc3\xa9";
  else
    launch(unsigned(std::atoi(What.c_str())));
}

} // namespace

// In place of libc's, for programs that do not trust their environment, and to
// see the log opened, in whatever way.
extern "C" char *secure_getenv(const char *Name) noexcept {
  return std::getenv("PLAY_SETUID") ? nullptr : std::getenv(Name);
}
extern "C" int open(const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  mode_t Mode = Flags & O_CREAT ? va_arg(Rest, mode_t) : 0;
  va_end(Rest);
  return openFile(Path, Flags, Mode);
}
extern "C" FILE *fopen(const char *Path, const char *Mode) {
  int Flags = *Mode == 'a'   ? O_WRONLY | O_APPEND | O_CREAT
              : *Mode == 'w' ? O_WRONLY | O_TRUNC | O_CREAT
                             : O_RDONLY;
  int File =
      openFile(Path, std::strchr(Mode, 'e') ? Flags | O_CLOEXEC : Flags, 0666);
  return File < 0 ? nullptr : fdopen(File, Mode);
}
extern "C" void onEventRecord() { happen(AtEvent); }

int main(int Count, char **Args) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  alarm(MostSeconds);
  __cudaRegisterFunction(nullptr, &Stub, nullptr, "k", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFunction(nullptr, &Stubs[0], nullptr, "k$regdem1", -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFunction(nullptr, &Stubs[1], nullptr, "k$regdem2", -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  for (int I = 1; I != Count; ++I)
    act(Args[I]);
}
