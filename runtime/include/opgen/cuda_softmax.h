// The maximum and sum of a softmax over a row, on CUDA.
//
// One pass finds the largest number, and the sum of exponentials relative to this number (Milakov
// and Gimelshein, Online normalizer calculation for softmax, 2018). The sum leaves out the largest
// number, as on the CPU (opgen/softmax.h).
#pragma once

#include <cmath>

#include "opgen/cuda_rows.h"

namespace opgen::cuda {

/// exp(x) in few instructions. The relative error is at most 2 ulp plus 2^-24 times |x|.
__device__ inline float quick_exp(float x) { return exp2f(x * 1.44269504088896341f); }
__device__ inline double quick_exp(double x) { return exp(x); }

template <class Acc>
struct Exponentials {
  Acc top = -static_cast<Acc>(INFINITY);  // the largest so far
  Acc below = 0;                          // the sum of exp(z - top) where z < top
  Acc equal = 0;                          // the number of z that equal top

  template <class T, int width>
  __device__ void take(const Pack<T, width>& pack) {
    Acc values[width], highest = top;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      values[i] = static_cast<Acc>(pack.items[i]);
      if (values[i] > highest) highest = values[i];
    }
    raise(highest);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (values[i] == top) {
        equal += 1;
      } else {
        below += quick_exp(values[i] - top);
      }
    }
  }

  /// Combines the values of all threads of a row, and gives each thread the result. Every thread of
  /// the block must call this function.
  __device__ void join_row() {
    raise(over_row(top, Largest()));
    below = over_row(below);
    equal = over_row(equal);
  }

  /// Combines the values of this thread and its neighbour, and gives both the result.
  __device__ void join_pair() {
    raise(Largest()(top, __shfl_xor_sync(0xffffffffu, top, 1)));
    below += __shfl_xor_sync(0xffffffffu, below, 1);
    equal += __shfl_xor_sync(0xffffffffu, equal, 1);
  }

  /// The sum over all numbers except one that is the largest. The sum is NaN if the row contains a
  /// NaN or infinity, or only -infinity.
  __device__ Acc rest() const { return below + (equal - 1) + (top - top); }

 private:
  __device__ void raise(Acc highest) {
    if (highest == top) return;
    below = (below + equal) * quick_exp(top - highest);
    equal = 0;
    top = highest;
  }
};

/// The sum of `losses`. If `count` is not null, it gets the number of rows that are not ignored,
/// and the sum is divided by it. One block computes both.
template <class Acc>
__global__ void
__launch_bounds__(most_threads)
reduce_losses(int64_t rows, int64_t ignore_index,
              const Acc* losses,  // rows
              Integers labels,    // rows
              Acc* loss,          // scalar
              Acc* count) {       // scalar, or null
  Acc total = 0;
  int64_t counted = 0;
  for (int64_t row = threadIdx.x; row < rows; row += blockDim.x) {
    total += losses[row];
    counted += labels[row] != ignore_index;
  }
  total = over_row(total);
  counted = over_row(counted);
  if (threadIdx.x > 0) return;
  if (count != nullptr) *count = static_cast<Acc>(counted);
  *loss = count != nullptr ? total / static_cast<Acc>(counted) : total;
}

}  // namespace opgen::cuda
