//===- CachedChecks.h - checked programs in the cache -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_BUILDER_CACHEDCHECKS_H
#define REGDEM_BUILDER_CACHEDCHECKS_H

#include <memory>

namespace regdem {

class CheckedPrograms;
class Disassembler;
struct Options;
class Ptxas;

/// The programs that O's cache knows this RegDem with these tools to have
/// accepted; null where there is no cache.
std::shared_ptr<CheckedPrograms> cachedChecks(const Options &O,
                                              const Ptxas &Assembler,
                                              const Disassembler &Reader);

} // namespace regdem

#endif // REGDEM_BUILDER_CACHEDCHECKS_H
