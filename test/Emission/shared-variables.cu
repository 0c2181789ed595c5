// The report has the bytes of shared memory that ptxas takes, which may order
// variables otherwise than they are declared.
// REQUIRES: ptxas, clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-max-regs=32 -mllvm -regdem-report=%t.jsonl %s -o %t.ptx
// RUN: %report %t.jsonl mixed "static_smem == variants[0]['smem']" "static_smem < 1344"
#define SHARED(A) __shared__ __attribute__((aligned(A)))
static __device__ SHARED(8) unsigned a;
static __device__ __noinline__ unsigned getA() { return a; }
extern "C" __global__ void __launch_bounds__(64) mixed(unsigned *out, int i) {
  SHARED(16) double many[32];
  SHARED(16) unsigned b;
  SHARED(16) unsigned c;
  SHARED(8) unsigned d;
  SHARED(16) unsigned e;
  SHARED(8) unsigned f;
  SHARED(16) float most[256];
  if (threadIdx.x == i) {
    a = out[i], b = out[i + 1], c = out[i + 2];
    d = out[i + 3], e = out[i + 4], f = out[i + 5];
    many[i & 31] = i;
    most[i & 255] = i;
  }
  __syncthreads();
  out[threadIdx.x] = static_cast<unsigned>(many[threadIdx.x & 31]) + getA() +
                     b + c + d + e + f +
                     static_cast<unsigned>(most[threadIdx.x & 255]);
}
