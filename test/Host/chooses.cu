// Each launch takes the build that the kernel's table names for its block, grid
// and device, or the kernel itself: for sizes and shapes of all kinds, on two
// devices, from two threads, and where builds are missing or fail.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -lpthread -o %t.exe
//
// RUN: %t.exe sizes > %t.sizes
// RUN: %expect %t.jsonl --least 9 < %t.sizes
// RUN: env FAKE_DEVICES=90x1 %t.exe sizes > %t.small
// RUN: env FAKE_DEVICES=90x1 %expect %t.jsonl --least 9 < %t.small
//
// On a device that the machine code is not made for, and on demand, stock:
// RUN: env FAKE_DEVICES=80x108 %t.exe sizes | FileCheck %s --check-prefix=STOCK
// RUN: env FAKE_DEVICES=103x148 %t.exe sizes | FileCheck %s --check-prefix=STOCK
// RUN: env REGDEM_LAUNCH=stock %t.exe sizes | FileCheck %s --check-prefix=STOCK
// STOCK: launch _Z4stepPKjS0_Pji grid
// STOCK-NOT: $regdem
//
// RUN: env FAKE_DEVICES=80x108,90x132 %t.exe devices > %t.devices
// RUN: env FAKE_DEVICES=80x108,90x132 %expect %t.jsonl < %t.devices
// RUN: FileCheck %s --check-prefix=DEVICES < %t.devices
// DEVICES: launch _Z4stepPKjS0_Pji grid {{.*}} device 0
// DEVICES: launch _Z4stepPKjS0_Pji$regdem1 grid {{.*}} device 1
//
// RUN: %t.exe threads > %t.threads
// RUN: %expect %t.jsonl --least 2000 < %t.threads
//
// The log has each kind of launch when it is first seen and their number.
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH_LOG=%t.log %t.exe threads
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=event < %t.log
// LOG: {"event":"first","kernel":"_Z4stepPKjS0_Pji","block":[256,1,1],"dynamic_smem":0,"build":1,"grid":[1000000,1,1]}
// LOG: {"event":"exit","kernel":"_Z4stepPKjS0_Pji","block":[256,1,1],"dynamic_smem":0,"build":1,"launches":2000}
//
// Measured on demand: the build stays where it is the faster one, and the
// kernel replaces it where that is. What has been found out holds for the rest.
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log FAKE_TIMES='_Z4stepPKjS0_Pji=2,_Z4stepPKjS0_Pji$regdem1=1.5' %t.exe repeat > %t.faster
// RUN: FileCheck %s --check-prefix=FASTER < %t.log
// RUN: FileCheck %s --check-prefix=TURNS < %t.faster
// RUN: tail -n 20 %t.faster | FileCheck %s --check-prefix=ONLYBUILD
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log FAKE_TIMES='_Z4stepPKjS0_Pji=2,_Z4stepPKjS0_Pji$regdem1=2.5' %t.exe repeat > %t.slower
// RUN: FileCheck %s --check-prefix=SLOWER < %t.log
// RUN: tail -n 20 %t.slower | FileCheck %s --check-prefix=ONLYKERNEL
// FASTER: {"event":"settled","kernel":"_Z4stepPKjS0_Pji","block":[256,1,1],"dynamic_smem":0,"grid":[1000000,1,1],"build":1,"kernel_ms":2.000000,"build_ms":1.500000}
// FASTER: {"event":"exit",{{.*}},"build":{{[01]}},"launches":[[#]]}
// SLOWER: {"event":"settled",{{.*}},"build":0,"kernel_ms":2.000000,"build_ms":2.500000}
// TURNS: launch _Z4stepPKjS0_Pji grid
// TURNS-NEXT: launch _Z4stepPKjS0_Pji grid
// TURNS-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid
// TURNS-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid
// TURNS-NEXT: launch _Z4stepPKjS0_Pji grid
// ONLYBUILD-NOT: launch _Z4stepPKjS0_Pji grid
// ONLYKERNEL-NOT: $regdem
// So it is for each of as many kinds of launches as there may be.
// RUN: rm -f %t.log
// RUN: env FAKE_QUIET=1 REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log %t.exe kinds
// RUN: grep settled %t.log | grep -o '"block":[^,]*' | sort | uniq -d | count 0
// RUN: grep -c settled %t.log | FileCheck %s --check-prefix=KINDS
// KINDS: {{^([89]..|1...)$}}
// The measuring has a budget: a build that takes three times as long has one
// turn, and launches that are too short for two rounds go by what is expected,
// once the kernel has been timed.
// RUN: env REGDEM_LAUNCH=measure FAKE_TIMES='_Z4stepPKjS0_Pji=2,_Z4stepPKjS0_Pji$regdem1=6.2' %t.exe repeat | FileCheck %s --check-prefix=ONETURN
// ONETURN: launch _Z4stepPKjS0_Pji grid
// ONETURN: launch _Z4stepPKjS0_Pji$regdem1 grid
// ONETURN-NOT: $regdem1
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log FAKE_TIMES='_Z4stepPKjS0_Pji=0.009,_Z4stepPKjS0_Pji$regdem1=0.02' %t.exe repeat | FileCheck %s --check-prefix=SHORT
// RUN: not grep settled %t.log
// SHORT: launch _Z4stepPKjS0_Pji grid
// SHORT-NEXT: launch _Z4stepPKjS0_Pji grid
// SHORT-NOT: launch _Z4stepPKjS0_Pji grid
// The latter are measured once there have been enough of them.
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t.log FAKE_TIMES='_Z4stepPKjS0_Pji=0.009,_Z4stepPKjS0_Pji$regdem1=0.02' %t.exe often > %t.often
// RUN: FileCheck %s --check-prefix=OFTEN < %t.log
// RUN: head -n 1781 %t.often | tail -n 1779 | FileCheck %s --check-prefix=ONLYBUILD
// RUN: tail -n 200 %t.often | FileCheck %s --check-prefix=ONLYKERNEL
// OFTEN: {"event":"settled",{{.*}},"build":0,"kernel_ms":0.009000,"build_ms":0.020000}
// With two threads at once:
// RUN: env REGDEM_LAUNCH=measure FAKE_QUIET=1 %t.exe threads
//
// One build on demand, for all that it can take:
// RUN: env REGDEM_LAUNCH=1 %t.exe sizes | FileCheck %s --check-prefix=FORCED
// FORCED: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 1 1 1
// FORCED-NOT: $regdem2
// FORCED: launch _Z4stepPKjS0_Pji grid 1000000 1 1 block 256 1 1 smem 49152
//
// A build that no device's code has is not launched.
// RUN: env FAKE_MISSING='_Z4stepPKjS0_Pji$regdem1' %t.exe sizes > %t.missing
// RUN: %expect %t.jsonl --not '_Z4stepPKjS0_Pji$regdem1' < %t.missing
//
// One that fails is tried once more, as after a reset of the device, then
// replaced by stock and not tried again.
// RUN: env FAKE_FAIL='_Z4stepPKjS0_Pji$regdem1' %t.exe errors | FileCheck %s --check-prefix=FAILS
// FAILS: launch _Z4stepPKjS0_Pji grid
// FAILS-NEXT: returned 0, then 0
// FAILS-NEXT: launch _Z4stepPKjS0_Pji grid
// FAILS-NEXT: returned 0, then 0
// FAILS-NEXT: attempts 2
// Of wrong launches the errors are stock's: no thread, too many, and stock's
// own failure. They do not cost the build its place.
// FAILS-NEXT: returned 9, then 9
// FAILS-NEXT: returned 9, then 9
// RUN: env FAKE_FAIL='_Z4stepPKjS0_Pji$regdem1,_Z4stepPKjS0_Pji' %t.exe errors | FileCheck %s --check-prefix=BOTH
// BOTH: returned 701, then 701
// BOTH-NEXT: returned 701, then 701
// BOTH-NEXT: attempts 4
#include "Inputs/stepping.h"
#include <cstdio>
#include <cstring>
#include <thread>

extern "C" int recordedFailures();

static const unsigned Many = 1000000;

static void launch(dim3 Grid, dim3 Block, size_t Shared = 0) {
  step<<<Grid, Block, Shared>>>(nullptr, nullptr, nullptr, 0);
}

static void sizes() {
  for (unsigned Threads :
       {1,   31,  32,  33,  64,  96,  97,  127, 128,  129, 192,
        225, 250, 256, 257, 384, 481, 512, 768, 1023, 1024})
    launch(Many, Threads);
  launch(Many, dim3(16, 16));
  launch(Many, dim3(8, 8, 4));
  launch(dim3(100, 100, 100), dim3(5, 51)); // 255 threads
  for (unsigned Blocks : {1, 131, 132, 133, 264, 265, 396, 397, 527, 528, 529,
                          791, 792, 1055, 1056, 1057, 1500, 2112, 3000})
    for (unsigned Threads : {64, 128, 256, 512, 1024})
      launch(Blocks, Threads);
  launch(dim3(1, 65535, 65535), 256);
  for (size_t Shared : {1, 16384, 49152})
    launch(Many, 256, Shared);
}

static void devices() {
  for (int Device : {0, 1, 0, 1}) {
    cudaSetDevice(Device);
    launch(Many, 256);
  }
}

static void threads() {
  auto Launches = [] {
    for (unsigned I = 0; I != 1000; ++I)
      launch(Many, 256);
  };
  std::thread Other(Launches);
  Launches();
  Other.join();
}

static void repeat(unsigned Times) {
  for (unsigned I = 0; I != Times; ++I)
    launch(Many, 256);
}

static void kinds() {
  for (unsigned Launches = 0; Launches != 20; ++Launches)
    for (unsigned Threads = 1; Threads <= 1024; ++Threads)
      launch(Many, Threads);
}

static void check(dim3 Block) {
  void *None = nullptr;
  void *Args[] = {&None, &None, &None, &None};
  int Error = cudaLaunchKernel(step, Many, Block, Args, 0, 0);
  std::printf("returned %d, then %d\n", Error, cudaGetLastError());
}

static void errors() {
  check(256);
  check(256);
  std::printf("attempts %d\n", recordedFailures());
  check(0);
  check(2048);
}

int main(int, char **Args) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  auto Is = [Args](const char *Name) { return !std::strcmp(Args[1], Name); };
  Is("sizes")     ? sizes()
  : Is("devices") ? devices()
  : Is("threads") ? threads()
  : Is("errors")  ? errors()
  : Is("repeat")  ? repeat(40)
  : Is("often")   ? repeat(2000)
                  : kinds();
}
