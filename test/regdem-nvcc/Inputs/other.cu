__device__ int other(int Value) { return Value * 3; }
