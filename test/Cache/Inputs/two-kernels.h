#include "../../cuda/Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    first(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    second(unsigned *Data, int Rounds) {
  mix<44>(Data, Rounds, threadIdx.x);
}
