//===- operations.h - PTX instructions on the CPU ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translated PTX (translate.py) is made of, after NVIDIA's "PTX ISA". A
// register is an unsigned integer of its width; as<T> reads its low bits as a
// T, put writes a T sign- or zero-extended as its type says. Addresses of
// every state space are the host's.
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_PTX_OPERATIONS_H
#define REGDEM_FUZZ_PTX_OPERATIONS_H

#include <cmath>
#include <cstring>
#include <type_traits>

template <size_t Size>
using Raw = std::conditional_t<
    Size == 1, u8,
    std::conditional_t<
        Size == 2, u16,
        std::conditional_t<Size == 4, u32,
                           std::conditional_t<Size == 8, u64, u128>>>>;

template <class T>
constexpr bool IsInteger =
    std::is_integral_v<T> || std::is_same_v<T, i128> || std::is_same_v<T, u128>;

template <class T, class R> T as(R raw) {
  if constexpr (std::is_same_v<T, bool>)
    return raw != 0;
  else
    return __builtin_bit_cast(T, static_cast<Raw<sizeof(T)>>(raw));
}
template <class R, class T> void put(R &reg, T value) {
  if constexpr (IsInteger<T>)
    reg = static_cast<R>(value);
  else
    reg = static_cast<R>(__builtin_bit_cast(Raw<sizeof(T)>, value));
}

template <class T> T load(u64 address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));
  return value;
}
template <class T> void store(u64 address, T value) {
  std::memcpy(reinterpret_cast<void *>(address), &value, sizeof(T));
}

// Two's complement for integers, so that nothing overflows.
#define PTX_WRAPPING(name, op)                                                 \
  template <class T> T name(T a, T b) {                                        \
    if constexpr (IsInteger<T>)                                                \
      return static_cast<T>(static_cast<u64>(a) op static_cast<u64>(b));       \
    else                                                                       \
      return static_cast<T>(a op b);                                           \
  }
PTX_WRAPPING(op_add, +)
PTX_WRAPPING(op_sub, -)
PTX_WRAPPING(op_mul, *)
#undef PTX_WRAPPING
template <class T> T op_and(T a, T b) { return static_cast<T>(a & b); }
template <class T> T op_or(T a, T b) { return static_cast<T>(a | b); }
template <class T> T op_xor(T a, T b) { return static_cast<T>(a ^ b); }
template <class T> T op_not(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}
template <class T> T op_mul_hi(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, i128, u128>;
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >>
                        (8 * sizeof(T)));
}
template <class T> auto op_mul_wide(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>,
                                  std::conditional_t<sizeof(T) == 2, i32, i64>,
                                  std::conditional_t<sizeof(T) == 2, u32, u64>>;
  return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
}
template <class T> T op_div(T a, T b) { return static_cast<T>(a / b); }
template <class T> T op_rem(T a, T b) { return static_cast<T>(a % b); }
template <class T> T op_neg(T a) {
  if constexpr (IsInteger<T>)
    return op_sub<T>(0, a);
  else
    return -a;
}
template <class T> T op_abs(T a) {
  if constexpr (IsInteger<T>)
    return a < 0 ? op_neg(a) : a;
  else if constexpr (std::is_same_v<T, v2h> || std::is_same_v<T, v2b>)
    return T{op_abs(a.x), op_abs(a.y)};
  else
    return static_cast<T>(std::fabs(static_cast<f64>(a)));
}
// A number wins over NaN, and -0 is less than +0.
template <class T> T op_min(T a, T b) {
  if constexpr (IsInteger<T>)
    return a < b ? a : b;
  else
    return a != a   ? b
           : b != b ? a
           : a == b ? (std::signbit(f64(a)) ? a : b)
           : a < b  ? a
                    : b;
}
template <class T> T op_max(T a, T b) {
  if constexpr (IsInteger<T>)
    return a > b ? a : b;
  else
    return a != a   ? b
           : b != b ? a
           : a == b ? (std::signbit(f64(a)) ? b : a)
           : a > b  ? a
                    : b;
}
template <class T> T op_fma(T a, T b, T c) {
  if constexpr (std::is_same_v<T, f64>)
    return __builtin_fma(a, b, c);
  else if constexpr (std::is_same_v<T, f32>)
    return __builtin_fmaf(a, b, c);
  else if constexpr (std::is_same_v<T, v2h> || std::is_same_v<T, v2b>)
    return T{op_fma(a.x, b.x, c.x), op_fma(a.y, b.y, c.y)};
  else if constexpr (std::is_same_v<T, bf16>) // The runtime has no more.
    return static_cast<T>(__builtin_fmaf(
        static_cast<f32>(a), static_cast<f32>(b), static_cast<f32>(c)));
  else // A product of halves is exact in double.
    return static_cast<f16>(static_cast<f64>(a) * static_cast<f64>(b) +
                            static_cast<f64>(c));
}
template <class T> T op_sqrt(T a) { return static_cast<T>(std::sqrt(a)); }

// Shift counts beyond the width count as the width.
template <class T> T op_shl(T a, u32 n) {
  return n >= 8 * sizeof(T) ? 0 : static_cast<T>(static_cast<u64>(a) << n);
}
template <class T> T op_shr(T a, u32 n) {
  const u32 width = 8 * sizeof(T);
  return static_cast<T>(n < width ? a >> n : a < 0 ? -1 : 0);
}
inline u32 op_shf_l(u32 a, u32 b, u32 n) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) << n >> 32);
}
inline u32 op_shf_r(u32 a, u32 b, u32 n) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> n);
}
template <class T> u32 op_popc(T a) {
  return static_cast<u32>(__builtin_popcountll(a));
}
template <class T> u32 op_clz(T a) {
  return a ? static_cast<u32>(__builtin_clzll(a)) - (64 - 8 * sizeof(T))
           : 8 * sizeof(T);
}
template <class T> T op_brev(T a) {
  return static_cast<T>(__builtin_bitreverse64(a) >> (64 - 8 * sizeof(T)));
}
template <class T> T op_bfe(T a, u32 pos, u32 len) {
  pos &= 255;
  len &= 255;
  u64 raw = static_cast<u64>(a);
  u32 width = 8 * sizeof(T);
  bool sign = std::is_signed_v<T> && len &&
              (raw >> (pos + len - 1 < width ? pos + len - 1 : width - 1) & 1);
  u64 field = pos < width ? static_cast<Raw<sizeof(T)>>(a) >> pos : 0;
  u64 mask = len >= 64 ? ~0ull : (1ull << len) - 1;
  return static_cast<T>(sign ? (field & mask) | ~mask : field & mask);
}
template <class T> T op_bfi(T a, T b, u32 pos, u32 len) {
  pos &= 255;
  len &= 255;
  u64 field = len >= 64 ? ~0ull : (1ull << len) - 1;
  u64 mask = pos < 64 ? field << pos : 0;
  u64 moved =
      pos < 64 ? static_cast<u64>(static_cast<Raw<sizeof(T)>>(a)) << pos : 0;
  return static_cast<T>((static_cast<u64>(b) & ~mask) | (moved & mask));
}
inline u32 op_prmt(u32 a, u32 b, u32 select) {
  u64 bytes = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 control = select >> (4 * i);
    u32 byte = static_cast<u32>(bytes >> (8 * (control & 7))) & 255;
    if (control & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
inline u32 op_lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

// Sum or difference with the carry flag, which they read and set.
template <class T> T op_addc(T a, T b, bool &carry) {
  using U = Raw<sizeof(T)>;
  u128 sum = static_cast<u128>(static_cast<U>(a)) + static_cast<U>(b) + carry;
  carry = sum >> (8 * sizeof(T)) & 1;
  return static_cast<T>(sum);
}
template <class T> T op_subc(T a, T b, bool &borrow) {
  using U = Raw<sizeof(T)>;
  u128 left = static_cast<U>(a), right = static_cast<u128>(static_cast<U>(b));
  u128 difference = left - right - borrow;
  borrow = difference >> (8 * sizeof(T)) & 1;
  return static_cast<T>(difference);
}

template <class D, class S> D op_cvt(S a) {
  if constexpr (!IsInteger<D> || IsInteger<S>) {
    return static_cast<D>(a);
  } else { // Towards zero, clamped; NaN gives 0.
    using Limits = std::numeric_limits<D>;
    f64 x = std::trunc(static_cast<f64>(a));
    return a != a                                 ? D(0)
           : x <= static_cast<f64>(Limits::min()) ? Limits::min()
           : x >= static_cast<f64>(Limits::max()) ? Limits::max()
                                                  : static_cast<D>(x);
  }
}

// An atomic operation: memory gets the new value, the old one is returned.
template <class T, class F> T op_atom(u64 address, T value, F combine) {
  T old = load<T>(address);
  store<T>(address, combine(old, value));
  return old;
}

#endif
