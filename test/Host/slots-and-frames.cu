// Slots and moved frames both lie at the end of dynamic shared memory: a build
// has one of them. What data index stays in local memory beside slots, and
// competes so with builds whose frame moves.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-arrays=off -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: FileCheck %s < %t.jsonl
// RUN: FileCheck %s --check-prefix=NEVER < %t.jsonl
// CHECK: "decision":"demote",{{[^}]*}}"frame_bytes":{{[1-9][0-9]*}},{{[^}]*}}"moved_frame_bytes":0,{{[^}]*}}"thread_bytes":{{[1-9]}}
// NEVER: "moved_frame_bytes":{{[1-9]}}
// NEVER-NOT: "decision":"demote",{{[^}]*}}"moved_frame_bytes":{{[1-9]}}

__global__ void both(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads, const int *Keys,
                     int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned State[44], Sum = 0, Row = T / 32;
#pragma unroll
  for (int I = 0; I < 44; ++I) {
    State[I] = Cold[I * Threads + T];
    Sum = Sum * 31 + State[I];
  }
  int Sums[32];
  for (int I = 0; I < 32; ++I)
    Sums[I] = Keys[I];
#pragma unroll 1
  for (int I = 0; I < 64; ++I) {
    unsigned Word = Rows[Row * 32 + threadIdx.x % 32];
    Sum = Sum * 0x9E3779B1u + (Word & 0xFFF);
    Row = Word >> 12;
  }
  for (int I = 0; I < Count; ++I) {
    unsigned Key = Keys[T + I * 4096];
    Sums[Key % 32] += Sums[Key / 32 % 32] * 31 + I;
  }
#pragma unroll
  for (int I = 0; I < 44; ++I)
    Sum = (Sum ^ State[I]) * 0x85EBCA77u + (Sum >> 15);
  for (int I = 0; I < 32; ++I)
    Sum = Sum * 31 + Sums[I];
  Result[T] = Sum;
}

int main() { both<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0, nullptr, 0); }
