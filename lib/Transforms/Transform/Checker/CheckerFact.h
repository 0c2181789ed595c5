//===- CheckerFact.h - what is known of a slot ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice of the checker's data-flow analysis.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERFACT_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERFACT_H

#include <cstdint>

namespace regdem::checker {

/// What is known of an atom, or of a recomputation. Ordered by certainty:
/// Unvisited > Current > Stale > Mixed > Unset. Transfer and meet only descend.
class Fact {
public:
  enum Certainty : uint8_t {
    /// Not set on some path.
    Unset,
    /// Different things on different paths.
    Mixed,
    /// The bytes of a register's value before its latest definition.
    Stale,
    /// The bytes of a register's value.
    Current,
    /// No path has been followed yet.
    Unvisited
  };

  Fact() : Fact(Unvisited, 0, 0) {}
  Fact(Certainty C, unsigned Reg, unsigned Part)
      : C(C), Part(static_cast<uint8_t>(Part)), Reg(Reg) {}

  Certainty certainty() const { return C; }
  unsigned reg() const { return Reg; }
  unsigned part() const { return Part; }

  bool operator==(const Fact &F) const {
    return C == F.C && Part == F.Part && Reg == F.Reg;
  }
  bool operator!=(const Fact &F) const { return !(*this == F); }

  Fact meet(const Fact &F) const {
    if (*this == F || F.C == Unvisited)
      return *this;
    if (C == Unvisited)
      return F;
    if (C == Unset || F.C == Unset)
      return Fact(Unset, 0, 0);
    if (C >= Stale && F.C >= Stale && Reg == F.Reg && Part == F.Part)
      return Fact(Stale, Reg, Part);
    return Fact(Mixed, 0, 0);
  }

private:
  Certainty C;
  uint8_t Part;
  unsigned Reg;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERFACT_H
