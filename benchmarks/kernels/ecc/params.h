//===- params.h - elliptic-curve arithmetic: kernel and host ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_ECC_PARAMS_H
#define BENCHMARKS_ECC_PARAMS_H

enum {
  Limbs = 8, ///< of 32 bits, the least significant first
  Steps = 8, ///< doublings
  BlockSize = 128
};

/// The prime of NIST's curve P-256 (FIPS 186-4, D.1.2.3): 2^256 - 2^224 +
/// 2^192 + 2^96 - 1. Its lowest limb is -1, so that Montgomery's constant
/// -p^-1 mod 2^32 is 1.
#define PRIME_LIMBS                                                            \
  {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0, 0, 1, 0xFFFFFFFFu}

#endif // BENCHMARKS_ECC_PARAMS_H
