// Kernels whose code is read without nvdisasm are searched once, and wait for
// no other; code that it has to read is waited for.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\nexec %nvdisasm "$@"\n' > %t/bin/nvdisasm && chmod +x %t/bin/nvdisasm
// DEFINE: %{reader} = auto
// DEFINE: %{trace} = env PATH=%t/bin:$PATH %device %regdem %s -o %t/out.s -mllvm -regdem-disassembler=%{reader} -Xclang -ftime-trace=%t/trace.json
// DEFINE: %{count} = %python -c "import json; events = json.load(open(r'%t/trace.json'))['traceEvents']; print(sum(e['name'] == 'RegDem search' for e in events))"
// RUN: %{trace} && %{count} | FileCheck %s --check-prefix=OWN
// OWN: {{^2$}}
// REDEFINE: %{reader} = %nvdisasm
// RUN: %{trace} && %{count} | FileCheck %s --check-prefix=TOOL
// TOOL: {{^4$}}
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    first(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256)
    second(unsigned *Data, int Rounds) {
  mix<52>(Data, Rounds, threadIdx.x);
}
