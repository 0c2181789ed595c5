// Launches as its arguments say, by what is linked, by dlsym() and by
// cuGetProcAddress(). The last argument is its exit status.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <unistd.h>

struct Config {
  unsigned Grid[3], Block[3], Bytes;
};
using KernelFn = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, unsigned, void *, void **, void **);
using ConfigFn = int(const Config *, void *, void **, void **);
using CooperativeFn = int(void *, unsigned, unsigned, unsigned, unsigned,
                          unsigned, unsigned, unsigned, void *, void **);
using AddressFn = int(const char *, void **, int, uint64_t, void *);

#ifdef LINKED
extern "C" KernelFn cuLaunchKernel;
#endif

template <typename Fn> Fn *byName(void *Driver, const char *Name) {
  return reinterpret_cast<Fn *>(dlsym(Driver, Name));
}

template <typename Fn>
Fn *byAddress(AddressFn *Get, const char *Name, uint64_t Flags) {
  void *Found = nullptr;
  return Get(Name, &Found, 12000, Flags, nullptr)
             ? nullptr
             : reinterpret_cast<Fn *>(Found);
}

int main(int, char **Args) {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  char Twice[] = "K_Z5twicePi", Once[] = "F_Z4oncePi";
  auto *Get = byName<AddressFn>(Driver, "cuGetProcAddress_v2");
  for (++Args; Args[1]; ++Args) {
    if (!strcmp(*Args, "named")) {
      auto *Launch = byName<KernelFn>(Driver, "cuLaunchKernel");
      for (int I = 0; I != 3; ++I)
        Launch(Once, 10, 2, 1, 32, 4, 1, 512, nullptr, nullptr, nullptr);
      Launch(Once, 10, 2, 1, 32, 4, 16, 512, nullptr, nullptr, nullptr);
    } else if (!strcmp(*Args, "builds")) {
      for (const char *Name : {"F_Z4oncePi", "F_Z4oncePi$regdem2",
                               "F_Z4oncePi$regdem2_1c", "F_Z4oncePi$regdem"}) {
        char Kernel[32];
        byName<KernelFn>(Driver, "cuLaunchKernel")(strcpy(Kernel, Name), 1, 1,
                                                   1, 32, 1, 1, 0, nullptr,
                                                   nullptr, nullptr);
      }
    } else if (!strcmp(*Args, "bytes")) { // A name that is no text.
      char Bytes[] = "F_Z1\xff\xc2\x85";
      byName<KernelFn>(Driver, "cuLaunchKernel")(Bytes, 1, 1, 1, 32, 1, 1, 0,
                                                 nullptr, nullptr, nullptr);
    } else if (!strcmp(*Args, "address")) {
      Get = byAddress<AddressFn>(Get, "cuGetProcAddress", 0);
      for (uint64_t Flags : {0, 2})
        byAddress<KernelFn>(Get, "cuLaunchKernel", Flags)(
            Twice, 7, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
      Config C = {{8, 1, 1}, {64, 1, 1}, 40000};
      byAddress<ConfigFn>(Get, "cuLaunchKernelEx", 2)(&C, Twice, nullptr,
                                                      nullptr);
      byAddress<CooperativeFn>(Get, "cuLaunchCooperativeKernel", 0)(
          Once, 4, 1, 1, 128, 1, 1, 0, nullptr, nullptr);
    } else if (!strcmp(*Args, "next")) {
      // The C library's, by way of the driver's: else it never returns.
      auto *Parent = byName<pid_t()>(Driver, "getppid");
      if (Parent() != getppid())
        return 1;
    }
#ifdef LINKED
    cuLaunchKernel(Once, 1, 1, 1, 96, 1, 1, 0, nullptr, nullptr, nullptr);
#endif
  }
  return atoi(*Args);
}
