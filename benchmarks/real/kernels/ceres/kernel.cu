//===- kernel.cu - derivatives of reprojection errors by Ceres ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define EIGEN_NO_DEBUG
#define EIGEN_DONT_VECTORIZE
#define EIGEN_MAX_CPP_VER 11
#include "real/Item.h"
#if REAL_GPU && defined(__clang__)
#define EIGEN_NO_CUDA
#endif
REAL_LIBRARY_BEGIN
#include <ceres/jet.h>
#include <ceres/rotation.h>

namespace {

/// Residual of a camera of six or nine parameters that sees a point, and its
/// derivatives by all of them.
template <int Parameters> void reprojection(Inputs In, Outputs Out) {
  using Jet = ceres::Jet<REAL_TYPE, Parameters>;
  Jet Camera[Parameters];
  for (int K = 0; K < Parameters; ++K)
    Camera[K] = Jet(In[K] * REAL_TYPE(0.5), K);
  REAL_TYPE At[3] = {In[Parameters], In[Parameters + 1],
                     In[Parameters + 2] + 5};
  Jet Point[3] = {Jet(At[0]), Jet(At[1]), Jet(At[2])}, Seen[3];
  ceres::AngleAxisRotatePoint(Camera, Point, Seen);
  for (int K = 0; K < 3; ++K)
    Seen[K] += Camera[3 + K];
  Jet X = Seen[0] / Seen[2], Y = Seen[1] / Seen[2];
  if constexpr (Parameters > 6) {
    Jet Radius = X * X + Y * Y;
    Jet Distortion =
        Camera[6] * (Jet(1) + Radius * (Camera[7] + Camera[8] * Radius));
    X *= Distortion;
    Y *= Distortion;
  }
  Out[0] = X.a;
  Out[1] = Y.a;
  for (int K = 0; K < Parameters; ++K) {
    Out[2 + K] = X.v[K];
    Out[2 + Parameters + K] = Y.v[K];
  }
}

} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) { REAL_WORK(In, Out); }
