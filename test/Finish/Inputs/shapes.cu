// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with frames of all shapes, one signature for all: n words in, n words
// out, any block shape of at most THREADS threads. Each writes out[i] for all i
// of its own only. Words read are random.

#define THREADS 256
#define BOUNDS(blocks) __launch_bounds__(THREADS, blocks)
#define KERNEL(name, blocks)                                                   \
  extern "C" __global__ void BOUNDS(blocks) name(                              \
      unsigned *__restrict__ out, const unsigned *__restrict__ in, unsigned n)

__device__ unsigned block() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ unsigned thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ unsigned item() {
  return block() * (blockDim.x * blockDim.y * blockDim.z) + thread();
}
__device__ unsigned mix(unsigned a, unsigned b) {
  return (a ^ (b << 7) ^ (b >> 5)) * 2654435761u + 0x9e3779b9u;
}

// N values that are alive all at once, in two rounds.
template <class T, int N>
__device__ T crowd(const unsigned *in, unsigned i, unsigned n, unsigned turns) {
  T v[N];
#pragma unroll
  for (int k = 0; k < N; ++k)
    v[k] = static_cast<T>(in[(i + k * 977) % n]);
  for (unsigned t = 0; t < turns; ++t) {
    T s = v[0];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      T x = v[k];
      v[k] = x * 3 + s;
      s = s * 5 + x;
    }
  }
  T s = 0;
#pragma unroll
  for (int k = 0; k < N; ++k)
    s = s * 7 + v[N - 1 - k];
  return s;
}

// Spills of 32 bits, blocks of one to three dimensions.
KERNEL(spill32, 8) {
  unsigned i = item();
  if (i < n)
    out[i] = crowd<unsigned, 29>(in, i, n, 2 + (in[i] & 3));
}

// Spills of 64 bits.
KERNEL(spill64, 6) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned long long s =
      crowd<unsigned long long, 13>(in, i, n, 2 + (in[i] & 1));
  out[i] = static_cast<unsigned>(s ^ (s >> 32));
}

KERNEL(spill_double, 6) {
  unsigned i = item();
  if (i >= n)
    return;
  double s = crowd<double, 24>(in, i, n, 2);
  unsigned long long bits = __double_as_longlong(s);
  out[i] = static_cast<unsigned>(bits ^ (bits >> 32));
}

// An array that data index.
KERNEL(indexed, 1) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned bins[24];
  for (int k = 0; k < 24; ++k)
    bins[k] = k * 17;
  for (unsigned k = 0; k < 64; ++k) {
    unsigned x = in[(i + k * 131) % n];
    bins[x % 24] += x >> 3;
    bins[(x >> 8) % 24] ^= k;
  }
  unsigned s = 0;
  for (int k = 0; k < 24; ++k)
    s = mix(s, bins[k]);
  out[i] = s;
}

// An array of bytes and one of halves.
KERNEL(narrow, 1) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned char bytes[29];
  unsigned short halves[11];
  for (int k = 0; k < 29; ++k)
    bytes[k] = static_cast<unsigned char>(in[(i + k) % n]);
  for (int k = 0; k < 11; ++k)
    halves[k] = static_cast<unsigned short>(in[(i + k) % n] >> 8);
  for (unsigned k = 0; k < 40; ++k) {
    unsigned x = in[(i + k * 31) % n];
    bytes[x % 29] += halves[(x >> 9) % 11];
    halves[(x >> 4) % 11] ^= bytes[(x >> 13) % 29];
  }
  unsigned s = 0;
  for (int k = 0; k < 29; ++k)
    s = mix(s, bytes[k]);
  for (int k = 0; k < 11; ++k)
    s = mix(s, halves[k]);
  out[i] = s;
}

// Accesses of 128 bits.
KERNEL(quads, 1) {
  unsigned i = item();
  if (i >= n)
    return;
  uint4 q[11];
  for (int k = 0; k < 11; ++k)
    q[k] = make_uint4(in[(i + k) % n], in[(i + k * 3) % n], k, in[(i + 7) % n]);
  for (unsigned k = 0; k < 24; ++k) {
    unsigned x = in[(i + k * 71) % n];
    uint4 a = q[x % 11], b = q[(x >> 5) % 11];
    q[(x >> 11) % 11] =
        make_uint4(mix(a.x, b.w), mix(a.y, b.z), a.z + b.y, a.w ^ b.x);
  }
  unsigned s = 0;
  for (int k = 0; k < 11; ++k)
    s = mix(mix(s, q[k].x), mix(q[k].y, q[k].z + q[k].w));
  out[i] = s;
}

// A function with a frame of its own, called under divergent conditions.
__device__ __noinline__ unsigned shuffled(unsigned x, unsigned count) {
  unsigned a[13];
  for (int k = 0; k < 13; ++k)
    a[k] = mix(x, k);
  for (unsigned k = 0; k < count; ++k) {
    unsigned j = a[k % 13] % 13;
    unsigned t = a[j];
    a[j] = a[(x + k) % 13] + k;
    a[(x + k) % 13] = t;
  }
  unsigned s = 0;
  for (int k = 0; k < 13; ++k)
    s = mix(s, a[k]);
  return s;
}

KERNEL(calls, 4) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned x = in[i], s = 0;
  unsigned own[9];
  for (int k = 0; k < 9; ++k)
    own[k] = in[(i + k * 5) % n];
  for (unsigned k = 0; k < (x & 7); ++k) {
    if ((x >> k) & 1)
      own[x % 9] += shuffled(own[(x >> 4) % 9], k + 5);
    x = mix(x, own[(x >> 7) % 9]);
  }
  for (int k = 0; k < 9; ++k)
    s = mix(s, own[k]);
  out[i] = s;
}

// Its own static shared memory, barriers, and a frame.
KERNEL(staged, 8) {
  __shared__ unsigned tile[THREADS + 7];
  unsigned i = item(), t = thread();
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned x = in[i % n];
  unsigned s = 0;
  for (unsigned round = 0; round < 3; ++round) {
    tile[t] = x + round;
    __syncthreads();
    x = tile[(t + 33) % threads];
    s = mix(s, crowd<unsigned, 27>(in, (i + x) % n, n, 1 + (x & 1)));
    __syncthreads();
  }
  if (i < n)
    out[i] = s;
}

// Dynamic shared memory.
KERNEL(dynamic, 8) {
  extern __shared__ unsigned scratch[];
  unsigned i = item(), t = thread();
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  scratch[t] = in[i % n];
  __syncthreads();
  unsigned x = scratch[(t + 5) % threads];
  unsigned s = crowd<unsigned, 30>(in, (i + x) % n, n, 2);
  if (i < n)
    out[i] = s ^ scratch[(t + 9) % threads];
}

// Threads leave early and go separate ways.
KERNEL(divergent, 8) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned x = in[i];
  if ((x & 15) == 3) {
    out[i] = 1;
    return;
  }
  unsigned s;
  if (x & 1)
    s = crowd<unsigned, 30>(in, i, n, x & 3);
  else if (x & 2)
    s = crowd<unsigned, 28>(in, i + 5, n, 2);
  else
    s = mix(x, 3);
  if ((s & 7) == 2)
    return; // out[i] keeps what it had.
  out[i] = s;
}

// A stack of words.
KERNEL(stack, 1) {
  unsigned i = item();
  if (i >= n)
    return;
  unsigned nodes[32];
  unsigned top = 0, s = 0;
  nodes[top++] = in[i];
  for (unsigned k = 0; k < 60 && top; ++k) {
    unsigned x = nodes[--top];
    s = mix(s, x);
    if (top < 28 && (x & 1))
      nodes[top++] = mix(x, k);
    if (top < 28 && (x & 6))
      nodes[top++] = mix(x, in[(i + k) % n]);
  }
  out[i] = s;
}
