//===- Dispatcher.h - what chooses a build at launch ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that Dispatch.cpp puts into a host module and Dispatcher.c, which
// it links into the same module, reads. Change both sides together.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_LAUNCH_DISPATCHER_H
#define REGDEM_LIB_LAUNCH_DISPATCHER_H

#include <stdint.h>

// Of the CUDA runtime.
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaStreamIsCapturing(void *Stream, int *Status);
int cudaThreadExchangeStreamCaptureMode(int *Mode);
enum { CaptureModeRelaxed = 2 };

/// See BlockTimes.
typedef struct {
  uint32_t Blocks, Alone, Full;
} RegDemTimes;

/// Launches of one build on GPUs of one architecture: see LaunchRow.
typedef struct {
  uint32_t Arch; ///< 90 for compute capability 9.0.
  uint32_t FromThreads, Threads;
  uint32_t Build; ///< From 1.
  uint32_t MostDynamic, ThreadBytes;
  uint32_t AnyLaunch, OnlyBuild, MayWait; ///< 0 or 1.
  RegDemTimes Own, Stock;
} RegDemRow;

/// A build. Bit D of a mask is for device D, here and below.
typedef struct {
  const void *Stub;  ///< By which the runtime knows it.
  uint64_t Unusable; ///< Where it is never to be launched (again).
} RegDemBuild;

/// A kernel that has builds.
typedef struct {
  const void *Stub; ///< Of the kernel itself.
  const char *Name;
  const RegDemRow *Rows;
  RegDemBuild *Builds;
  uint32_t NumRows, NumBuilds;
  uint64_t Loaded; ///< Where all builds that rows name have been loaded.
} RegDemKernel;

/// What cudaLaunchKernel() gets. A dim3 is passed in two words (System V ABI
/// for x86-64).
typedef struct {
  RegDemKernel *Kernel;
  uint64_t GridXY, BlockXY;
  uint32_t GridZ, BlockZ;
  void **Args;
  uint64_t Shared;
  void *Stream;
} RegDemLaunch;

/// A launch that is being timed, or none: null and null.
typedef struct {
  void *Kind, *Sample;
} RegDemSample;

/// What is known of a launch besides what the program states.
typedef struct {
  uint64_t Grid, Threads, OnSM; ///< OnSM: blocks that an SM gets.
  int Device;
  uint32_t Arch;
} RegDemPlace;

/// The most builds that a kernel has: MostLaunchBuilds.
enum { RegDemMostBuilds = 3 };

/// The rows by which a launch may take builds, by the build's number; null: it
/// may not. The kernel itself, number 0, has no row.
typedef struct {
  const RegDemRow *Rows[RegDemMostBuilds + 1];
} RegDemChoices;

/// The builds that may be faster than the kernel for L at P: all that it can
/// take, but for those that hold more blocks where all have room as the kernel.
RegDemChoices __regdem_choices(const RegDemLaunch *L, const RegDemPlace *P);

/// The row by which L takes a build by what is expected; null: it takes the
/// kernel itself.
const RegDemRow *__regdem_choose(const RegDemLaunch *L, const RegDemPlace *P);

/// The same where all that it may take are measured. __regdem_measured() is to
/// follow on the same thread, whether or not L has failed. A launch under
/// stream capture is not timed.
const RegDemRow *__regdem_measure(const RegDemLaunch *L, const RegDemPlace *P,
                                  RegDemSample *Timed);
void __regdem_measured(const RegDemLaunch *L, RegDemSample *Timed,
                       int HasFailed);

/// Notes what has been measured of launches as L: medians in milliseconds, of
/// the kernel and of the best build.
void __regdem_log_settled(const RegDemLaunch *L, uint32_t Chosen, float Stock,
                          float Build);

/// Notes that L, which has succeeded, took Build (0: the kernel itself).
void __regdem_log(const RegDemLaunch *L, uint32_t Build);

#endif // REGDEM_LIB_LAUNCH_DISPATCHER_H
