//===- Preload.cpp - notes the kernels that a program launches ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that regdem-launches has the loader put in front of a program's
// own. A kernel is launched by a function of the CUDA driver, whether nvcc's
// runtime is linked statically or shared, and in any language. Callers get that
// function from the loader, from dlsym() or from cuGetProcAddress(); each way
// gives them one of this file's instead, which notes the launch and calls the
// driver's.
//
// When the program ends, a file of the folder $REGDEM_LAUNCHES_DIR gets a line
// of JSON for each kernel, block, grid and dynamic shared memory.
//
// It runs in other people's programs: it needs nothing but the C library, of
// glibc 2.17 or later, and changes nothing that they see.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

#ifdef __x86_64__
// The one that each glibc has; it moved to another library in 2.34.
__asm__(".symver dlvsym, dlvsym@GLIBC_2.2.5");
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5");
static constexpr const char *OldestVersion = "GLIBC_2.2.5";
#else
static constexpr const char *OldestVersion = "GLIBC_2.17";
#endif

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

/// CUDA's types, as far as they are needed, so that no toolkit is.
using Result = int; ///< CUresult: 0 is success.
using Function = void *;

//===- The launches -------------------------------------------------------===//

struct Shape { ///< As CUlaunchConfig begins.
  unsigned Grid[3], Block[3], DynamicBytes;
};

struct Entry {
  const char *Kernel;
  Shape How;
  int Multiprocessors; ///< Of the GPU that had the first one; 0: not known.
  uint64_t Count;
};

void *Entries = nullptr; ///< A tree of the C library's: see tsearch(3).
pid_t Owner = 0;         ///< The process that has noted them: no child of it.
pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;

int compare(const void *A, const void *B) {
  const auto *One = static_cast<const Entry *>(A);
  const auto *Other = static_cast<const Entry *>(B);
  int Order = strcmp(One->Kernel, Other->Kernel);
  return Order ? Order : memcmp(&One->How, &Other->How, sizeof(Shape));
}

/// Like's node of the tree, which is added if there is none; null without
/// memory.
Entry *const *nodeOf(const Entry &Like) {
  if (void *Known = tfind(&Like, &Entries, compare))
    return static_cast<Entry *const *>(Known);
  auto *New = static_cast<Entry *>(malloc(sizeof(Entry)));
  char *Kernel = strdup(Like.Kernel);
  if (New && Kernel) {
    *New = Like;
    New->Kernel = Kernel;
    return static_cast<Entry *const *>(tsearch(New, &Entries, compare));
  }
  free(New);
  free(Kernel);
  return nullptr;
}

void note(const char *Kernel, const Shape &How, int Multiprocessors) {
  pthread_mutex_lock(&Lock);
  if (Owner != getpid()) { // A child's launches are its own.
    Entries = nullptr;
    Owner = getpid();
  }
  if (Entry *const *Node = nodeOf({Kernel, How, Multiprocessors, 0}))
    ++(*Node)->Count;
  pthread_mutex_unlock(&Lock);
}

/// Where launches are written to.
FILE *Out = nullptr;

void writeText(const char *Text) {
  fputc('"', Out);
  for (const char *C = Text; *C; ++C)
    if (*C == '"' || *C == '\\' || static_cast<unsigned char>(*C) < ' ')
      fprintf(Out, "\\u%04x", *C);
    else
      fputc(*C, Out);
  fputc('"', Out);
}

/// As twalk(3) calls it: once for each entry after those that are less.
void writeEntry(const void *Node, VISIT Visit, int) {
  if (Visit != postorder && Visit != leaf)
    return;
  const Entry &E = **static_cast<Entry *const *>(Node);
  fputs("{\"kernel\":", Out);
  writeText(E.Kernel);
  fprintf(Out,
          ",\"block\":[%u,%u,%u],\"grid\":[%u,%u,%u],\"dynamic_smem\":%u,"
          "\"count\":%llu,\"multiprocessors\":%d}\n",
          E.How.Block[0], E.How.Block[1], E.How.Block[2], E.How.Grid[0],
          E.How.Grid[1], E.How.Grid[2], E.How.DynamicBytes,
          static_cast<unsigned long long>(E.Count), E.Multiprocessors);
}

__attribute__((destructor)) void writeLaunches() {
  const char *Folder = getenv("REGDEM_LAUNCHES_DIR");
  if (!Folder || Owner != getpid())
    return;
  char Path[4096];
  if (snprintf(Path, sizeof Path, "%s/%d.jsonl", Folder, Owner) >=
      static_cast<int>(sizeof Path))
    return;
  // Appended to what a program of the same number has left.
  Out = fopen(Path, "a");
  if (!Out)
    return;
  pthread_mutex_lock(&Lock);
  twalk(Entries, writeEntry);
  pthread_mutex_unlock(&Lock);
  fclose(Out);
}

//===- The driver ---------------------------------------------------------===//

using DlsymFn = void *(void *, const char *);

/// The C library's dlsym. Asked for at each call before it is known: two
/// threads find the same.
DlsymFn *realDlsym() {
  static DlsymFn *Real = nullptr;
  DlsymFn *Found = __atomic_load_n(&Real, __ATOMIC_ACQUIRE);
  if (!Found) {
    Found =
        reinterpret_cast<DlsymFn *>(dlvsym(RTLD_NEXT, "dlsym", OldestVersion));
    __atomic_store_n(&Real, Found, __ATOMIC_RELEASE);
  }
  return Found;
}

/// The driver's function; null where there is no driver, or it is older.
void *ofDriver(const char *Name) {
  void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return Driver ? realDlsym()(Driver, Name) : nullptr;
}

/// The driver's functions that are asked of each launch; null: it lacks them.
struct Asked {
  using NameFn = Result(const char **, Function);
  using DeviceFn = Result(int *);
  using AttributeFn = Result(int *, int, int);
  NameFn *Names[2];
  DeviceFn *Device;
  AttributeFn *Attribute;
};

const Asked &asked() {
  static Asked All;
  static bool AreKnown = false;
  if (!__atomic_load_n(&AreKnown, __ATOMIC_ACQUIRE)) {
    auto Get = [](auto *&To, const char *Name) {
      To = reinterpret_cast<std::remove_reference_t<decltype(To)>>(
          ofDriver(Name));
    };
    Get(All.Names[0], "cuFuncGetName");
    Get(All.Names[1], "cuKernelGetName");
    Get(All.Device, "cuCtxGetDevice");
    Get(All.Attribute, "cuDeviceGetAttribute");
    __atomic_store_n(&AreKnown, true, __ATOMIC_RELEASE);
  }
  return All;
}

/// The mangled name of what is launched: a CUfunction, or the CUkernel that
/// runtimes of CUDA 12 and later launch.
const char *nameOf(Function F) {
  const char *Name = nullptr;
  for (Asked::NameFn *Get : asked().Names)
    if (Get && Get(&Name, F) == 0 && Name)
      return Name;
  return "";
}

/// Those of the GPU that the thread uses; 0: not known.
int multiprocessors() {
  constexpr int Which = 16; ///< CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
  const Asked &By = asked();
  int Device = 0, Count = 0;
  bool IsKnown = By.Device && By.Attribute && By.Device(&Device) == 0 &&
                 By.Attribute(&Count, Which, Device) == 0;
  return IsKnown ? Count : 0;
}

/// How many of this file's functions the thread is in: a driver that launches
/// by one of its own functions launches once.
__thread unsigned Depth = 0;

template <typename Call>
Result launch(Function F, const Shape &How, const Call &ByDriver) {
  ++Depth;
  Result R = ByDriver();
  --Depth;
  if (R == 0 && Depth == 0)
    note(nameOf(F), How, multiprocessors());
  return R;
}

//===- What callers get ---------------------------------------------------===//

/// Of each function of the driver there are several, for default streams of
/// threads and by each way to get it: a replacement for each.
constexpr unsigned Replacements = 8;

enum Kind { Kernel, WithConfig, Cooperative, Address, Kinds };
constexpr const char *Names[Kinds] = {"cuLaunchKernel", "cuLaunchKernelEx",
                                      "cuLaunchCooperativeKernel",
                                      "cuGetProcAddress"};
void *Real[Kinds][Replacements];

void *replaced(const char *Name, void *ByDriver);

template <unsigned I> struct Replacement {
  /// Of kind What, whose functions take Rest after a kernel and its shape.
  template <Kind What, typename... Rest>
  static Result kernel(Function F, unsigned GX, unsigned GY, unsigned GZ,
                       unsigned BX, unsigned BY, unsigned BZ, unsigned Bytes,
                       Rest... More) {
    return launch(F, {{GX, GY, GZ}, {BX, BY, BZ}, Bytes}, [&] {
      return reinterpret_cast<decltype(&kernel<What, Rest...>)>(Real[What][I])(
          F, GX, GY, GZ, BX, BY, BZ, Bytes, More...);
    });
  }
  static Result withConfig(const Shape *C, Function F, void **Params,
                           void **Extra) {
    return launch(F, C ? *C : Shape(), [&] {
      return reinterpret_cast<decltype(&withConfig)>(Real[WithConfig][I])(
          C, F, Params, Extra);
    });
  }
  /// Status is a parameter of later versions; earlier ones do not read it.
  static Result address(const char *Name, void **Found, int Version,
                        uint64_t Flags, void *Status) {
    Result R = reinterpret_cast<decltype(&address)>(Real[Address][I])(
        Name, Found, Version, Flags, Status);
    if (R == 0 && Name && Found)
      *Found = replaced(Name, *Found);
    return R;
  }
  static void *of(unsigned What) {
    void *const All[Kinds] = {
        reinterpret_cast<void *>(kernel<Kernel, void *, void **, void **>),
        reinterpret_cast<void *>(withConfig),
        reinterpret_cast<void *>(kernel<Cooperative, void *, void **>),
        reinterpret_cast<void *>(address)};
    return All[What];
  }
};

/// The replacement of kind What for the driver's function; that function itself
/// where there is none left, or where it is one already.
template <unsigned... I>
void *replacement(unsigned What, void *ByDriver,
                  std::integer_sequence<unsigned, I...>) {
  void *const Mine[] = {Replacement<I>::of(What)...};
  void *Found = ByDriver;
  pthread_mutex_lock(&Lock);
  for (unsigned J = 0; J != sizeof...(I); ++J) {
    if (ByDriver == Mine[J])
      break;
    if (!Real[What][J])
      Real[What][J] = ByDriver;
    if (Real[What][J] == ByDriver) {
      Found = Mine[J];
      break;
    }
  }
  pthread_mutex_unlock(&Lock);
  return Found;
}

/// The kind of a function that is replaced; Kinds of any other. Names end with
/// marks of versions: cuGetProcAddress_v2_ptsz.
unsigned kindOf(const char *Name) {
  if (Name[0] != 'c' || Name[1] != 'u')
    return Kinds;
  static constexpr const char *Marks[] = {"_ptsz", "_v2"};
  size_t Length = strlen(Name);
  for (const char *Mark : Marks) {
    size_t Its = strlen(Mark);
    if (Length > Its && memcmp(Name + Length - Its, Mark, Its) == 0)
      Length -= Its;
  }
  unsigned What = 0;
  while (What != Kinds && (strlen(Names[What]) != Length ||
                           memcmp(Name, Names[What], Length) != 0))
    ++What;
  return What;
}

/// What a caller gets that asks for Name: the driver's function, or what stands
/// for it.
void *replaced(const char *Name, void *ByDriver) {
  unsigned What = kindOf(Name);
  if (What == Kinds || !ByDriver)
    return ByDriver;
  return replacement(What, ByDriver,
                     std::make_integer_sequence<unsigned, Replacements>());
}

/// For a program that is linked with the driver.
template <typename Fn> Fn *linked(const char *Name) {
  return reinterpret_cast<Fn *>(replaced(Name, ofDriver(Name)));
}

constexpr Result NotInitialized = 3; ///< CUDA_ERROR_NOT_INITIALIZED

} // namespace

// RTLD_NEXT asks by the address that dlsym returns to: where nothing is to be
// replaced this has to be a jump, which it is with optimization.
EXPORTED void *dlsym(void *__restrict Handle, const char *__restrict Name) {
  if (kindOf(Name) == Kinds)
    return realDlsym()(Handle, Name);
  return replaced(Name, realDlsym()(Handle, Name));
}

#define EXPORTS(NAME, PARAMETERS, ARGUMENTS)                                   \
  EXPORTED Result NAME PARAMETERS {                                            \
    static decltype(NAME) *Call = nullptr;                                     \
    Call = Call ? Call : linked<decltype(NAME)>(#NAME);                        \
    return Call ? Call ARGUMENTS : NotInitialized;                             \
  }
#define LAUNCHES(NAME)                                                         \
  EXPORTS(NAME,                                                                \
          (Function F, unsigned GX, unsigned GY, unsigned GZ, unsigned BX,     \
           unsigned BY, unsigned BZ, unsigned Bytes, void *Stream,             \
           void **Params, void **Extra),                                       \
          (F, GX, GY, GZ, BX, BY, BZ, Bytes, Stream, Params, Extra))
#define LAUNCHES_WITH_CONFIG(NAME)                                             \
  EXPORTS(NAME, (const Shape *C, Function F, void **Params, void **Extra),     \
          (C, F, Params, Extra))
#define LAUNCHES_COOPERATIVE(NAME)                                             \
  EXPORTS(NAME,                                                                \
          (Function F, unsigned GX, unsigned GY, unsigned GZ, unsigned BX,     \
           unsigned BY, unsigned BZ, unsigned Bytes, void *Stream,             \
           void **Params),                                                     \
          (F, GX, GY, GZ, BX, BY, BZ, Bytes, Stream, Params))
#define GIVES_ADDRESSES(NAME)                                                  \
  EXPORTS(NAME,                                                                \
          (const char *Name, void **Found, int Version, uint64_t Flags,        \
           void *Status),                                                      \
          (Name, Found, Version, Flags, Status))

// Names are the driver's. NOLINTBEGIN(readability-identifier-naming)
LAUNCHES(cuLaunchKernel)
LAUNCHES(cuLaunchKernel_ptsz)
LAUNCHES_WITH_CONFIG(cuLaunchKernelEx)
LAUNCHES_WITH_CONFIG(cuLaunchKernelEx_ptsz)
LAUNCHES_COOPERATIVE(cuLaunchCooperativeKernel)
LAUNCHES_COOPERATIVE(cuLaunchCooperativeKernel_ptsz)
GIVES_ADDRESSES(cuGetProcAddress)
GIVES_ADDRESSES(cuGetProcAddress_ptsz)
GIVES_ADDRESSES(cuGetProcAddress_v2)
GIVES_ADDRESSES(cuGetProcAddress_v2_ptsz)
// NOLINTEND(readability-identifier-naming)
