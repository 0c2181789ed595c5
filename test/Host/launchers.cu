// A kernel that declares no dynamic shared memory may be launched with some by
// a function that serves several kernels, by a generic lambda, from a table, in
// a namespace that is called as one of CUDA's, with what a variable says, and
// in a header of the system's. Room is left for that as for what stands at a
// launch.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir -p %t/system && cp %s %t/system/launchers.h
// RUN: echo '#include <launchers.h>' > %t/user.cu
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -I%S/Inputs -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -I%S/Inputs -isystem %t/system -c %t/user.cu -o %t.o 2>&1 | FileCheck %s
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -I%S/Inputs -DUNKNOWN -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// Six blocks of 256 threads have 232448 bytes, the reserve aside; 20000 each
// are the launch's.
// CHECK-DAG: remark: 'byParameter({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'byReference({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'byPointer({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'void byLambda<float>({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'void byTable<float>({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'byNamespace({{.*}})' held to 40 registers with {{[0-9]|1[0-7]}} words
// CHECK-DAG: remark: 'byWeak({{.*}})' {{.*}}: dynamic shared memory of unknown size
// CHECK-DAG: remark: 'byVariable({{.*}})' {{.*}}: dynamic shared memory of unknown size
// UNKNOWN-DAG: remark: 'byParameter({{.*}})' {{.*}}: dynamic shared memory of unknown size
#include "walk.h"
#include <cstdlib>

#ifdef UNKNOWN
#define SHARED Bytes
#else
#define SHARED 20000
#endif

#define KERNEL(NAME)                                                           \
  __global__ __launch_bounds__(256, 6) void NAME(                              \
      const unsigned *Cold, const unsigned *Rows, unsigned *Result,            \
      int Threads) {                                                           \
    walk<60>(Cold, Rows, Result, Threads);                                     \
  }
KERNEL(byParameter)
KERNEL(byReference)
KERNEL(byPointer)
KERNEL(byVariable)
KERNEL(byNamespace)
KERNEL(byWeak)
#define TEMPLATE(NAME) template <class> KERNEL(NAME)
TEMPLATE(byLambda)
TEMPLATE(byTable)

template <class K, class... A>
void start(K Kernel, size_t Bytes, A... Arguments) {
  Kernel<<<4096, 256, SHARED>>>(Arguments...);
}

struct Starter {
  int Threads = 256;
  template <class K, class... A> void operator()(K &Kernel, A... Args) const {
    Kernel<<<4096, Threads, 20000>>>(Args...);
  }
};

namespace {
struct Settings {
  static size_t Bytes;
};
} // namespace
void set() { Settings::Bytes = atoi(getenv("BYTES")); }
size_t Settings::Bytes = 0;

struct Entry {
  void (*Kernel)(const unsigned *, const unsigned *, unsigned *, int);
};

namespace solver::cuda {
void start(const unsigned *C, const unsigned *R, unsigned *O) {
  byNamespace<<<4096, 256, 20000>>>(C, R, O, 1 << 20);
}
} // namespace solver::cuda

__attribute__((weak)) extern const int Weak = 20000;

void run(const unsigned *C, const unsigned *R, unsigned *O, size_t Count) {
  start(byParameter, Count, C, R, O, 1 << 20);
  Starter()(byReference, C, R, O, 1 << 20);
  const void *Chosen = (const void *)byPointer;
  void *Args[4] = {};
  cudaLaunchKernel(Chosen, dim3(4096), dim3(256), Args, 20000, 0);
  byVariable<<<4096, 256, Settings::Bytes>>>(C, R, O, 1 << 20);
  auto Start = [&](auto Zero) {
    byLambda<decltype(Zero)><<<4096, 256, 20000>>>(C, R, O, 1 << 20);
  };
  Start(0.0f);
  const Entry Table[] = {{byTable<float>}};
  for (const Entry &Its : Table)
    Its.Kernel<<<4096, 256, 20000>>>(C, R, O, 1 << 20);
  byWeak<<<4096, 256, Weak>>>(C, R, O, 1 << 20);
}
