//===- RecordingRuntime.cpp - a CUDA runtime that records launches --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands for libcudart where there is no GPU. It has the functions that a
// program of clang's or nvcc's with launches calls, runs no kernel, and prints
// each launch that succeeds:
//
//   launch NAME grid 1 1 1 block 256 1 1 smem 0 asked 0 device 0
//
// where "asked" is the dynamic shared memory that the last <<<>>> stated.
//
// The environment says what it plays:
//   FAKE_DEVICES=90x132,80x108  compute capability and SMs of each device
//   FAKE_FAIL=NAME,…            entries whose launches fail
//   FAKE_MISSING=NAME,…         entries that no device's code has
//   FAKE_TIMES=NAME=1.5,…       milliseconds that launches take (default 1)
//   FAKE_QUIET=1                prints nothing
//   FAKE_OPTIN=N                bytes of shared memory a block at most (232448)
//   FAKE_STATIC=NAME=N,…        bytes of it that are an entry's own (0)
//   FAKE_NO_OPTIN=NAME,…        entries that cannot opt in to more
//   FAKE_THREADS=NAME=N,…       most threads of an entry's blocks (1024)
//   FAKE_CALLS=1                prints calls that a launch makes besides itself
//   FAKE_CAPTURING=1            a stream that the legacy stream waits for is
//                               capturing, all the time
//
// What a program prefers of L1 and shared memory is printed as it is stated.
//
// Errors are kept per thread as libcudart keeps them.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

// Values of cudaError_t and cudaDeviceAttr (driver_types.h).
enum : int {
  Success = 0,
  InvalidValue = 1,
  InvalidConfiguration = 9,
  InvalidDeviceFunction = 98,
  InvalidDevice = 101,
  InvalidHandle = 400,
  OutOfResources = 701,
  CaptureUnsupported = 900,
  CaptureImplicit = 906
};
enum : int { RelaxedMode = 2 }; // cudaStreamCaptureModeRelaxed
enum : int {
  MultiProcessors = 16,
  Major = 75,
  Minor = 76,
  SharedPerBlockOptin = 97
};
/// Shared memory of a block that has not opted in to more, and the attribute
/// that does so.
constexpr size_t UsualShared = 48 * 1024;
enum : int { MaxDynamicShared = 8, Carveout = 9 };

struct Dim3 {
  unsigned X, Y, Z;
};

struct Device {
  int Arch, SMs;
};

struct Configuration {
  Dim3 Grid, Block;
  size_t Shared;
  void *Stream;
};

struct Event {
  double Time = 0;
};

std::mutex Lock;
int Failures = 0;    ///< Launches of builds that FAKE_FAIL has made fail.
int StaleEvents = 0; ///< Uses of events that are not there any more.
double Clock = 0;    ///< Milliseconds of all launches so far.
thread_local int LastError = Success;
thread_local int CurrentDevice = 0;
thread_local int CaptureMode = 0;
thread_local std::vector<Configuration> Configurations;
thread_local size_t Asked = 0;

/// Names of entries by their stubs. Programs register them before this file's
/// variables are constructed.
std::map<const void *, std::string> &functions() {
  static std::map<const void *, std::string> Functions;
  return Functions;
}

/// What entries have opted in to.
std::map<std::string, size_t> &optedIn() {
  static std::map<std::string, size_t> Bytes;
  return Bytes;
}

size_t mostShared() {
  const char *Text = std::getenv("FAKE_OPTIN");
  return Text ? std::strtoull(Text, nullptr, 10) : 232448;
}

std::vector<std::string> listOf(const char *Variable) {
  const char *Text = std::getenv(Variable);
  std::istringstream In(Text ? Text : "");
  std::vector<std::string> Items;
  for (std::string Item; std::getline(In, Item, ',');)
    Items.push_back(Item);
  return Items;
}

bool names(const char *Variable, const std::string &Name) {
  for (const std::string &Item : listOf(Variable))
    if (Item == Name)
      return true;
  return false;
}

std::vector<Device> devices() {
  std::vector<Device> List;
  for (const std::string &Item : listOf("FAKE_DEVICES")) {
    Device D{};
    if (std::sscanf(Item.c_str(), "%dx%d", &D.Arch, &D.SMs) == 2)
      List.push_back(D);
  }
  if (List.empty())
    List.push_back({90, 132});
  return List;
}

/// The number that Variable has for Name.
double numberFor(const char *Variable, const std::string &Name, double Usual) {
  for (const std::string &Item : listOf(Variable)) {
    size_t Equals = Item.rfind('=');
    if (Equals != std::string::npos && Item.substr(0, Equals) == Name)
      return std::atof(Item.c_str() + Equals + 1);
  }
  return Usual;
}

/// Events that have been created and not destroyed.
std::set<const void *> &liveEvents() {
  static std::set<const void *> Events;
  return Events;
}

int fail(int Error) {
  LastError = Error;
  return Error;
}

void noteCall(const char *Name, const std::string &Of = "") {
  if (std::getenv("FAKE_CALLS"))
    std::printf("call %s %s\n", Name, Of.c_str());
}

/// Whether a stream's capturing forbids what may load code or wait.
bool isForbidden() {
  return std::getenv("FAKE_CAPTURING") && CaptureMode != RelaxedMode;
}

/// What a call gets that uses Handle.
int checkEvent(const void *Handle) {
  if (isForbidden())
    return fail(CaptureUnsupported);
  if (liveEvents().count(Handle))
    return Success;
  ++StaleEvents;
  return fail(InvalidHandle);
}

/// The name of the entry that Function stands for; null where there is none.
const std::string *entryOf(const void *Function) {
  auto At = functions().find(Function);
  if (At == functions().end() || names("FAKE_MISSING", At->second))
    return nullptr;
  return &At->second;
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) {
  static void *Handle;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **, const char *Function, char *,
                            const char *Name, int, void *, void *, void *,
                            void *, int *) {
  std::lock_guard<std::mutex> Held(Lock);
  functions()[Function] = Name;
}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int,
                       int) {}

// What clang's linker names for variables of kinds that no test has.
void __cudaRegisterManagedVar(void **, void **, char *, const char *, size_t,
                              unsigned) {}
void __cudaRegisterSurface(void **, const void *, const void **, const char *,
                           int, int) {}
void __cudaRegisterTexture(void **, const void *, const void **, const char *,
                           int, int, int) {}

unsigned __cudaPushCallConfiguration(Dim3 Grid, Dim3 Block, size_t Shared,
                                     void *Stream) {
  Configurations.push_back({Grid, Block, Shared, Stream});
  return 0;
}
int __cudaPopCallConfiguration(Dim3 *Grid, Dim3 *Block, size_t *Shared,
                               void *Stream) {
  Configuration C = Configurations.back();
  Configurations.pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = Asked = C.Shared;
  *static_cast<void **>(Stream) = C.Stream;
  return Success;
}

/// cudaStreamPerThread.
static void *const PerThread = reinterpret_cast<void *>(2);

int cudaLaunchKernel(const void *Function, Dim3 Grid, Dim3 Block, void **,
                     size_t Shared, void *Stream) {
  std::lock_guard<std::mutex> Held(Lock);
  const std::string *Name = entryOf(Function);
  if (!Name)
    return fail(InvalidDeviceFunction);
  uint64_t Threads = uint64_t(Block.X) * Block.Y * Block.Z;
  if (!Threads || Threads > 1024 || !Grid.X || !Grid.Y || !Grid.Z)
    return fail(InvalidConfiguration);
  size_t Most = UsualShared;
  if (auto At = optedIn().find(*Name); At != optedIn().end())
    Most = std::max(Most, At->second);
  if (Shared > Most)
    return fail(InvalidValue);
  if (names("FAKE_FAIL", *Name)) {
    Failures += Name->find("$regdem") != std::string::npos;
    return fail(OutOfResources);
  }
  Clock += numberFor("FAKE_TIMES", *Name, 1);
  if (!std::getenv("FAKE_QUIET")) {
    std::printf("launch %s grid %u %u %u block %u %u %u smem %zu asked %zu "
                "device %d%s\n",
                Name->c_str(), Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y,
                Block.Z, Shared, Asked, CurrentDevice,
                Stream == PerThread ? " per-thread" : "");
    std::fflush(stdout);
  }
  return Success;
}

int cudaLaunchKernel_ptsz(const void *Function, Dim3 Grid, Dim3 Block,
                          void **Args, size_t Shared, void *Stream) {
  return cudaLaunchKernel(Function, Grid, Block, Args, Shared,
                          Stream ? Stream : PerThread);
}

/// nvcc's programs ask for the kernel that Function stands for, and launch
/// that.
char __cudaInitModule(void **) { return 1; }
int __cudaGetKernel(const void **Kernel, const void *Function) {
  *Kernel = Function;
  return Success;
}
int __cudaLaunchKernel(const void *Kernel, Dim3 Grid, Dim3 Block, void **Args,
                       size_t Shared, void *Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Args, Shared, Stream);
}

/// For programs that check how often a build is tried, or an event used that is
/// not there any more.
int recordedFailures() { return Failures; }
int recordedStaleEvents() { return StaleEvents; }
/// Called whenever an event is recorded, if a program defines it.
__attribute__((weak)) void onEventRecord();

int cudaGetLastError() {
  int Error = LastError;
  LastError = Success;
  return Error;
}
int cudaPeekAtLastError() {
  noteCall("cudaPeekAtLastError");
  return LastError;
}

int cudaGetDeviceCount(int *Count) {
  noteCall("cudaGetDeviceCount");
  *Count = static_cast<int>(devices().size());
  return Success;
}
int cudaGetDevice(int *Device) {
  noteCall("cudaGetDevice");
  *Device = CurrentDevice;
  return Success;
}
int cudaSetDevice(int Device) {
  if (Device < 0 || static_cast<size_t>(Device) >= devices().size())
    return fail(InvalidDevice);
  CurrentDevice = Device;
  return Success;
}

int cudaDeviceGetAttribute(int *Value, int Attribute, int Device) {
  noteCall("cudaDeviceGetAttribute");
  if (Device < 0 || static_cast<size_t>(Device) >= devices().size())
    return fail(InvalidDevice);
  auto [Arch, SMs] = devices()[static_cast<size_t>(Device)];
  switch (Attribute) {
  case MultiProcessors:
    *Value = SMs;
    return Success;
  case Major:
    *Value = Arch / 10;
    return Success;
  case Minor:
    *Value = Arch % 10;
    return Success;
  case SharedPerBlockOptin:
    *Value = static_cast<int>(mostShared());
    return Success;
  default:
    return fail(InvalidValue);
  }
}

/// Fills what all versions of cudaFuncAttributes begin with.
int cudaFuncGetAttributes(void *Attributes, const void *Function) {
  struct {
    size_t Shared = 0, Constant = 0, Local = 0;
    int MaxThreads = 1024, Registers = 32, PtxVersion = 90, BinaryVersion = 90;
  } Known;
  std::lock_guard<std::mutex> Held(Lock);
  const std::string *Name = entryOf(Function);
  if (!Name)
    return fail(InvalidDeviceFunction);
  noteCall("cudaFuncGetAttributes", *Name);
  if (isForbidden())
    return fail(CaptureUnsupported);
  Known.MaxThreads = static_cast<int>(numberFor("FAKE_THREADS", *Name, 1024));
  std::memcpy(Attributes, &Known, sizeof(Known));
  return Success;
}

int cudaFuncSetAttribute(const void *Function, int Attribute, int Value) {
  std::lock_guard<std::mutex> Held(Lock);
  const std::string *Name = entryOf(Function);
  if (!Name)
    return fail(InvalidDeviceFunction);
  noteCall("cudaFuncSetAttribute", *Name);
  if (isForbidden())
    return fail(CaptureUnsupported);
  if (Attribute == Carveout)
    std::printf("carveout %s %d\n", Name->c_str(), Value);
  if (Attribute != MaxDynamicShared)
    return Success;
  double Own = numberFor("FAKE_STATIC", *Name, 0);
  if (Value < 0 || static_cast<size_t>(Own) + Value > mostShared() ||
      names("FAKE_NO_OPTIN", *Name))
    return fail(InvalidValue);
  optedIn()[*Name] = static_cast<size_t>(Value);
  return Success;
}
int cudaDeviceSetCacheConfig(int Config) {
  std::printf("device prefers %d\n", Config);
  return Success;
}
int cudaFuncSetCacheConfig(const void *Function, int Config) {
  const std::string *Name = entryOf(Function);
  if (!Name)
    return fail(InvalidDeviceFunction);
  std::printf("%s prefers %d\n", Name->c_str(), Config);
  return Success;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *Blocks,
                                                           const void *, int,
                                                           size_t, unsigned) {
  noteCall("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
  if (isForbidden())
    return fail(CaptureUnsupported);
  *Blocks = 1;
  return Success;
}
int cudaMalloc(void **Pointer, size_t Bytes) {
  *Pointer = std::malloc(Bytes);
  return Success;
}
int cudaFree(void *Pointer) {
  std::free(Pointer);
  return Success;
}
int cudaMemcpy(void *To, const void *From, size_t Bytes, int) {
  std::memcpy(To, From, Bytes);
  return Success;
}
int cudaDeviceSynchronize() { return Success; }
const char *cudaGetErrorString(int) { return "an error"; }
int cudaDeviceReset() {
  std::lock_guard<std::mutex> Held(Lock);
  liveEvents().clear(); // Their memory stays, as handles may be compared.
  optedIn().clear();
  return Success;
}

int cudaStreamIsCapturing(void *Stream, int *Status) {
  noteCall("cudaStreamIsCapturing");
  if (!Stream && std::getenv("FAKE_CAPTURING"))
    return fail(CaptureImplicit);
  // Programs make such a stream up to play one that captures.
  *Status = Stream == reinterpret_cast<void *>(0xca) ? 1 : 0;
  return Success;
}
int cudaThreadExchangeStreamCaptureMode(int *Mode) {
  noteCall("cudaThreadExchangeStreamCaptureMode");
  std::swap(CaptureMode, *Mode);
  return Success;
}
int cudaEventCreateWithFlags(void **Created, unsigned) {
  std::lock_guard<std::mutex> Held(Lock);
  noteCall("cudaEventCreateWithFlags");
  *Created = new Event;
  liveEvents().insert(*Created);
  return Success;
}
int cudaEventCreate(void **Created) {
  return cudaEventCreateWithFlags(Created, 0);
}
int cudaEventSynchronize(void *Waited) {
  std::lock_guard<std::mutex> Held(Lock);
  return checkEvent(Waited);
}
int cudaEventRecord(void *Recorded, void *) {
  if (onEventRecord)
    onEventRecord();
  std::lock_guard<std::mutex> Held(Lock);
  if (int Error = checkEvent(Recorded))
    return Error;
  static_cast<Event *>(Recorded)->Time = Clock;
  return Success;
}
int cudaEventQuery(void *Queried) {
  std::lock_guard<std::mutex> Held(Lock);
  return checkEvent(Queried);
}
int cudaEventElapsedTime(float *Milliseconds, void *Start, void *End) {
  std::lock_guard<std::mutex> Held(Lock);
  for (void *Used : {Start, End})
    if (int Error = checkEvent(Used))
      return Error;
  *Milliseconds = static_cast<float>(static_cast<Event *>(End)->Time -
                                     static_cast<Event *>(Start)->Time);
  return Success;
}
int cudaEventDestroy(void *Destroyed) {
  std::lock_guard<std::mutex> Held(Lock);
  if (int Error = checkEvent(Destroyed))
    return Error;
  liveEvents().erase(Destroyed);
  return Success;
}

} // extern "C"
