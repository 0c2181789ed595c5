//===- DispatcherCode.h - the dispatcher as LLVM IR -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_LAUNCH_DISPATCHERCODE_H
#define REGDEM_LIB_LAUNCH_DISPATCHERCODE_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// Links what Dispatcher.c, LaunchLog.c and LaunchMeasure.c define into M, as
/// internal functions and data.
/// Returns __regdem_launch().
llvm::Function &linkDispatcher(llvm::Module &M);

} // namespace regdem

#endif // REGDEM_LIB_LAUNCH_DISPATCHERCODE_H
