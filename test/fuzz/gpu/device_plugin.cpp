//===- device_plugin.cpp - RegDem.so of device_clang ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin whose entry is the program's own: device_clang holds LLVM's archives
// and RegDem, and a plugin linked with a second LLVM could not work in it.
//
//===----------------------------------------------------------------------===//
#include "llvm/Plugins/PassPlugin.h"

#include <dlfcn.h>

extern "C" llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  auto *Entry = reinterpret_cast<llvm::PassPluginLibraryInfo (*)()>(
      dlsym(RTLD_DEFAULT, "regdemPassPluginInfo"));
  return Entry();
}
