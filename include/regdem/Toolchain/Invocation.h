//===- Invocation.h - what is known of the run of ptxas to come -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some PTX is an error under `ptxas -c` and `ptxas -g`, and every release of
// ptxas makes other code. No interface tells a plugin how clang's driver is
// going to run ptxas, and which one, but the command lines of the driver and of
// the compiler proper that it spawns do.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_INVOCATION_H
#define REGDEM_TOOLCHAIN_INVOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The command lines of this process and of the one that started it, the
/// programs' names included. Empty where they cannot be read.
struct Invocation {
  std::vector<std::string> Own, Parent;
};

/// The command lines of the running process, which are read once; known on
/// Linux only.
const Invocation &readInvocation();

/// The value after the last Flag in Args; empty if there is none.
llvm::StringRef lastValueOf(llvm::ArrayRef<std::string> Args,
                            llvm::StringRef Flag);

/// The file from which the code at Address was loaded; empty where that is not
/// known.
std::string fileOf(const void *Address);

/// The command line of I's driver, the program's name first, with what files of
/// arguments (@FILE) say in their places; as it is where one cannot be read.
/// Files that clang reads unasked (--config, clang.cfg) are not in it.
std::vector<std::string> driverArguments(const Invocation &I);

/// Whether I proves that clang's driver hands this compilation's PTX to ptxas
/// itself, without -g, and with -c if and only if isRelocatable(I). TempDir is
/// where the driver puts files that go from one job to the next. As clang 22
/// behaves (`clang++ -###`):
///  - where compiling is one job of several, it is a process of its own with
///    -cc1 and, for device code, -fcuda-is-device; its output is a temporary
///    file NAME-XXXXXX.s. PTX that is the result of the command (-S,
///    -save-temps) is not, and may be assembled in any way later;
///  - that process gets -fgpu-rdc if and only if ptxas gets -c;
///  - ptxas gets -g with every -debug-info-kind but line-directives-only;
///  - -Xcuda-ptxas reaches ptxas from the driver's command line;
///  - programs carry PTX for the GPU driver with --cuda-include-ptx and, by
///    default, with the driver's old way of offloading.
/// A file of arguments (@FILE) on either command line proves nothing.
bool endsInPtxas(const Invocation &I, llvm::StringRef TempDir);

/// Whether I makes device code that is linked with other files' (-fgpu-rdc).
bool isRelocatable(const Invocation &I);

/// The same of this process.
bool runIsRelocatable();

/// What I's compilation is called in symbols, for host code and all
/// architectures alike: digits by clang's name for it (-cuid), which users may
/// state for several files, and by the file's. Empty where clang has none.
std::string compilationName(const Invocation &I);

/// Whether this process's PTX is known to go to ptxas with neither -c nor -g.
bool runEndsInPlainPtxas();

/// Whether the running program is clang, whose plugins' options follow -mllvm.
bool isClang(const Invocation &I);

/// Whether the running program is regdem-ptxas, perhaps by a link named ptxas,
/// whose options come from the environment.
bool isPtxas(const Invocation &I);

/// The cap in registers that the driver of I gives to ptxas
/// (-Xcuda-ptxas --maxrregcount=N), which holds for kernels without launch
/// bounds; 0: none.
unsigned statedRegisterCap(const Invocation &I);

/// The flags of ptxas that the driver of I gives to it (-Xcuda-ptxas, and -O1)
/// and that trial runs need as well, since they may refuse a build or bear on
/// its figures: all but those about the output, which kernels are assembled,
/// messages, debugging, relocatable code, and the cap, which
/// statedRegisterCap() tells.
std::vector<std::string> trialFlags(const Invocation &I);

/// The options of LLVM that the program was started with: what follows -mllvm
/// where that is clang, else all its options but the name of the output. None
/// where the command line is not known, or a file of arguments not readable.
std::optional<std::vector<std::string>> llvmOptions(const Invocation &I);

/// Whether the driver of I compiles host code for the same device code, with
/// the plugins that it loads for that, which read that code. False where it may
/// have been told to do one of the two only, or to compress device code.
bool compilesHostAlike(const Invocation &I);

/// Whether clang's driver is known to compile the host code of what this
/// process compiles as well, with RegDem at work on it, and to run ptxas.
bool runHasHost();

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_INVOCATION_H
