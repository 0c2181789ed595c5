"""Generator of random CUDA kernels with defined behaviour. See ../README.md."""
