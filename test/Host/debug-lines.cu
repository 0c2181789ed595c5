// Debug information of host and device code keeps no launch from choosing.
// REQUIRES: clang-cuda
// RUN: %launches -g -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %launches -gline-tables-only -Xclang -verify -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
//
// Code for a debugger is not optimized, and has no builds.
// RUN: %launches -g --cuda-noopt-device-debug -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s --check-prefix=DEBUGGER
// DEBUGGER: launch _Z4stepPKjS0_Pji grid
// CHECK: launch _Z4stepPKjS0_Pji$regdem1 grid
#include "Inputs/stepping.h"
// expected-no-diagnostics

int main() { step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0); }
