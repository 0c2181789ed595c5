//===- kernel.cu - small dense matrices by Eigen --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define EIGEN_NO_DEBUG
#define EIGEN_DONT_VECTORIZE
#define EIGEN_NO_MALLOC
#define EIGEN_MAX_CPP_VER 11 // Later, fix<N> is a variable of the host.
#include "real/Item.h"
#if REAL_GPU && defined(__clang__)
#define EIGEN_NO_CUDA // The pragma makes more of Eigen device code than Eigen.
#endif
REAL_LIBRARY_BEGIN
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
REAL_LIBRARY_END

REAL_LIBRARY_BEGIN
namespace {

template <int Rows, int Columns = Rows>
using Matrix = Eigen::Matrix<REAL_TYPE, Rows, Columns>;
template <int Rows> using Vector = Matrix<Rows, 1>;

template <class M> REAL_DEVICE M load(Inputs In, int First = 0) {
  M Result;
#pragma unroll
  for (int C = 0; C < M::ColsAtCompileTime; ++C)
#pragma unroll
    for (int R = 0; R < M::RowsAtCompileTime; ++R)
      Result(R, C) = In[First + C * M::RowsAtCompileTime + R];
  return Result;
}

template <class M>
REAL_DEVICE void store(Outputs Out, const M &Value, int First = 0) {
#pragma unroll
  for (int C = 0; C < M::ColsAtCompileTime; ++C)
#pragma unroll
    for (int R = 0; R < M::RowsAtCompileTime; ++R)
      Out[First + C * M::RowsAtCompileTime + R] = Value(R, C);
}

/// A symmetric matrix whose eigenvalues are at least 1.
template <int N> REAL_DEVICE Matrix<N> loadPositive(Inputs In) {
  Matrix<N> A = load<Matrix<N>>(In);
  return A * A.transpose() + Matrix<N>::Identity();
}

template <int N> REAL_DEVICE void inverse(Inputs In, Outputs Out) {
  Matrix<N> A = load<Matrix<N>>(In);
  A.diagonal().array() += REAL_TYPE(N);
  store(Out, Matrix<N>(A.inverse()));
}

template <int N> REAL_DEVICE void ldlt(Inputs In, Outputs Out) {
  Eigen::LDLT<Matrix<N>> Factors(loadPositive<N>(In));
  store(Out, Vector<N>(Factors.solve(load<Vector<N>>(In, N * N))));
}

/// The closed form.
template <int N> REAL_DEVICE void directEigenvalues(Inputs In, Outputs Out) {
  Eigen::SelfAdjointEigenSolver<Matrix<N>> Solver;
  Solver.computeDirect(loadPositive<N>(In));
  store(Out, Vector<N>(Solver.eigenvalues()));
}

/// The polar factor U V^T, which is unique, from the singular vectors.
template <int N> REAL_DEVICE void svd(Inputs In, Outputs Out) {
  Matrix<N> A = load<Matrix<N>>(In);
  A.diagonal().array() += REAL_TYPE(N);
  Eigen::JacobiSVD<Matrix<N>> Svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  store(Out, Matrix<N>(Svd.matrixU() * Svd.matrixV().transpose()));
}

/// A skew product of rotations, as skinning and robots have them.
template <int Joints> REAL_DEVICE void chain(Inputs In, Outputs Out) {
  using Transform = Eigen::Transform<REAL_TYPE, 3, Eigen::Affine>;
  Transform Pose = Transform::Identity();
  for (int J = 0; J < Joints; ++J) {
    Eigen::Quaternion<REAL_TYPE> Turn(In[7 * J] + 2, In[7 * J + 1],
                                      In[7 * J + 2], In[7 * J + 3]);
    Pose = Pose * Eigen::Translation<REAL_TYPE, 3>(In[7 * J + 4], In[7 * J + 5],
                                                   In[7 * J + 6]);
    Pose = Pose * Turn.normalized();
  }
  store(Out, Matrix<4>(Pose.inverse().matrix()));
}

/// A Kalman filter's step: N states, M measurements.
template <int N, int M> REAL_DEVICE void kalman(Inputs In, Outputs Out) {
  Matrix<N> Covariance = loadPositive<N>(In);
  Matrix<M, N> Model = load<Matrix<M, N>>(In, N * N);
  Matrix<M> Innovation = Model * Covariance * Model.transpose();
  Innovation.diagonal().array() += REAL_TYPE(1);
  Matrix<N, M> Gain = Covariance * Model.transpose() * Innovation.inverse();
  store(Out, Vector<N>(Gain * load<Vector<M>>(In, N * N + M * N)));
  store(Out, Matrix<N>((Matrix<N>::Identity() - Gain * Model) * Covariance), N);
}

REAL_DEVICE void kalman4x2(Inputs In, Outputs Out) { kalman<4, 2>(In, Out); }
REAL_DEVICE void kalman6x3(Inputs In, Outputs Out) { kalman<6, 3>(In, Out); }

} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) { REAL_WORK(In, Out); }
