//===- params.h - Heston model: kernel and host -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_HESTON_PARAMS_H
#define BENCHMARKS_HESTON_PARAMS_H

enum { Steps = 48, Strikes = 8, BlockSize = 256 };
constexpr float TimeStep = 1.0f / 48;
constexpr float LowestStrike = 0.8f, StrikeStep = 0.05f;

/// Words of Philox (Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3", 2011).
constexpr unsigned PhiloxM0 = 0xD2511F53u, PhiloxM1 = 0xCD9E8D57u;
constexpr unsigned PhiloxW0 = 0x9E3779B9u, PhiloxW1 = 0xBB67AE85u;
enum { PhiloxRounds = 10 };

#endif // BENCHMARKS_HESTON_PARAMS_H
