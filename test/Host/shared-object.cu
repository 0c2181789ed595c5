// A shared object with launches is loaded and unloaded: its log is written when
// it goes, and nothing of it is called any more. Two files of one program, both
// with builds, do not get into each other's way.
// REQUIRES: clang-cuda
// RUN: %launches -fPIC -DNAME=first -c %s -o %t.1.o
// RUN: %launches -fPIC -DNAME=second -c %s -o %t.2.o
// RUN: %clang -shared %t.1.o %t.2.o -o %t.so
// RUN: %clang -x c++ -DLOADER %s -x none -rdynamic -Wl,--whole-archive %recording-runtime -Wl,--no-whole-archive -ldl -o %t.exe
// RUN: rm -f %t.log
// RUN: env REGDEM_LAUNCH_LOG=%t.log %t.exe %t.so | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// CHECK: launch _Z5firstPKjS0_Pji$regdem1 grid
// CHECK-NEXT: launch _Z6secondPKjS0_Pji$regdem1 grid
// CHECK-NEXT: 4 lines once it is unloaded
// LOG-DAG: {"event":"exit","kernel":"_Z5firstPKjS0_Pji",{{.*}}"launches":1}
// LOG-DAG: {"event":"exit","kernel":"_Z6secondPKjS0_Pji",{{.*}}"launches":1}
#ifdef LOADER
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

int main(int, char **Args) {
  void *Object = dlopen(Args[1], RTLD_NOW);
  for (const char *Name : {"run_first", "run_second"})
    reinterpret_cast<void (*)()>(dlsym(Object, Name))();
  dlclose(Object);
  int Lines = 0;
  if (std::FILE *Log = std::fopen(std::getenv("REGDEM_LAUNCH_LOG"), "r"))
    for (int C; (C = std::fgetc(Log)) != EOF;)
      Lines += C == '\n';
  std::printf("%d lines once it is unloaded\n", Lines);
}
#else
#include "Inputs/walk.h"

#define CONCAT(A, B) A##B
#define RUN(Name) CONCAT(run_, Name)

__global__ void NAME(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

extern "C" void RUN(NAME)() {
  NAME<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
}
#endif
