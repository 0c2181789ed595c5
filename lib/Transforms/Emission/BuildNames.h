//===- BuildNames.h - builds in a few words ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_EMISSION_BUILDNAMES_H
#define REGDEM_LIB_EMISSION_BUILDNAMES_H

#include "regdem/Decision/Builds/Rewrite.h"
#include <string>

namespace regdem {

enum class InstOrder;
struct Variant;

/// ", loops unrolled, without slsr" and the like; empty where nothing is left
/// out.
std::string nameRewrites(Rewrite O);

/// ", instructions in order 'near'"; empty for the source's.
std::string nameOrder(InstOrder Order);

/// ", frame of 48 bytes a thread in shared memory", or nothing.
std::string nameMove(const Variant &V);

/// "cap 40, loops unrolled" and the like.
std::string nameVariant(const Variant &V);

} // namespace regdem

#endif // REGDEM_LIB_EMISSION_BUILDNAMES_H
