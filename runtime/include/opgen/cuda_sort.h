// Sorts keys in descending order, in place and without other memory, for any op.
//
// The algorithm is bitonic sorting (Batcher, Sorting Networks and Their Applications, 1968), in a
// form in which all comparisons move the larger key to the front. Keys past the end count as
// smaller than all others, so they never move.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/cuda.h"

namespace opgen::cuda {

constexpr int sort_threads = 1024;
constexpr int sort_chunk = 2 * sort_threads;  // keys that a block sorts by itself

/// The positions of two keys to compare.
struct Compared {
  int64_t front, back;

  /// Returns comparison number `n` of a round that merges sorted halves of runs with `2 * half`
  /// keys. It compares the first key of a run with the last, the second with the last but one, etc.
  __device__ static Compared ends(int64_t n, int64_t half) {
    const int64_t at = n & (half - 1), run = 2 * (n - at);
    return {run + at, run + 2 * half - 1 - at};
  }

  /// Returns comparison number `n` of a round that compares keys at a distance of `half`.
  __device__ static Compared apart(int64_t n, int64_t half) {
    const int64_t front = 2 * n - (n & (half - 1));
    return {front, front + half};
  }

  __device__ void order(uint64_t* keys) const {
    const uint64_t first = keys[front], second = keys[back];
    if (first >= second) return;
    keys[front] = second;
    keys[back] = first;
  }
};

/// Sorts every chunk. With `merge`, each chunk is already bitonic and only has to be merged.
template <bool merge>
__global__ void
__launch_bounds__(sort_threads) sort_chunks(int64_t n, uint64_t* keys) {
  __shared__ uint64_t chunk[sort_chunk];

  const int thread = threadIdx.x;
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * sort_chunk; first < n;
       first += static_cast<int64_t>(gridDim.x) * sort_chunk) {
    for (int i = thread; i < sort_chunk; i += sort_threads) {
      chunk[i] = first + i < n ? keys[first + i] : 0;
    }
    for (int run = merge ? sort_chunk : 2; run <= sort_chunk; run *= 2) {
      int half = run / 2;
      if (!merge) {
        __syncthreads();
        Compared::ends(thread, half).order(chunk);
        half /= 2;
      }
      for (; half > 0; half /= 2) {
        __syncthreads();
        Compared::apart(thread, half).order(chunk);
      }
    }
    __syncthreads();
    for (int i = thread; i < sort_chunk && first + i < n; i += sort_threads) {
      keys[first + i] = chunk[i];
    }
    __syncthreads();
  }
}

/// One round of comparisons over all keys.
template <bool ends>
__global__ void compare_keys(int64_t pairs, int64_t half, int64_t n, uint64_t* keys) {
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < pairs;
       i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    const Compared places = ends ? Compared::ends(i, half) : Compared::apart(i, half);
    if (places.back < n) places.order(keys);
  }
}

/// Starts to sort `n` keys. No key may be 0.
inline Status sort_keys(const Context& ctx, int64_t n, uint64_t* keys) noexcept {
  constexpr int64_t threads = 256;
  if (n < 2) return Status::ok;
  const unsigned chunks = blocks_for(n, sort_chunk);
  Status status = launch(ctx, sort_chunks<false>, chunks, sort_threads, n, keys);
  for (int64_t run = 2 * sort_chunk; run / 2 < n; run *= 2) {
    const int64_t pairs = (n + run - 1) / run * (run / 2);
    const unsigned blocks = blocks_for(pairs, threads);
    for (int64_t half = run / 2; half >= sort_chunk && status == Status::ok; half /= 2) {
      status = launch(ctx, half == run / 2 ? compare_keys<true> : compare_keys<false>, blocks,
                      threads, pairs, half, n, keys);
    }
    if (status == Status::ok) status = launch(ctx, sort_chunks<true>, chunks, sort_threads, n, keys);
  }
  return status;
}

}  // namespace opgen::cuda
