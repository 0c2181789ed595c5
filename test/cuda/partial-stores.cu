// Where an array becomes single words or bytes of shared memory, a store may
// take a part of what was computed as a number. ptxas would make a conversion
// to an integer of that; it gets a copy, of which it knows no number.
// REQUIRES: clang-cuda, ptxas, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm "-regdem-build=rewrites=lower-arrays" -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl bytes "[a['fate'] for a in arrays] == ['shared']"
// RUN: %report %t.jsonl words "[a['fate'] for a in arrays] == ['shared']"
// RUN: FileCheck %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=SASS --implicit-check-not=F2I

// CHECK-LABEL: .entry bytes(
// CHECK: mul{{(.rn)?}}.f32 [[F:%r[0-9]+]],
// CHECK: mov.b32 [[COPY:%r[0-9]+]], [[F]];
// CHECK-NEXT: st.shared.b8 [{{.*}}], [[COPY]];
// CHECK: ret;
// SASS-DAG: FMUL
// SASS-DAG: STS.U8
extern "C" __global__ void __launch_bounds__(64)
    bytes(const float *In, unsigned char *Out, const unsigned *At) {
  unsigned char Bytes[64];
#pragma unroll
  for (int I = 0; I < 16; ++I) {
    float F = In[threadIdx.x + 64 * I];
    F *= F;
    __builtin_memcpy(Bytes + 4 * I, &F, 4);
  }
  unsigned char Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum = Sum * 3 + Bytes[At[64 * I + threadIdx.x] & 63];
  Out[threadIdx.x] = Sum;
}

// CHECK-LABEL: .entry words(
// CHECK: mul{{(.rn)?}}.f64 [[D:%rd[0-9]+]],
// CHECK: mov.b64 [[COPY:%rd[0-9]+]], [[D]];
// CHECK-NEXT: st.shared.b32 [{{.*}}], [[COPY]];
// CHECK: ret;
// SASS-DAG: DMUL
// SASS-DAG: STS
extern "C" __global__ void __launch_bounds__(64)
    words(const double *In, unsigned *Out, const unsigned *At) {
  unsigned Words[64];
#pragma unroll
  for (int I = 0; I < 32; ++I) {
    double D = In[threadIdx.x + 64 * I];
    D *= D;
    __builtin_memcpy(Words + 2 * I, &D, 8);
  }
  unsigned Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum = Sum * 3 + Words[At[64 * I + threadIdx.x] & 63];
  Out[threadIdx.x] = Sum;
}
