// Stands for libcuda.so.1. A launch of more than 1024 threads a block fails;
// cuLaunchKernel launches by way of cuLaunchKernelEx. A function is the letter
// F, or K where it is a CUkernel, with its name behind.
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

struct Config {
  unsigned Grid[3], Block[3], Bytes;
};

extern "C" {
int cuFuncGetName(const char **Name, void *F) {
  auto *Text = static_cast<const char *>(F);
  *Name = Text + 1;
  return *Text == 'F' ? 0 : 400;
}
int cuKernelGetName(const char **Name, void *F) {
  auto *Text = static_cast<const char *>(F);
  *Name = Text + 1;
  return *Text == 'K' ? 0 : 400;
}
int cuCtxGetDevice(int *Device) {
  *Device = 3;
  return 0;
}
int cuDeviceGetAttribute(int *Value, int Which, int Device) {
  *Value = 144;
  return Which == 16 && Device == 3 ? 0 : 1; // Multiprocessors.
}
int cuLaunchKernelEx(const Config *C, void *, void **, void **) {
  return C->Block[0] * C->Block[1] * C->Block[2] <= 1024 ? 0 : 1;
}
int cuLaunchKernelEx_ptsz(const Config *C, void *F, void **P, void **E) {
  return cuLaunchKernelEx(C, F, P, E);
}
int cuLaunchKernel(void *F, unsigned GX, unsigned GY, unsigned GZ, unsigned BX,
                   unsigned BY, unsigned BZ, unsigned Bytes, void *, void **P,
                   void **E) {
  Config C = {{GX, GY, GZ}, {BX, BY, BZ}, Bytes};
  return cuLaunchKernelEx(&C, F, P, E);
}
int cuLaunchKernel_ptsz(void *F, unsigned GX, unsigned GY, unsigned GZ,
                        unsigned BX, unsigned BY, unsigned BZ, unsigned Bytes,
                        void *S, void **P, void **E) {
  return cuLaunchKernel(F, GX, GY, GZ, BX, BY, BZ, Bytes, S, P, E);
}
int cuLaunchCooperativeKernel(void *F, unsigned GX, unsigned GY, unsigned GZ,
                              unsigned BX, unsigned BY, unsigned BZ,
                              unsigned Bytes, void *S, void **P) {
  return cuLaunchKernel(F, GX, GY, GZ, BX, BY, BZ, Bytes, S, P, nullptr);
}
int cuGetProcAddress_v2(const char *Name, void **Found, int, uint64_t Flags,
                        void *) {
  static void *Own = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  char Text[64];
  strcpy(Text, Name);
  if (Flags == 2) // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
    strcat(Text, "_ptsz");
  if (strcmp(Name, "cuGetProcAddress") == 0)
    strcat(Text, "_v2");
  *Found = dlsym(Own, Text);
  return *Found ? 0 : 500;
}

// In front of the C library's, which it calls.
pid_t getppid() {
  return reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "getppid"))();
}
}
