// A kernel with a cap that it does not keep to, so that the assembler is asked.
#include "../../cuda/Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    asked(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
