// A build whose frame moves competes with the others under a stated cap: here a
// table that data index stays in local memory whatever is demoted. It counts
// where the move is certain to follow: in one clang command, or by assertion.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-max-regs=40 -mllvm -regdem-report=%t.jsonl -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck --check-prefix=CHOSEN %s < %t.jsonl
// RUN: %python %S/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=CODE --implicit-check-not=LDL --implicit-check-not=STL %s
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-max-regs=40 -mllvm -regdem-finish=on -Rpass=regdem --cuda-device-only -S %s -o %t.ptx 2>&1 | FileCheck --check-prefix=ASSERTED %s
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-max-regs=40 -Rpass=regdem --cuda-device-only -S %s -o %t.ptx 2>&1 | FileCheck --check-prefix=UNKNOWN --implicit-check-not="frame of" %s
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-max-regs=40 -mllvm -regdem-finish=off -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN --implicit-check-not="frame of" %s

// REMARK: remark: 'mix({{.*}})' {{.*}}, frame of {{[0-9]+}} bytes a thread in shared memory ({{.*}}): no demotion tried is expected to gain enough over that
// REMARK: remark: 'mix({{.*}})': frame of {{[0-9]+}} bytes a thread, {{.*}} moved from local to shared memory
// CHOSEN-DAG: "chosen":true,{{[^}]*}}"moved_frame_bytes":{{[1-9]}}
// CODE: LDS
// ASSERTED: remark: 'mix({{.*}})' {{.*}}, frame of {{[0-9]+}} bytes a thread in shared memory ({{.*}}):
// UNKNOWN: remark: 'mix({{.*}})'

__global__ void __launch_bounds__(128)
    mix(unsigned *out, const unsigned *in, int n) {
  unsigned waiting[32], table[24] = {};
  unsigned t = blockIdx.x * 128 + threadIdx.x;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    waiting[i] = in[i * 4096 + t];
  for (int r = 0; r < n; ++r)
    table[in[r * 128 + threadIdx.x] % 24] += waiting[0] ^ r;
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sum = sum * 31 + waiting[i];
  for (int i = 0; i < 24; ++i)
    sum = sum * 31 + table[i];
  out[t] = sum;
}

int main() { mix<<<1, 128>>>(nullptr, nullptr, 0); }
