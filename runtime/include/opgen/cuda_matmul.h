// Tiles of products of matrices on CUDA; knows no op.
//
// A block computes a tile in steps of the inner dim, of which the next is read from memory while
// one is multiplied: floats of 16 bits on tensor cores, with sums in f32, others by multiply-add.
// Every element is summed in one order: same input, same bits.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <type_traits>

#include "opgen/cuda_pack.h"
#include "opgen/dtype.h"

namespace opgen::cuda {

constexpr int tile_side = 64;      // rows and columns of a tile
constexpr int tile_threads = 128;  // of the block that computes it

/// The elements of a step of the inner dim: 64 bytes.
template <class T>
constexpr int tile_depth = 64 / sizeof(T);

/// One factor: `outer` rows of a left one, or columns of a right one, and `inner` terms. What is
/// `step` apart are neighbours in the outer dim where `inner_first`, else in the inner one; in the
/// other dim neighbours lie side by side.
template <class T, bool inner_first>
struct Factor {
  const T* data;
  int64_t step, outer, inner;

  /// The part from `at` on in the outer dim.
  __device__ Factor from(int64_t at) const {
    return {data + (inner_first ? at * step : at), step, outer - at, inner};
  }
};

/// Whether factors that begin here, and groups of them, may be read 16 bytes at a time.
template <class T>
bool packs_fit(const T* data, int64_t step) noexcept {
  return aligned(data) && step % Pack<T>::width == 0;
}

/// A step of a factor's share of a tile, as it lies in memory: lines of neighbours.
template <class T, bool inner_first>
struct alignas(32) Staged {
  static constexpr int line = inner_first ? tile_depth<T> : tile_side;
  static constexpr int lines = inner_first ? tile_side : tile_depth<T>;
  static constexpr int step = line + Pack<T>::width;  // lines begin in different banks

  T items[lines * step];

  __device__ const T* at(int outer, int inner) const {
    return items + (inner_first ? outer * step + inner : inner * step + outer);
  }
};

/// Moves the steps of a factor to shared memory, by way of registers.
template <class T, bool inner_first, bool packed>
class Stager {
 public:
  using Stage = Staged<T, inner_first>;

  __device__ explicit Stager(const Factor<T, inner_first>& factor) : factor_(factor) {}

  /// Reads the step that begins at `first`; what lies outside of the factor is 0.
  __device__ void read(int64_t first) {
#pragma unroll
    for (int k = 0; k < turns; ++k) {
      const int64_t outer = inner_first ? line(k) : place(k);
      const int64_t inner = first + (inner_first ? place(k) : line(k));
      const T* from = factor_.data +
                      (inner_first ? outer * factor_.step + inner : inner * factor_.step + outer);
      kept_[k] = {};
      if constexpr (packed) {
        if (outer < factor_.outer && inner < factor_.inner) kept_[k] = load<width>(from, 0);
      } else {
#pragma unroll
        for (int i = 0; i < width; ++i) {
          const bool inside = inner_first ? outer < factor_.outer && inner + i < factor_.inner
                                          : outer + i < factor_.outer && inner < factor_.inner;
          if (inside) kept_[k].items[i] = from[i];
        }
      }
    }
  }

  __device__ void write(Stage& stage) const {
#pragma unroll
    for (int k = 0; k < turns; ++k) {
      store(stage.items + line(k) * Stage::step + place(k), 0, kept_[k]);
    }
  }

 private:
  static constexpr int width = Pack<T>::width;
  static constexpr int packs_of_line = Stage::line / width;
  static constexpr int turns = packs_of_line * Stage::lines / tile_threads;

  /// The line of this thread's pack number `k`, and its place there.
  __device__ static int line(int k) { return (threadIdx.x + k * tile_threads) / packs_of_line; }
  __device__ static int place(int k) {
    return (threadIdx.x + k * tile_threads) % packs_of_line * width;
  }

  Factor<T, inner_first> factor_;
  Pack<T> kept_[turns];
};

/// A thread's share of the sums of a tile: 8 rows by 4 columns.
template <class T>
class TileSums {
 public:
  template <class Left, class Right>
  __device__ void add(const Left& left, const Right& right) {
#pragma unroll
    for (int inner = 0; inner < tile_depth<T>; ++inner) {
      T rows[8], columns[4];
#pragma unroll
      for (int i = 0; i < 8; ++i) rows[i] = *left.at(row(i), inner);
#pragma unroll
      for (int j = 0; j < 4; ++j) columns[j] = *right.at(column(j), inner);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums_[i][j] += rows[i] * columns[j];
      }
    }
  }

  /// Calls `body(row, column, sum)` for all of them.
  template <class Body>
  __device__ void each(Body body) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) body(row(i), column(j), sums_[i][j]);
    }
  }

 private:
  __device__ static int row(int i) { return threadIdx.x / 16 * 8 + i; }
  __device__ static int column(int j) { return threadIdx.x % 16 + 16 * j; }

  T sums_[8][4] = {};
};

/// The same for floats of 16 bits: a warp has a quarter of the tile, in pieces of 16 by 16.
template <class T, class Native>
class TensorCoreSums {
 public:
  __device__ TensorCoreSums() {
#pragma unroll
    for (int i = 0; i < 4; ++i) nvcuda::wmma::fill_fragment(sums_[i / 2][i % 2], 0.0f);
  }

  template <bool left_inner_first, bool right_inner_first>
  __device__ void add(const Staged<T, left_inner_first>& left,
                      const Staged<T, right_inner_first>& right) {
    using namespace nvcuda::wmma;
    using Rows = std::conditional_t<left_inner_first, row_major, col_major>;
    using Columns = std::conditional_t<right_inner_first, col_major, row_major>;
#pragma unroll
    for (int inner = 0; inner < tile_depth<T>; inner += piece) {
      fragment<matrix_a, piece, piece, piece, Native, Rows> rows[2];
      fragment<matrix_b, piece, piece, piece, Native, Columns> columns[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_matrix_sync(rows[i], native(left.at(row(i), inner)), left.step);
        load_matrix_sync(columns[i], native(right.at(column(i), inner)), right.step);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        mma_sync(sums_[i / 2][i % 2], rows[i / 2], columns[i % 2], sums_[i / 2][i % 2]);
      }
    }
  }

  template <class Body>
  __device__ void each(Body body) const {
    constexpr int step = tile_side + 4;
    alignas(32) __shared__ float tile[tile_side * step];

#pragma unroll
    for (int i = 0; i < 4; ++i) {
      nvcuda::wmma::store_matrix_sync(tile + row(i / 2) * step + column(i % 2), sums_[i / 2][i % 2],
                                      step, nvcuda::wmma::mem_row_major);
    }
    __syncthreads();
#pragma unroll 4
    for (int at = threadIdx.x; at < tile_side * tile_side; at += tile_threads) {
      body(at / tile_side, at % tile_side, tile[at / tile_side * step + at % tile_side]);
    }
  }

 private:
  static constexpr int piece = 16, half = tile_side / 2;

  __device__ static int row(int i) { return threadIdx.x / 32 / 2 * half + i * piece; }
  __device__ static int column(int j) { return threadIdx.x / 32 % 2 * half + j * piece; }
  __device__ static const Native* native(const T* data) {
    return reinterpret_cast<const Native*>(data);
  }

  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, piece, piece, piece, float> sums_[2][2];
};

template <>
class TileSums<bf16> : public TensorCoreSums<bf16, __nv_bfloat16> {};
template <>
class TileSums<f16> : public TensorCoreSums<f16, __half> {};

/// Calls `body(row, column, sum)` for the elements of the tile of `left right` that begins at
/// (`row`, `column`). All threads of the block must call it, once.
template <bool packed, class T, bool left_first, bool right_first, class Body>
__device__ void multiply_tile(const Factor<T, left_first>& left,
                              const Factor<T, right_first>& right, int64_t row, int64_t column,
                              Body body) {
  __shared__ Staged<T, left_first> lefts;
  __shared__ Staged<T, right_first> rights;

  Stager<T, left_first, packed> rows(left.from(row));
  Stager<T, right_first, packed> columns(right.from(column));
  TileSums<T> sums;
  rows.read(0);
  columns.read(0);
  for (int64_t first = 0; first < left.inner; first += tile_depth<T>) {
    __syncthreads();  // the last step has been multiplied
    rows.write(lefts);
    columns.write(rights);
    __syncthreads();
    if (first + tile_depth<T> < left.inner) {
      rows.read(first + tile_depth<T>);
      columns.read(first + tile_depth<T>);
    }
    sums.add(lefts, rights);
  }
  sums.each([&](int i, int j, accum_t<T> sum) {
    if (row + i < left.outer && column + j < right.outer) body(row + i, column + j, sum);
  });
}

}  // namespace opgen::cuda
