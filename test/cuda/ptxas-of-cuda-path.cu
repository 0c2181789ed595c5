// The assembler that is asked is that of the toolkit that clang is told to use,
// --ptxas-path goes first. What clang does not look at in the environment does
// not matter, and what it does, the search path, does.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\necho asked here >&2\nexit 3\n' > %t/bin/ptxas && chmod +x %t/bin/ptxas
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %regdem --ptxas-path=%t/bin/ptxas %s -o %t.s 2>&1 | FileCheck %s
// RUN: ln -s %cuda/include %cuda/nvvm %t
// RUN: %clang -x cuda --cuda-path=%t -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: env PATH=%t/bin:%{path} %clang -x cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: env CUDA_PATH=%t CUDA_HOME=%t PATH=%cuda/bin:%{path} %clang -x cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %regdem %s -o %t.s 2>&1 | count 0
#include "Inputs/mix.h"

// CHECK: warning: regdem: 'asked': '{{.*}}/bin/ptxas' ended with 3: asked here; the kernel is left as it is
extern "C" __global__ void __launch_bounds__(256, 6)
    asked(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
