//===- host.cpp - cold state: input and reference -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Threads = P.quick() ? 2048 : 1 << 19;
  const unsigned RowCount = P.quick() ? 1024 : 1 << 20; // 128 MB
  auto &Cold = P.bits<uint32_t>(size_t(Threads) * ColdValues, 0);
  auto &Start = P.input<uint32_t>(Threads / WarpSize);
  auto &Rows = P.input<uint32_t>(size_t(RowCount) * WarpSize);
  auto &Result = P.output<uint32_t>(Threads);
  Random StartRow = P.random(1), NextRow = P.random(2), Payload = P.random(3);
  for (size_t W = 0; W < Start.size(); ++W)
    Start[W] = StartRow.below(W, RowCount);
  parallelFor(Rows.size(), [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      Rows[I] = (NextRow.below(I / WarpSize, RowCount) << 12) |
                (Payload.bits(I) & 0xFFF);
  });

  P.launch("coldstate", {unsigned(Threads / BlockSize)}, {BlockSize}, Cold,
           Start, Rows, Result, Threads);

  P.verify(Threads, 50000, 0, [&, Threads](size_t T, Checker &C) {
    uint64_t Sum = 0;
    for (int I = 0; I < ColdValues; ++I)
      Sum = (Sum * 31 + Cold[size_t(I) * Threads + T]) % (1ull << 32);
    size_t Row = Start[T / WarpSize];
    for (int I = 0; I < Steps; ++I) {
      uint32_t Word = Rows[Row * WarpSize + T % WarpSize];
      Sum = (Sum * 0x9E3779B1ull + Word % 4096) % (1ull << 32);
      Row = Word / 4096;
    }
    for (int I = 0; I < ColdValues; ++I) {
      uint64_t Mixed = (Sum ^ Cold[size_t(I) * Threads + T]) * 0x85EBCA77ull;
      Sum = (Mixed + (Sum >> 15)) % (1ull << 32);
    }
    C.equal(Result[T], uint32_t(Sum));
  });
}
