//===- kernel.cu - matrices and noise of graphics by GLM ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
REAL_LIBRARY_BEGIN
#include <glm/glm.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/noise.hpp>

namespace {
using Vector = glm::vec<4, REAL_TYPE>;
using Matrix = glm::mat<4, 4, REAL_TYPE>;

REAL_DEVICE Matrix load(Inputs In, int First) {
  Matrix Result;
  for (int C = 0; C < 4; ++C)
    for (int R = 0; R < 4; ++R)
      Result[C][R] = In[First + 4 * C + R] + REAL_TYPE(C == R ? 4 : 0);
  return Result;
}

/// A vertex's matrices: to the eye, and for normals.
REAL_DEVICE void transforms(Inputs In, Outputs Out) {
  Matrix Model = load(In, 0), View = load(In, 16);
  Matrix Both = View * Model;
  Matrix Normals = glm::transpose(glm::inverse(Both));
  for (int C = 0; C < 4; ++C)
    for (int R = 0; R < 4; ++R) {
      Out[4 * C + R] = Both[C][R];
      Out[16 + 4 * C + R] = Normals[C][R];
    }
}

REAL_DEVICE Vector position(Inputs In, REAL_TYPE Scale) {
  return Vector(In[0], In[1], In[2], In[3]) * Scale;
}

/// Fractal noise of four dimensions.
REAL_DEVICE void simplex(Inputs In, Outputs Out) {
  REAL_TYPE Sum = 0;
#pragma unroll 1
  for (int Octave = 0; Octave < 4; ++Octave)
    Sum += glm::simplex(position(In, REAL_TYPE(8 << Octave))) /
           REAL_TYPE(1 << Octave);
  Out[0] = Sum;
}

REAL_DEVICE void perlin(Inputs In, Outputs Out) {
  REAL_TYPE Sum = 0;
#pragma unroll 1
  for (int Octave = 0; Octave < 4; ++Octave)
    Sum += glm::perlin(position(In, REAL_TYPE(8 << Octave))) /
           REAL_TYPE(1 << Octave);
  Out[0] = Sum;
}
} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) { REAL_WORK(In, Out); }
