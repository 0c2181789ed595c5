// A folder or an entry that others can write is not used, as one warning says
// for all kernels together; all else is as without a cache.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{build} = %device %regdem -mllvm -regdem-max-regs=40 %s
// RUN: %{build} -mllvm -regdem-cache=off -o %t/off.s
// RUN: %{build} -mllvm -regdem-cache=%t/cache -Werror -o %t/on.s 2>&1 | count 0
// RUN: chmod g+w %t/cache/llvmcache-*
// RUN: %{build} -mllvm -regdem-cache=%t/cache -o %t/on.s 2>&1 | FileCheck %s --check-prefixes=ALL,ENTRY
// RUN: cmp %t/off.s %t/on.s
// RUN: chmod g-w %t/cache/llvmcache-* && chmod o+w %t/cache
// RUN: %{build} -mllvm -regdem-cache=%t/cache -o %t/on.s 2>&1 | FileCheck %s --check-prefixes=ALL,FOLDER
// RUN: cmp %t/off.s %t/on.s
// RUN: mkdir %t/all && chmod a+w %t/all
// RUN: %{build} -mllvm -regdem-cache=%t/all/cache -o %t/on.s 2>&1 | FileCheck %s --check-prefixes=ALL,PARENT
// RUN: not test -e %t/all/cache
// RUN: %{build} -mllvm -regdem-cache=%t/on.s -o %t/off.s 2>&1 | FileCheck %s --check-prefixes=ALL,FILE
// Nobody has asked for the folder that is used if none is stated.
// DEFINE: %{usual} = env -u REGDEM_CACHE_DIR XDG_CACHE_HOME=%t/all %{build}
// RUN: %{usual} -Werror -o %t/on.s 2>&1 | count 0
// RUN: cmp %t/off.s %t/on.s
// RUN: %{usual} -Rpass-missed=regdem -o %t/on.s 2>&1 | FileCheck %s --check-prefix=USUAL
#include "Inputs/two-kernels.h"

// ENTRY: warning: regdem: decisions are not cached: others can write '[[F:.*/cache/llvmcache-[0-9a-f]*]]': run chmod go-w '[[F]]', or name another folder in REGDEM_CACHE_DIR
// FOLDER: warning: regdem: decisions are not cached: others can write '[[F:.*/cache]]': run chmod go-w '[[F]]', or name another folder in REGDEM_CACHE_DIR
// PARENT: warning: regdem: decisions are not cached: others can write '[[F:.*/all]]': run chmod go-w '[[F]]', or name another folder in REGDEM_CACHE_DIR
// FILE: warning: regdem: decisions are not cached: '{{.*}}/on.s' is no folder: name another in REGDEM_CACHE_DIR
// USUAL: remark: decisions are not cached: others can write '{{.*}}/all'
// ALL-NOT: not cached
