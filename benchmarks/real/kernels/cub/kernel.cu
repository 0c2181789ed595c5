//===- kernel.cu - blocks that sort, scan and count by CUB ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define REAL_WIDE
#include "real/Item.h"

#if REAL_GPU
#include <cub/cub.cuh>

namespace {
constexpr int Items = REAL_INS;
using T = REAL_TYPE;
using Word = std::conditional_t<std::is_integral_v<T>, T, uint64_t>;

struct Less {
  __device__ bool operator()(T A, T B) const { return A < B; }
};

/// The affine map x -> a x + b of which words are made, composed: not
/// commutative.
struct Affine {
  Word A, B;
};
struct Compose {
  __device__ Affine operator()(Affine F, Affine G) const {
    return {F.A * G.A, F.B * G.A + G.B};
  }
};

struct RadixSort {
  using Sort = cub::BlockRadixSort<T, REAL_BLOCK, Items>;
  using Storage = typename Sort::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    Sort(S).Sort(Values);
  }
};

struct MergeSort {
  using Sort = cub::BlockMergeSort<T, REAL_BLOCK, Items>;
  using Storage = typename Sort::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    Sort(S).Sort(Values, Less());
  }
};

/// Sorts the keys with where they were, which is what they become.
struct MergePairs {
  using Sort = cub::BlockMergeSort<T, REAL_BLOCK, Items, T>;
  using Storage = typename Sort::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    T Places[Items];
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Places[K] = T(threadIdx.x * Items + K);
    Sort(S).StableSort(Values, Places, Less());
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Values[K] = Places[K];
  }
};

struct RadixPairs {
  using Sort = cub::BlockRadixSort<T, REAL_BLOCK, Items, T>;
  using Storage = typename Sort::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    T Places[Items];
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Places[K] = T(threadIdx.x * Items + K);
    Sort(S).Sort(Values, Places);
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Values[K] = Places[K];
  }
};

struct Scan {
  using Block = cub::BlockScan<Affine, REAL_BLOCK>;
  using Storage = typename Block::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    Affine Maps[Items];
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Maps[K] = {Word(Values[K]) | 1, Word(Values[K]) >> 3};
    Block(S).InclusiveScan(Maps, Maps, Compose());
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Values[K] = T(Maps[K].B);
  }
};

/// Ranks of digits of five bits, as a radix sort's upsweep has them.
struct Rank {
  using Block = cub::BlockRadixRankMatch<REAL_BLOCK, 5, false>;
  using Storage = typename Block::TempStorage;
  static __device__ void run(Storage &S, T (&Values)[Items]) {
    unsigned Keys[Items];
    int Ranks[Items];
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Keys[K] = unsigned(Values[K]);
    Block(S).RankKeys(Keys, Ranks, cub::BFEDigitExtractor<unsigned>(3, 5));
#pragma unroll
    for (int K = 0; K < Items; ++K)
      Values[K] = T(Ranks[K]);
  }
};
} // namespace

extern "C" __global__ void __launch_bounds__(REAL_BLOCK)
    item(const T *In, T *Out, int Threads) {
  __shared__ typename REAL_WORK::Storage Storage;
  size_t At = size_t(blockIdx.x) * REAL_BLOCK + threadIdx.x;
  T Values[Items];
#pragma unroll
  for (int K = 0; K < Items; ++K)
    Values[K] = In[K * size_t(Threads) + At];
  REAL_WORK::run(Storage, Values);
#pragma unroll
  for (int K = 0; K < Items; ++K)
    Out[K * size_t(Threads) + At] = Values[K];
}

#else // The reference. Thread T holds the values T * REAL_INS and on.

static void reference(const REAL_TYPE *In, REAL_TYPE *Out, size_t Stride) {
  std::vector<REAL_TYPE> Values;
  for (int T = 0; T < REAL_BLOCK; ++T)
    for (int K = 0; K < REAL_INS; ++K)
      Values.push_back(In[K * Stride + T]);
  std::vector<size_t> Order(Values.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  auto sortBy = [&](auto Key) {
    std::stable_sort(Order.begin(), Order.end(),
                     [&](size_t A, size_t B) { return Key(A) < Key(B); });
  };
  std::vector<REAL_TYPE> Result = Values;
  switch (REAL_REFERENCE) {
  case 0: // sorted
    std::sort(Result.begin(), Result.end());
    break;
  case 1: // where the sorted values were
    sortBy([&](size_t I) { return Values[I]; });
    for (size_t I = 0; I < Order.size(); ++I)
      Result[I] = REAL_TYPE(Order[I]);
    break;
  case 2: { // composed affine maps
    uint64_t B = 0;
    for (size_t I = 0; I < Values.size(); ++I) {
      uint64_t Bits = uint64_t(Values[I]);
      B = B * (Bits | 1) + (Bits >> 3);
      Result[I] = REAL_TYPE(B);
    }
    break;
  }
  default: // ranks by digit; a warp's values are next to each other by K
    for (int T = 0; T < REAL_BLOCK; ++T)
      for (int K = 0; K < REAL_INS; ++K)
        Order[(T / 32 * REAL_INS + K) * 32 + T % 32] = T * REAL_INS + K;
    sortBy([&](size_t I) { return uint64_t(Values[I]) >> 3 & 31; });
    for (size_t I = 0; I < Order.size(); ++I)
      Result[Order[I]] = REAL_TYPE(I);
  }
  for (int T = 0; T < REAL_BLOCK; ++T)
    for (int K = 0; K < REAL_INS; ++K)
      Out[K * Stride + T] = Result[T * REAL_INS + K];
}

#endif
