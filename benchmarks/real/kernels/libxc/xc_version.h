//===- xc_version.h - the release of Libxc ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define XC_VERSION "5.2.3"
#define XC_MAJOR_VERSION 5
#define XC_MINOR_VERSION 2
#define XC_MICRO_VERSION 3
