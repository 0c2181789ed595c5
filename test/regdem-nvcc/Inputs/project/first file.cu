__global__ void __launch_bounds__(64) first(int *Out, const int *In) {
  int Bins[8] = {};
  for (int I = 0; I != 32; ++I)
    Bins[In[I] & 7] += I;
  Out[threadIdx.x] = Bins[In[threadIdx.x] & 7];
}
void launchFirst() { first<<<1, 64>>>(nullptr, nullptr); }
