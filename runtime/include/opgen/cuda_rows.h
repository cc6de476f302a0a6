// Kernels in which threads share rows, and sums over a row, for any op.
//
// `blockDim.x` threads, a multiple of a warp, share a row. A block computes `blockDim.y` rows at a
// time. Every sum has the same order on any GPU, so the same input gives the same bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "opgen/cuda_pack.h"

namespace opgen::cuda {

constexpr int warp_size = 32;
constexpr int most_threads = 1024;
constexpr int narrow_block = 256;  // threads of a block that computes several rows

/// A way to read rows: `width` elements at a time. A thread keeps up to `held` packs of a row in
/// registers, so that the row is read once. With `held == 0` it is read whenever it is needed.
template <int width_, int held_>
struct Path {
  static constexpr int width = width_;
  static constexpr int held = held_;

  dim3 block;

  Path(int64_t columns, int most) {
    const int64_t packs = columns / width;
    const int64_t each = held > 0 ? held : 4;
    const int64_t wanted = (packs + each - 1) / each;
    int threads = warp_size;
    while (threads < wanted && threads < most) threads *= 2;
    block = dim3(threads, held > 0 ? std::max(1, narrow_block / threads) : 1);
  }

  /// The grid for whole rows.
  unsigned grid(int64_t rows) const { return blocks_for(rows, block.y); }

  /// The grid for rows that several blocks may share. Along y it has one block for each full block
  /// of elements in a row.
  dim3 cut_grid(int64_t rows, int64_t columns) const {
    const int64_t cuts = columns / width / (int64_t{4} * block.x);
    return dim3(grid(rows), static_cast<unsigned>(std::clamp<int64_t>(cuts, 1, 65535)));
  }
};

/// Calls `start` with the `Path` for rows of `columns` elements of these tensors. Rows start at
/// multiples of `columns` and of `step`. At most `most` threads share a row; the kernel's use of
/// registers limits this number.
template <int most = most_threads, class Start, class... T>
Status by_path(int64_t columns, int64_t step, Start start, const T*... data) noexcept {
  constexpr int width = pack_width<T...>();
  constexpr int held = 4;
  const bool packed = columns % width == 0 && step % width == 0 && aligned(data...);
  if (packed && columns <= int64_t{width} * held * most) {
    return start(Path<width, held>(columns, most));
  }
  return start(Path<1, 0>(columns, most));
}

/// Does the same as the function above, for contiguous rows.
template <int most = most_threads, class Start, class... T>
Status by_path(int64_t columns, Start start, const T*... data) noexcept {
  return by_path<most>(columns, columns, start, data...);
}

/// Does the same for elementwise kernels, which read each element once. Blocks may share a row.
template <class Start, class... T>
Status by_columns(int64_t columns, Start start, const T*... data) noexcept {
  constexpr int width = pack_width<T...>();
  if (columns % width == 0 && aligned(data...)) {
    return start(Path<width, 4>(columns, narrow_block));
  }
  return start(Path<1, 4>(columns, narrow_block));
}

/// Calls `body(row)` for the rows of this thread. All threads of a block make the same number of
/// calls. In the last calls, `row` may be past the end.
template <class Body>
__device__ void each_row(int64_t rows, Body body) {
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.y; first < rows;
       first += static_cast<int64_t>(gridDim.x) * blockDim.y) {
    body(first + threadIdx.y);
  }
}

/// Calls `body(k, at)` for this thread's packs in a row of `packs` packs. `at` is the pack's index
/// in the row, and the pack is the thread's k-th. With `held == 0`, k has no meaning, and the
/// blocks along y share the row.
template <int held, class Body>
__device__ void each_pack(int64_t packs, Body body) {
  if constexpr (held > 0) {
#pragma unroll
    for (int k = 0; k < held; ++k) {
      const int64_t at = threadIdx.x + static_cast<int64_t>(k) * blockDim.x;
      if (at < packs) body(k, at);
    }
  } else {
    const int64_t first = static_cast<int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
    const int64_t step = static_cast<int64_t>(gridDim.y) * blockDim.x;
    for (int64_t at = first; at < packs; at += step) body(0, at);
  }
}

/// Calls `body(first, width)` for this thread's part of a row with any alignment: `width`
/// neighbours from column `first` on. `width` is a constant. It is 16 bytes, or one element before
/// the first aligned 16 bytes and after the last. The blocks along y share the row.
template <class T, class Body>
__device__ void each_place(const T* row, int64_t columns, Body body) {
  constexpr int64_t width = Pack<T>::width;
  const auto one = std::integral_constant<int, 1>();
  const auto pack = std::integral_constant<int, Pack<T>::width>();
  const int64_t past = reinterpret_cast<uintptr_t>(row) / sizeof(T) % width;
  const int64_t gap = past == 0 ? 0 : width - past;
  const int64_t head = gap < columns ? gap : columns;
  const int64_t packs = (columns - head) / width;
  const int64_t first = static_cast<int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  const int64_t step = static_cast<int64_t>(gridDim.y) * blockDim.x;
  for (int64_t j = first; j < head; j += step) body(j, one);
  for (int64_t at = first; at < packs; at += step) body(head + at * width, pack);
  for (int64_t j = head + packs * width + first; j < columns; j += step) body(j, one);
}

/// Calls `body(first, pack)` for this thread's packs of a row with any alignment.
template <class T, class Body>
__device__ void each_piece(const T* row, int64_t columns, Body body) {
  each_place(row, columns, [&](int64_t first, auto width) {
    body(first, load<decltype(width)::value>(row + first, 0));
  });
}

/// This thread's packs of one row.
template <class T, int width, int held>
class Row {
 public:
  __device__ Row(const T* data, int64_t packs) : data_(data) {
    if constexpr (held > 0) {
      each_pack<held>(packs, [&](int k, int64_t at) { kept_[k] = load<width>(data_, at); });
    }
  }

  /// The k-th pack, which is number `at` of the row.
  __device__ Pack<T, width> operator()(int k, int64_t at) const {
    if constexpr (held > 0) {
      return kept_[k];
    } else {
      return load<width>(data_, at);
    }
  }

 private:
  const T* data_;
  Pack<T, width> kept_[held > 0 ? held : 1];
};

struct Sum {
  template <class A>
  __device__ A operator()(A a, A b) const {
    return a + b;
  }
};

/// Returns the larger of two values, or NaN if one of them is NaN.
struct Largest {
  template <class A>
  __device__ A operator()(A a, A b) const {
    return a > b || a != a ? a : b;
  }
};

template <class A, class Combine>
__device__ A over_warp(A value, Combine combine) {
#pragma unroll
  for (int lane = warp_size / 2; lane > 0; lane /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, lane));
  }
  return value;
}

/// Combines the values of all threads of a row. Each of these threads gets the result. Every thread
/// of the block must call this function.
template <class A, class Combine = Sum>
__device__ A over_row(A value, Combine combine = Combine()) {
  __shared__ A of_warp[most_threads / warp_size];

  value = over_warp(value, combine);
  const int warps = blockDim.x / warp_size;  // a power of two
  if (warps == 1) return value;
  const int first = threadIdx.y * warps, lane = threadIdx.x % warp_size;
  __syncthreads();  // all threads have read the result of the last call
  if (lane == 0) of_warp[first + threadIdx.x / warp_size] = value;
  __syncthreads();
  value = of_warp[first + lane % warps];
  for (int step = warps / 2; step > 0; step /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, step));
  }
  return value;
}

/// sum[j] = the sum over p of part[p][j], as the second stage of a sum over rows. It runs in blocks
/// of 32 by 8 threads.
template <class A, class Out>
__global__ void column_sums(int64_t parts, int64_t columns, const A* part, Out* sum) {
  __shared__ A of_slice[8][warp_size];

  for (int64_t first = static_cast<int64_t>(blockIdx.x) * warp_size; first < columns;
       first += static_cast<int64_t>(gridDim.x) * warp_size) {
    const int64_t column = first + threadIdx.x;
    A total = 0;
    if (column < columns) {
      for (int64_t p = threadIdx.y; p < parts; p += 8) total += part[p * columns + column];
    }
    of_slice[threadIdx.y][threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.y == 0 && column < columns) {
      for (int slice = 1; slice < 8; ++slice) total += of_slice[slice][threadIdx.x];
      sum[column] = static_cast<Out>(total);
    }
    __syncthreads();
  }
}

/// Starts `column_sums` over the `parts` rows of `part`. Without rows, the sums are zeros.
template <class A, class Out>
Status sum_columns(const Context& ctx, int64_t parts, int64_t columns, const A* part,
                   Out* sum) noexcept {
  if (columns == 0) return Status::ok;
  return launch(ctx, column_sums<A, Out>, blocks_for(columns, warp_size), dim3(warp_size, 8), parts,
                columns, part, sum);
}

/// A thread's sums over its rows, for each of its columns. They are in registers if the row is also
/// kept there. Otherwise they are in the block's row of `part`, which only this block writes.
template <class A, int width, int held>
class ColumnTotals {
 public:
  __device__ ColumnTotals(A* part, int64_t columns)
      : part_(part == nullptr ? nullptr : part + blockIdx.x * columns), packs_(columns / width) {
    if (part_ == nullptr) return;
    if constexpr (held > 0) {
      for (auto& pack : kept_) pack = {};
    } else {
      each_pack<0>(packs_, [&](int, int64_t at) { store(part_, at, Pack<A, width>{}); });
    }
  }

  __device__ void add(int k, int64_t at, const Pack<A, width>& terms) {
    if (part_ == nullptr) return;
    if constexpr (held > 0) {
      plus(kept_[k], terms);
    } else {
      Pack<A, width> total = load<width>(part_, at);
      plus(total, terms);
      store(part_, at, total);
    }
  }

  /// Writes the block's row of `part`. Every thread of the block must call this function.
  __device__ void finish() {
    if constexpr (held > 0) {
      __shared__ Pack<A, width> of_block[held * narrow_block / 2];

      if (part_ == nullptr) return;
      if (blockDim.y > 1) {
        for (int row = 0; row < blockDim.y; ++row) {
          __syncthreads();
          if (threadIdx.y != row) continue;
          each_pack<held>(packs_, [&](int k, int64_t at) {
            if (row > 0) plus(kept_[k], of_block[at]);
            of_block[at] = kept_[k];
          });
        }
        __syncthreads();
        if (threadIdx.y + 1 != blockDim.y) return;
      }
      each_pack<held>(packs_, [&](int k, int64_t at) { store(part_, at, kept_[k]); });
    }
  }

 private:
  __device__ static void plus(Pack<A, width>& total, const Pack<A, width>& terms) {
#pragma unroll
    for (int i = 0; i < width; ++i) total.items[i] += terms.items[i];
  }

  A* part_;
  int64_t packs_;
  Pack<A, width> kept_[held > 0 ? held : 1];
};

}  // namespace opgen::cuda
