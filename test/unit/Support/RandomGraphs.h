//===- RandomGraphs.h - kernel graphs by seed -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small graphs of every shape that compilers produce: straight lines, nested
// loops with several exits, jumps into loops, branches that cannot be split,
// values of all sizes and kinds with several definitions or, on some path,
// none; in every other graph, values that are recomputed. The same seed gives
// the same graph on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_RANDOMGRAPHS_H
#define REGDEM_TEST_UNIT_RANDOMGRAPHS_H

#include "regdem/Analysis/KernelGraph.h"

namespace regdem::test {

/// Numbers from 0 to 2^32 - 1 (a linear congruential generator of 64 bits
/// with Knuth's multiplier).
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 2 + 1) { below(2); }
  unsigned below(unsigned Bound) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((State >> 33) % Bound);
  }
  bool oneIn(unsigned N) { return below(N) == 0; }

private:
  uint64_t State;
};

enum class Shape { Line, Structured, Arbitrary };
constexpr unsigned NumShapes = 3;

/// Values that some path to a read leaves undefined.
enum class Undefined {
  None,
  NotLive, ///< Live where a definition reaches, see GraphBuilder::finish.
  Live     ///< Live up to the entry.
};

KernelGraph randomGraph(Shape Form, uint64_t Seed, Undefined Partly);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_RANDOMGRAPHS_H
