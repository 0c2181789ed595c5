extern "C" __global__ void inner(float *Out) { Out[threadIdx.x] = 1; }
