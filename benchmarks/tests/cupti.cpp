//===- cupti.cpp - A CUPTI of recorded launches ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcupti where KernelTimes.cpp is tested without a GPU. It
// gives the launches below: two of one kernel, one of another. As the real one
// may, it hands over a buffer that also has a record of another kind, and loses
// as many records as FAKE_CUPTI_LOST says.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>
#include <cstring>
#include <cupti.h>

static CUpti_BuffersCallbackRequestFunc Give;
static CUpti_BuffersCallbackCompleteFunc Take;
static size_t Next = 0;

static CUpti_ActivityKernel10 launch(const char *Name, int Grid,
                                     uint64_t Time) {
  CUpti_ActivityKernel10 Record;
  std::memset(&Record, 0, sizeof Record);
  Record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  Record.name = Name;
  Record.gridX = Grid;
  Record.gridY = Record.gridZ = Record.blockY = Record.blockZ = 1;
  Record.blockX = 128;
  Record.registersPerThread = 40;
  Record.start = 1000;
  Record.end = 1000 + Time;
  return Record;
}

extern "C" {

CUptiResult
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc Request,
                               CUpti_BuffersCallbackCompleteFunc Complete) {
  Give = Request;
  Take = Complete;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind Kind) {
  return Kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
             ? CUPTI_SUCCESS
             : CUPTI_ERROR_INVALID_KIND;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *, CUpti_CallbackFunc,
                           void *) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain, CUpti_CallbackId) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t) {
  uint8_t *Buffer = nullptr;
  size_t Bytes = 0, Records = 0;
  Give(&Buffer, &Bytes, &Records);
  Next = 0;
  Take(nullptr, 0, Buffer, Bytes, 4);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *, size_t Valid,
                                       CUpti_Activity **Record) {
  static CUpti_ActivityKernel10 Launches[] = {
      launch("first(int)", 7, 300), launch("other", 7, 50),
      launch("first(int)", 7, 200), launch("first(int)", 9, 400)};
  Launches[1].kind = CUPTI_ACTIVITY_KIND_KERNEL;
  if (Next == Valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *Record = reinterpret_cast<CUpti_Activity *>(&Launches[Next++]);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t,
                                              size_t *Dropped) {
  const char *Lost = std::getenv("FAKE_CUPTI_LOST");
  *Dropped = Lost ? std::strtoul(Lost, nullptr, 10) : 0;
  return CUPTI_SUCCESS;
}

int InitializeInjection();
}

/// In the CUDA driver's place.
int main() { return InitializeInjection() == 1 ? 0 : 1; }
