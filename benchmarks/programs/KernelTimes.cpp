//===- KernelTimes.cpp - The time of every kernel a program launches ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that the CUDA driver loads into a program that it starts for, if
// CUDA_INJECTION64_PATH names it. CUPTI tells it when each kernel began and
// ended on the GPU, however it was launched, so that the host's part of a
// launch is not in the times and the program needs no change. At the end the
// launches go to the file that REGDEM_KERNEL_TIMES names, the same kernel with
// the same grid and block on one line:
//
//   name <tab> grid <tab> block <tab> registers <tab> bytes of local memory per
//   thread <tab> dynamic shared memory <tab> launches <tab> nanoseconds, all
//   <tab> nanoseconds, the shortest
//
// If CUPTI loses records, the file says so in a line "lost <tab> N".
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <map>
#include <mutex>
#include <string>

namespace {

struct Times {
  uint64_t Launches = 0, Sum = 0, Shortest = UINT64_MAX;
};

constexpr size_t BufferBytes = 4 << 20, Alignment = 8;

std::mutex Lock;
std::map<std::string, Times> Kernels;
uint64_t Lost = 0;

/// The columns that launches of one line share.
std::string describe(const CUpti_ActivityKernel10 &Launch) {
  char Text[160];
  std::snprintf(Text, sizeof Text, "\t%d,%d,%d\t%d,%d,%d\t%u\t%u\t%d",
                Launch.gridX, Launch.gridY, Launch.gridZ, Launch.blockX,
                Launch.blockY, Launch.blockZ, Launch.registersPerThread,
                Launch.localMemoryPerThread, Launch.dynamicSharedMemory);
  return std::string(Launch.name ? Launch.name : "?") + Text;
}

void CUPTIAPI giveBuffer(uint8_t **Buffer, size_t *Bytes, size_t *Records) {
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(Alignment, BufferBytes));
  *Bytes = *Buffer ? BufferBytes : 0;
  *Records = 0;
}

void CUPTIAPI takeBuffer(CUcontext Context, uint32_t Stream, uint8_t *Buffer,
                         size_t, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  CUpti_Activity *Record = nullptr;
  while (cuptiActivityGetNextRecord(Buffer, Bytes, &Record) == CUPTI_SUCCESS) {
    if (Record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    const auto &Launch = *reinterpret_cast<CUpti_ActivityKernel10 *>(Record);
    Times &Found = Kernels[describe(Launch)];
    const uint64_t Time = Launch.end - Launch.start;
    ++Found.Launches;
    Found.Sum += Time;
    if (Time < Found.Shortest)
      Found.Shortest = Time;
  }
  size_t Dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(Context, Stream, &Dropped) ==
      CUPTI_SUCCESS)
    Lost += Dropped;
  std::free(Buffer);
}

/// A reset ends the context, and with it the records that are not flushed.
void CUPTIAPI beforeReset(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                          const void *Data) {
  if (static_cast<const CUpti_CallbackData *>(Data)->callbackSite ==
      CUPTI_API_ENTER)
    cuptiActivityFlushAll(0);
}

bool start() {
  CUpti_SubscriberHandle Subscriber;
  return cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer) ==
             CUPTI_SUCCESS &&
         cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ==
             CUPTI_SUCCESS &&
         cuptiSubscribe(&Subscriber, beforeReset, nullptr) == CUPTI_SUCCESS &&
         cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                             CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020) ==
             CUPTI_SUCCESS;
}

void write() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *Path = std::getenv("REGDEM_KERNEL_TIMES");
  std::FILE *File = Path ? std::fopen(Path, "w") : nullptr;
  if (!File)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  for (const auto &[Kernel, Found] : Kernels)
    std::fprintf(File, "%s\t%llu\t%llu\t%llu\n", Kernel.c_str(),
                 static_cast<unsigned long long>(Found.Launches),
                 static_cast<unsigned long long>(Found.Sum),
                 static_cast<unsigned long long>(Found.Shortest));
  if (Lost)
    std::fprintf(File, "lost\t%llu\n", static_cast<unsigned long long>(Lost));
  std::fclose(File);
}

} // namespace

/// What the driver calls; 1 is success.
extern "C" int InitializeInjection() {
  if (!start()) {
    std::fprintf(stderr, "KernelTimes: CUPTI does not start\n");
    return 0;
  }
  std::atexit(write);
  return 1;
}
