//===- Operations.h - what latencies.cu measures ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An arithmetic operation has a value type T and apply(X, A, B), one machine
// instruction whose result depends on X. A and B are known at run time only,
// so that nothing folds; sums of integers take turns between two values,
// because the assembler would merge x + a + a into one three-input addition.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MICRO_OPERATIONS_H
#define BENCHMARKS_MICRO_OPERATIONS_H

namespace micro {

struct FmaF32 {
  using T = float;
  static __device__ void apply(T &X, T &A, T B) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(X) : "f"(A), "f"(B));
  }
};

struct FmaF64 {
  using T = double;
  static __device__ void apply(T &X, T &A, T B) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(X) : "d"(A), "d"(B));
  }
};

/// The multi-function unit. (The assembler would fold pairs of reciprocals.)
struct Mufu {
  using T = float;
  static __device__ void apply(T &X, T &, T) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(X));
  }
};

struct MadS32 {
  using T = int;
  static __device__ void apply(T &X, T &A, T B) {
    asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(X) : "r"(A), "r"(B));
  }
};

/// x += a, then the two change roles.
struct AddS32 {
  using T = int;
  static __device__ void apply(T &X, T &A, T) {
    T Sum;
    asm volatile("add.s32 %0, %1, %2;" : "=r"(Sum) : "r"(X), "r"(A));
    A = X;
    X = Sum;
  }
};

/// Bitwise majority of three values, which cannot be merged with the next.
struct Logic {
  using T = int;
  static __device__ void apply(T &X, T &A, T B) {
    T Result;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xE8;"
                 : "=r"(Result)
                 : "r"(X), "r"(A), "r"(B));
    A = X;
    X = Result;
  }
};

/// A step of a chain of pointers in shared memory.
struct ChaseShared {
  using Pointer = unsigned;
  static __device__ Pointer next(Pointer P) {
    asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(P)::"memory");
    return P;
  }
};

/// In global memory, through L1 or past it (.cg).
struct ChaseL1 {
  using Pointer = unsigned long long;
  static __device__ Pointer next(Pointer P) {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(P)::"memory");
    return P;
  }
};

struct ChaseL2 {
  using Pointer = unsigned long long;
  static __device__ Pointer next(Pointer P) {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(P)::"memory");
    return P;
  }
};

/// The word of local memory at \p P.
__device__ inline unsigned nextLocal(unsigned P) {
  asm volatile("ld.local.u32 %0, [%0];" : "+r"(P)::"memory");
  return P;
}

/// Two addresses that are the same, which the assembler must not see: it
/// would drop the load.
__device__ inline unsigned storeAndReloadLocal(unsigned Address, unsigned Same,
                                               unsigned Value) {
  asm volatile("st.local.u32 [%1], %0;\n\t"
               "ld.local.u32 %0, [%2];"
               : "+r"(Value)
               : "r"(Address), "r"(Same)
               : "memory");
  return Value;
}

} // namespace micro

#endif // BENCHMARKS_MICRO_OPERATIONS_H
