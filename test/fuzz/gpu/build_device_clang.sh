#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds device_clang, which needs no installed LLVM where it runs. Takes the
# output's path; needs LLVM's and clang's archives (Debian: llvm-22-dev,
# libclang-22-dev), the latter under CLANG_ROOT if that is set.
set -euo pipefail
Config=${LLVM_CONFIG:-llvm-config-22}
Root=${CLANG_ROOT:-$($Config --prefix)}
Clang=()
for Name in CodeGen Frontend Driver Parse Serialization Sema APINotes Analysis \
            AnalysisLifetimeSafety ASTMatchers Edit AST Lex Options Support \
            Basic; do
  Clang+=("-lclang$Name")
done
# Polly's archives are in another package; its entry is defined in the source.
read -ra LLVM <<< "$($Config --link-static --libs nvptx passes coverage lto \
  frontendopenmp frontendhlsl frontenddriver frontendoffloading linker \
  instrumentation objcarcopts irreader bitwriter object option targetparser \
  windowsdriver extensions irprinter coroutines hipstdpar profiledata plugins |
  sed 's/-lPolly[A-Z]*//g')"
g++ -std=c++17 -O1 -fno-rtti -no-pie -s -fuse-ld=gold -Wl,--gc-sections \
  -isystem "$Root/include" -isystem "$($Config --includedir)" \
  "$(dirname "${BASH_SOURCE[0]}")/device_clang.cpp" -o "$1" \
  -static-libstdc++ -static-libgcc \
  "-L$Root/lib" -Wl,--start-group "${Clang[@]}" -Wl,--end-group \
  "-L$($Config --libdir)" "${LLVM[@]}" -lrt -ldl -lm -lpthread \
  -l:libz.a -l:libzstd.so.1
