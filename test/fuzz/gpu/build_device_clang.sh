#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds device_clang, which needs no installed LLVM where it runs:
#   build_device_clang.sh OUT [BUILD]
# With the folder of a build of RegDem, RegDem is linked in, and its plugin is
# RegDem.so beside OUT. Needs LLVM's and clang's archives (Debian: llvm-22-dev,
# libclang-22-dev), the latter under CLANG_ROOT if that is set.
set -euo pipefail
Here=$(dirname "${BASH_SOURCE[0]}")
Config=${LLVM_CONFIG:-llvm-config-22}
Root=${CLANG_ROOT:-$($Config --prefix)}
Clang=()
for Name in CodeGen Frontend Driver Parse Serialization Sema APINotes Analysis \
            AnalysisLifetimeSafety ASTMatchers Edit AST Lex Options Support \
            Basic; do
  Clang+=("-lclang$Name")
done
# Polly's archives are in another package; its entry is defined in the source.
read -ra LLVM <<< "$($Config --link-static --libs nvptx x86 passes coverage lto \
  frontendopenmp frontendhlsl frontenddriver frontendoffloading linker \
  instrumentation objcarcopts irreader bitwriter object option targetparser \
  windowsdriver extensions irprinter coroutines hipstdpar profiledata plugins |
  sed 's/-lPolly[A-Z]*//g')"
Flags=(-std=c++17 -O1 -fno-rtti -isystem "$Root/include"
       -isystem "$($Config --includedir)")
RegDem=()
if [ $# -gt 1 ]; then
  g++ "${Flags[@]}" -DLLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1 -shared \
    -fPIC -s "$Here/device_plugin.cpp" \
    -o "$(dirname "$1")/RegDem.so"
  RegDem=("-Wl,--defsym,regdemPassPluginInfo=llvmGetPassPluginInfo"
          -Wl,--export-dynamic-symbol=regdemPassPluginInfo
          "$2"/lib/Transforms/{CMakeFiles/RegDem.dir/Plugin.cpp,Source}.o
          "$2"/lib/Transforms/libRegDemCore.a)
fi
# RegDem comes after LLVM, whose list of callbacks has to be there when RegDem
# enters its own.
Archives=(-Wl,--start-group "${Clang[@]}" "${LLVM[@]}" -Wl,--end-group)
g++ "${Flags[@]}" -no-pie -s -fuse-ld=gold -Wl,--gc-sections \
  "$Here/device_clang.cpp" -o "$1" -static-libstdc++ -static-libgcc \
  "-L$Root/lib" "-L$($Config --libdir)" \
  "${Archives[@]}" "${RegDem[@]}" "${Archives[@]}" \
  -lrt -ldl -lm -lpthread -l:libz.a -l:libzstd.so.1
