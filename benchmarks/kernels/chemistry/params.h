//===- params.h - chemistry source term: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_CHEMISTRY_PARAMS_H
#define BENCHMARKS_CHEMISTRY_PARAMS_H

enum { Species = 32, Reactions = 64, BlockSize = 128 };

/// A random but fixed number for field \p Field of reaction \p Reaction: the
/// mechanism is a table that compilers can see through, as the tables of
/// mechanism-specific generated code are.
constexpr unsigned draw(unsigned Reaction, unsigned Field) {
  unsigned X = Reaction * 0x9E3779B1u + Field * 0x85EBCA77u + 12345u;
  X = (X ^ (X >> 15)) * 0x2C1B3C6Du;
  X = (X ^ (X >> 12)) * 0x297A2D39u;
  return X ^ (X >> 15);
}

constexpr double drawReal(unsigned Reaction, unsigned Field, double Low,
                          double High) {
  return Low + (High - Low) * (draw(Reaction, Field) >> 8) / 16777216.0;
}

/// Reversible reaction A + B <-> C + D with an Arrhenius rate
/// exp(LnA + Beta ln T - Activation / T) and an equilibrium constant
/// exp(Entropy - Enthalpy / T).
template <unsigned R> struct Reaction {
  static constexpr unsigned A = R % Species;
  static constexpr unsigned B = (A + 1 + draw(R, 0) % (Species - 1)) % Species;
  static constexpr unsigned C = draw(R, 1) % Species;
  static constexpr unsigned D = draw(R, 2) % Species;
  static constexpr double LnA = drawReal(R, 3, 2, 4);
  static constexpr double Beta = drawReal(R, 4, -0.5, 0.5);
  static constexpr double Activation = drawReal(R, 5, 500, 6000);
  static constexpr double Entropy = drawReal(R, 6, -1, 1);
  static constexpr double Enthalpy = drawReal(R, 7, -1000, 1000);
};

#endif // BENCHMARKS_CHEMISTRY_PARAMS_H
