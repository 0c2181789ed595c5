//===- config.h - what Libxc's configuration would find ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define HAVE_CBRT 1
