//===- host.cpp - local alignment: input and reference --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Pairs = P.quick() ? 512 : 1 << 19;
  const int SequenceWords = P.quick() ? 4 : 8, Length = 16 * SequenceWords;
  auto &Queries = P.bits<uint32_t>(size_t(QueryLength / 16) * Pairs, 0);
  auto &Sequences = P.bits<uint32_t>(size_t(SequenceWords) * Pairs, 1);
  auto &Scores = P.output<int32_t>(Pairs);

  P.launch("smith_waterman", {ceilDiv(Pairs, BlockSize)}, {BlockSize}, Queries,
           Sequences, Scores, Pairs, SequenceWords);

  // Every gap length is tried: Smith and Waterman's definition.
  P.verify(Pairs, 300, 0,
           [=, &Queries, &Sequences, &Scores](size_t T, Checker &C) {
             auto Letter = [=](const Array<uint32_t> &From, int I) {
               return From[size_t(I / 16) * Pairs + T] >> (2 * (I % 16)) & 3;
             };
             std::vector<std::vector<int>> H(QueryLength + 1,
                                             std::vector<int>(Length + 1));
             int Best = 0;
             for (int I = 1; I <= QueryLength; ++I)
               for (int J = 1; J <= Length; ++J) {
                 bool Same = Letter(Queries, I - 1) == Letter(Sequences, J - 1);
                 int Score =
                     std::max(0, H[I - 1][J - 1] + (Same ? Match : Mismatch));
                 for (int K = 1; K <= std::max(I, J); ++K) {
                   int Cost = GapOpen + (K - 1) * GapExtend;
                   if (K <= I)
                     Score = std::max(Score, H[I - K][J] - Cost);
                   if (K <= J)
                     Score = std::max(Score, H[I][J - K] - Cost);
                 }
                 H[I][J] = Score;
                 Best = std::max(Best, Score);
               }
             C.equal(int(Scores[T]), Best);
           });
}
