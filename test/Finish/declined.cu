// What keeps a frame in local memory is said, and the program is ptxas's, byte
// for byte.
// REQUIRES: ptxas, clang-cuda
// RUN: split-file %s %t
// RUN: %device -x cuda %t/generic.cu -o %t/generic.ptx
// RUN: %ptxas %t/generic.ptx -o %t/generic.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/generic.cubin -o %t/generic.out | FileCheck --check-prefix=GENERIC %s
// RUN: cmp %t/generic.cubin %t/generic.out
// RUN: %device -x cuda %t/uniform.cu -o %t/uniform.ptx
// RUN: %ptxas %t/uniform.ptx -o %t/uniform.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/uniform.cubin | FileCheck --check-prefix=UNIFORM %s
// RUN: %device -x cuda %t/plain.cu -o %t/plain.ptx
// RUN: %ptxas %t/plain.ptx -o %t/plain.cubin
// RUN: %regdem-finish --min-blocks=1 --all --shared-limit=1000 --print %t/plain.cubin | FileCheck --check-prefix=ROOM %s
// RUN: %device -x cuda -DBOUNDS= %t/plain.cu -o %t/open.ptx
// RUN: %ptxas %t/open.ptx -o %t/open.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/open.cubin | FileCheck --check-prefix=THREADS %s
// RUN: %device -x cuda -DDYNAMIC %t/plain.cu -o %t/dynamic.ptx
// RUN: %ptxas %t/dynamic.ptx -o %t/dynamic.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/dynamic.cubin | FileCheck --check-prefix=DYNAMIC %s
// RUN: %device -x cuda -DREADS=total_smem_size %t/plain.cu -o %t/total.ptx
// RUN: %ptxas %t/total.ptx -o %t/total.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/total.cubin -o %t/total.out | FileCheck --check-prefix=TOTAL %s
// RUN: cmp %t/total.cubin %t/total.out
// RUN: %device -x cuda -DREADS=aggr_smem_size %t/plain.cu -o %t/aggr.ptx
// RUN: %ptxas %t/aggr.ptx -o %t/aggr.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/aggr.cubin | FileCheck --check-prefix=TOTAL %s
// RUN: %device -x cuda -DREADS=dynamic_smem_size %t/plain.cu -o %t/size.ptx
// RUN: %ptxas %t/size.ptx -o %t/size.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/size.cubin | FileCheck --check-prefix=STATED %s
// RUN: %regdem-finish --min-blocks=1 --all --print --dynamic-smem=64 %t/dynamic.cubin | FileCheck --check-prefix=STATED %s
// RUN: %regdem-finish --min-blocks=1 --all --print --dynamic-smem=30000 %t/dynamic.cubin | FileCheck --check-prefix=HELD %s
// RUN: %regdem-finish --min-blocks=1 --all --print --dynamic-smem=50000 %t/dynamic.cubin | FileCheck --check-prefix=STATED %s
// RUN: %cuda/bin/ptxas -arch=sm_90 -c %t/plain.ptx -o %t/linked.cubin
// RUN: not %regdem-finish --min-blocks=1 --all %t/linked.cubin -o %t/linked.out 2>&1 | FileCheck --check-prefix=LINKED %s
// RUN: not %regdem-finish %t/plain.ptx 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: not %regdem-finish %t/plain.cubin 2>&1 | FileCheck --check-prefix=IDLE %s
// RUN: not %regdem-finish %t/none 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: sed s/sm_90/sm_80/ %t/plain.ptx > %t/older.ptx
// RUN: %cuda/bin/ptxas -arch=sm_80 %t/older.ptx -o %t/older.cubin
// RUN: %regdem-finish --min-blocks=1 --print %t/older.cubin | FileCheck --check-prefix=OLDER %s
// RUN: %regdem-finish --min-blocks=1 --all --print %t/older.cubin | FileCheck --check-prefix=FORCED %s
// RUN: sed s/sm_90/sm_80/ %t/uniform.ptx > %t/olduniform.ptx
// RUN: %cuda/bin/ptxas -arch=sm_80 %t/olduniform.ptx -o %t/olduniform.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/olduniform.cubin | FileCheck --check-prefix=NOUNIFORM %s
// RUN: sed s/sm_90/sm_80/ %t/generic.ptx > %t/oldgeneric.ptx
// RUN: %cuda/bin/ptxas -arch=sm_80 %t/oldgeneric.ptx -o %t/oldgeneric.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/oldgeneric.cubin | FileCheck --check-prefix=NOWINDOW %s
// RUN: sed s/sm_90/sm_100/ %t/plain.ptx > %t/newer.ptx
// RUN: %cuda/bin/ptxas -arch=sm_100 %t/newer.ptx -o %t/newer.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/newer.cubin | FileCheck --check-prefix=NEWER %s

// RUN: %device -x cuda %t/pointers.cu -o %t/pointers.ptx
// RUN: %ptxas %t/pointers.ptx -o %t/pointers.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t/pointers.cubin -o %t/pointers.out | FileCheck --check-prefix=POINTERS %s
// RUN: cmp %t/pointers.cubin %t/pointers.out

// GENERIC: 'generic': frame of {{.*}} stays in local memory: an address in the frame is stored (STG
// POINTERS: 'pointers': frame of {{.*}} stays in local memory: an access may be to an address in the frame's memory (LDL
// UNIFORM: 'uniform': frame of {{.*}} stays in local memory: an access to local memory that is not known to be in the frame (LDL
// ROOM: 'plain': frame of {{.*}} stays in local memory: 256 frames of 104 bytes do not fit into 1000 bytes of shared memory beside 0 of its own
// THREADS: 'plain': frame of {{.*}} stays in local memory: the code states no threads per block: add __launch_bounds__
// DYNAMIC: 'plain': frame of {{.*}} stays in local memory: it may use dynamic shared memory
// TOTAL: 'plain': frame of {{.*}} stays in local memory: the size of shared memory is read, to which it would add
// STATED: 'plain': frame of {{.*}} moved
// HELD: 'plain': frame of {{.*}} stays in local memory: 256 frames of 104 bytes do not fit into 49152 bytes of shared memory beside 30000 of its own
// LINKED: error: {{.*}}linked.cubin': it is to be linked yet
// IDLE: error: nothing to do: name an output (-o), or ask for --print or --report
// TEXT: error: {{.*}}plain.ptx'
// NONE: error: cannot read
// OLDER: 'plain': frame of {{.*}} stays in local memory: no moved frame was run on sm_80 yet
// FORCED: 'plain': frame of {{.*}} moved
// NOUNIFORM: 'uniform': frame of {{.*}} stays in local memory: an address in the frame goes to a uniform register (R2UR
// NOWINDOW: 'generic': frame of {{.*}} stays in local memory: generic addresses of local memory
// NEWER: 'plain': frame of {{.*}} stays in local memory: its program carries a second form of its code

//--- generic.cu
__device__ int *volatile where;
extern "C" __global__ void __launch_bounds__(256) generic(int *out, int n) {
  int list[24];
  for (int i = 0; i < 24; ++i)
    list[i] = out[i];
  where = list;
  __threadfence();
  out[threadIdx.x] = list[n] + *where;
}
//--- pointers.cu
struct Node {
  Node *next;
  int value;
};
extern "C" __global__ void __launch_bounds__(256)
    pointers(int *out, const int *in, int n) {
  Node nodes[8];
  for (int i = 0; i < 8; ++i)
    nodes[i] = {&nodes[(i + 3) & 7], in[i]};
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    Node *p = nodes[in[i] & 7].next;
    sum += p->value;
    if (__isShared(p))
      sum ^= 5;
    p->value = sum;
  }
  out[threadIdx.x] = sum;
}
//--- uniform.cu
__device__ __noinline__ float mean(float x, int n) {
  float a[9];
  for (int i = 0; i < 9; i++)
    a[i] = x * i;
  for (int i = 0; i < n; i++)
    a[(i * 7) % 9] += a[i % 9];
  float s = 0;
  for (int i = 0; i < 9; i++)
    s += a[i];
  return s;
}
extern "C" __global__ void __launch_bounds__(256) uniform(float *o, int n) {
  float b[20];
  for (int i = 0; i < 20; i++)
    b[i] = o[i];
  for (int i = 0; i < n; i++)
    b[(i * 3) % 20] += mean(b[i % 20], n);
  float s = 0;
  for (int i = 0; i < 20; i++)
    s += b[i];
  o[threadIdx.x] = s;
}
//--- plain.cu
#ifndef BOUNDS
#define BOUNDS __launch_bounds__(256)
#endif
extern __shared__ int scratch[];
extern "C" __global__ void BOUNDS plain(int *out, const int *in) {
  int bins[24] = {};
  for (int i = 0; i < 64; ++i)
    bins[in[threadIdx.x + i] % 24u] += i;
  int sum = 0;
  for (int i = 0; i < 24; ++i)
    sum = sum * 31 + bins[i];
#ifdef DYNAMIC
  scratch[threadIdx.x] = sum;
  __syncthreads();
  sum = scratch[threadIdx.x ^ 1];
#endif
#ifdef READS
#define READ(REGISTER) "mov.u32 %0, %%" #REGISTER ";"
#define READ_NAMED(REGISTER) READ(REGISTER)
  int size;
  asm(READ_NAMED(READS) : "=r"(size));
  sum += size;
#endif
  out[threadIdx.x] = sum;
}
