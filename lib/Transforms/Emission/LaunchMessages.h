//===- LaunchMessages.h - launches in words ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_EMISSION_LAUNCHMESSAGES_H
#define REGDEM_LIB_EMISSION_LAUNCHMESSAGES_H

#include <string>

namespace regdem {

struct Outcome;

/// One clause: which launches of O's kernel take builds of their own.
std::string describeLaunches(const Outcome &O);

} // namespace regdem

#endif // REGDEM_LIB_EMISSION_LAUNCHMESSAGES_H
