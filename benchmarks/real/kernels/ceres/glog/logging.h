//===- logging.h - in place of glog's, for ceres/rotation.h -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// Takes what a check would print.
struct NoLog {
  template <class T> REAL_DEVICE NoLog operator<<(const T &) const {
    return {};
  }
};
#define DCHECK_EQ(A, B) NoLog()
#define DCHECK_NE(A, B) NoLog()
