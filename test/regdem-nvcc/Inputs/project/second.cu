__global__ void second(int *Out) { Out[threadIdx.x] = 1; }
void launchSecond() { second<<<2, 32>>>(nullptr); }
