//===- device.h - what fuzz kernels use instead of CUDA's headers -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated kernels include this file only, so that compiling one costs no
// parsing of the CUDA headers (-nocudainc -nocudalib). Seen by a host compiler
// it declares the same names for a machine with a single thread, on which
// UBSan and valgrind can run the kernels: that checks the generator, and
// nothing in it says what a GPU computes.
//
// Nothing here may have undefined behaviour for any argument.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_DEVICE_H
#define REGDEM_FUZZ_DEVICE_H

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;
typedef __int128 i128;
typedef _Float16 f16;
typedef float f32;
typedef double f64;
typedef __bf16 bf16;
typedef u32 v4u __attribute__((ext_vector_type(4)));
typedef u32 v2u __attribute__((ext_vector_type(2)));
typedef u64 v2l __attribute__((ext_vector_type(2)));
typedef f32 v4f __attribute__((ext_vector_type(4)));
typedef f64 v2d __attribute__((ext_vector_type(2)));
typedef f16 v2h __attribute__((ext_vector_type(2)));
typedef bf16 v2b __attribute__((ext_vector_type(2)));
typedef u16 v2s __attribute__((ext_vector_type(2)));
// The input is an array of u32; wider loads of it go through these.
typedef u16 u16_alias __attribute__((may_alias));
typedef u32 u32_alias __attribute__((may_alias));
typedef f32 f32_alias __attribute__((may_alias));
typedef u64 u64_alias __attribute__((may_alias));
typedef v2u v2u_alias __attribute__((may_alias));
typedef v4u v4u_alias __attribute__((may_alias));

// Elements of local arrays.
struct fz_pair {
  u32 key;
  f32 value;
};
struct fz_complex {
  f64 re, im;
};
struct fz_record {
  u8 tag;
  u16 part;
  u32 word;
};

// The last parameter of kernels that write to it.
struct fz_args {
  u32 n;
  u8 bytes[12];
  u32 words[8];
  u64 longs[3];
  f32 reals[6];
};

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define FZ_BOUNDS(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define FZ_FN static __device__ inline __attribute__((always_inline))
#define FZ_NOINLINE static __device__ __attribute__((noinline))
#define FZ_CALLED static __device__
#define FZ_DYNAMIC(name) extern __shared__ u32 name[]
#define FZ_BY_VALUE(name) name
#define FZ_PLAIN(name)
#include "device_ptx.h"
#else
#define __global__
#define __device__
#define __shared__ static __attribute__((section("fz_shared")))
#define FZ_BOUNDS(...)
#define FZ_FN static inline
#define FZ_NOINLINE static __attribute__((noinline))
#define FZ_CALLED FZ_NOINLINE
#define FZ_DYNAMIC(name) __shared__ u32 name[8192]
#define FZ_BY_VALUE(name) name##_by_value
// All kernels are called alike.
#define FZ_PLAIN(name)                                                         \
  static void name(const u32 *in, u32 *out, u32 n) {                           \
    name##_by_value(in, out, fz_args_of(n));                                   \
  }
#include "device_host.h"
#endif

// Linear index of the thread in its block, whatever the block's shape.
FZ_FN u32 fz_linear() {
  return (fz_tid_z() * fz_ntid_y() + fz_tid_y()) * fz_ntid_x() + fz_tid_x();
}
// Linear index of the block in the grid.
FZ_FN u32 fz_block() {
  return (fz_ctaid_z() * fz_nctaid_y() + fz_ctaid_y()) * fz_nctaid_x() +
         fz_ctaid_x();
}

// The bits of a float; every NaN gives the same bits.
FZ_FN u32 fz_bits(f32 x) {
  return x != x ? 0x7fc00000u : __builtin_bit_cast(u32, x);
}
FZ_FN u64 fz_bits64(f64 x) {
  return x != x ? 0x7ff8000000000000ull : __builtin_bit_cast(u64, x);
}
FZ_FN u32 fz_bits16(f16 x) {
  return x != x ? 0x7e00u : __builtin_bit_cast(u16, x);
}
// A finite float of moderate size (-32768 to 32768) from any bits.
FZ_FN f32 fz_unit(u32 x) { return (f32)(i32)x * 0x1p-16f; }
FZ_FN f64 fz_unit64(u64 x) { return (f64)(i64)x * 0x1p-44; }
// A finite float from 2^-79 to 2^-47, or its negative: products of two, by
// which ptxas's scaling shows, are subnormal or nearly so.
FZ_FN f32 fz_small(u32 x) {
  return __builtin_bit_cast(f32, (x & 0x8fffffffu) + 0x18000000u);
}
// The second of two floats, by way of one word of 64 bits.
FZ_FN f32 fz_second(f32 a, f32 b) {
  const u64 pair =
      (u64) __builtin_bit_cast(u32, b) << 32 | __builtin_bit_cast(u32, a);
  return __builtin_bit_cast(f32, (u32)(pair >> 32));
}
FZ_FN u32 fz_least(u32 a, u32 b) { return a < b ? a : b; }
// Float to integer, clamped into the integer's range; NaN gives the bound.
FZ_FN u32 fz_to_u32(f32 x) {
  return (u32)__builtin_fmaxf(__builtin_fminf(x, 65535.0f), 0.0f);
}
FZ_FN u64 fz_to_u64(f64 x) {
  return (u64)__builtin_fmax(__builtin_fmin(x, 4503599627370495.0), 0.0);
}
FZ_FN i32 fz_to_i32(f32 x) {
  return (i32)__builtin_fmaxf(__builtin_fminf(x, 32767.0f), -32768.0f);
}

// A store by a function that is not inlined.
FZ_NOINLINE void fz_put(u32 *p, u32 v) { *p = v; }

FZ_FN u32 fz_mix(u32 h, u32 x) {
  h = (h ^ x) * 0x9e3779b1u;
  return h ^ (h >> 15);
}
FZ_FN u32 fz_mix(u32 h, i32 x) { return fz_mix(h, (u32)x); }
FZ_FN u32 fz_mix(u32 h, u16 x) { return fz_mix(h, (u32)x); }
FZ_FN u32 fz_mix(u32 h, i16 x) { return fz_mix(h, (u32)x); }
FZ_FN u32 fz_mix(u32 h, u8 x) { return fz_mix(h, (u32)x); }
FZ_FN u32 fz_mix(u32 h, i8 x) { return fz_mix(h, (u32)x); }
FZ_FN u32 fz_mix(u32 h, bool x) { return fz_mix(h, x ? 77u : 5u); }
FZ_FN u32 fz_mix(u32 h, u64 x) {
  return fz_mix(fz_mix(h, (u32)x), (u32)(x >> 32));
}
FZ_FN u32 fz_mix(u32 h, i64 x) { return fz_mix(h, (u64)x); }
FZ_FN u32 fz_mix(u32 h, u128 x) {
  return fz_mix(fz_mix(h, (u64)x), (u64)(x >> 64));
}
FZ_FN u32 fz_mix(u32 h, i128 x) { return fz_mix(h, (u128)x); }
FZ_FN u32 fz_mix(u32 h, f16 x) { return fz_mix(h, fz_bits16(x)); }
FZ_FN u32 fz_mix(u32 h, bf16 x) { return fz_mix(h, fz_bits((f32)x)); }
FZ_FN u32 fz_mix(u32 h, f32 x) { return fz_mix(h, fz_bits(x)); }
FZ_FN u32 fz_mix(u32 h, f64 x) { return fz_mix(h, fz_bits64(x)); }
FZ_FN u32 fz_mix(u32 h, v2u v) { return fz_mix(fz_mix(h, v.x), v.y); }
FZ_FN u32 fz_mix(u32 h, v4u v) {
  return fz_mix(fz_mix(fz_mix(fz_mix(h, v.x), v.y), v.z), v.w);
}
FZ_FN u32 fz_mix(u32 h, v4f v) {
  return fz_mix(fz_mix(fz_mix(fz_mix(h, v.x), v.y), v.z), v.w);
}
FZ_FN u32 fz_mix(u32 h, v2l v) { return fz_mix(fz_mix(h, v.x), v.y); }
FZ_FN u32 fz_mix(u32 h, v2d v) { return fz_mix(fz_mix(h, v.x), v.y); }
FZ_FN u32 fz_mix(u32 h, v2h v) { return fz_mix(fz_mix(h, v.x), v.y); }
FZ_FN u32 fz_mix(u32 h, v2b v) { return fz_mix(fz_mix(h, v.x), v.y); }
FZ_FN u32 fz_mix(u32 h, v2s v) { return fz_mix(fz_mix(h, v.x), v.y); }

#endif
