// Tiles of matrix products on CUDA, for any op.
//
// A block computes a tile in steps along the inner dim. It reads the next step from memory while it
// multiplies the current one. Floats of 16 bits use tensor cores, with sums in f32. Other types use
// multiply-add. Every element is summed in a fixed order, so the same input gives the same bits.
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
constexpr int tile_threads = 128;  // threads of the block that computes a tile

/// The number of elements in a step along the inner dim, which has 64 bytes.
template <class T>
constexpr int tile_depth = 64 / sizeof(T);

/// The distance between rows of an accumulated tile, in elements. Rows start in different banks of
/// shared memory.
template <class T>
constexpr int tile_step = tile_side + Pack<accum_t<T>>::width;

/// One factor of a product. It has `outer` rows if it is the left factor, or columns if it is the
/// right one, and `inner` terms. With `inner_first`, the inner dim is contiguous and neighbours in
/// the outer dim are `step` elements apart. Otherwise it is the other way round. The contiguous dim
/// is read 16 bytes at a time if `packed`.
///
/// Any type with these constants can be a factor if it has `outer` and a function of two indices.
/// The function returns the `Pack` of neighbours that starts there, with 0 outside the matrix.
template <class T, bool inner_first_, bool packed>
struct Factor {
  using Element = T;
  static constexpr bool inner_first = inner_first_;

  const T* data;
  int64_t step, outer, inner;

  __device__ Pack<T> operator()(int64_t at, int64_t term) const {
    const T* const from = data + (inner_first ? at * step + term : term * step + at);
    Pack<T> found = {};
    if constexpr (packed) {
      if (at < outer && term < inner) found = load<Pack<T>::width>(from, 0);
    } else {
#pragma unroll
      for (int i = 0; i < Pack<T>::width; ++i) {
        const bool inside =
            inner_first ? at < outer && term + i < inner : at + i < outer && term < inner;
        if (inside) found.items[i] = from[i];
      }
    }
    return found;
  }
};

/// True if factors that start here, and groups of them, may be read 16 bytes at a time.
template <class T>
bool packs_fit(const T* data, int64_t step) noexcept {
  return aligned(data) && step % Pack<T>::width == 0;
}

/// One step of a factor's part of a tile in shared memory. Each line has contiguous neighbours.
template <class T, bool inner_first_>
struct alignas(32) Staged {
  static constexpr bool inner_first = inner_first_;
  static constexpr int line = inner_first ? tile_depth<T> : tile_side;
  static constexpr int lines = inner_first ? tile_side : tile_depth<T>;
  static constexpr int step = line + Pack<T>::width;  // lines start in different banks

  T items[lines * step];

  __device__ const T* at(int outer, int inner) const {
    return items + (inner_first ? outer * step + inner : inner * step + outer);
  }
};

/// Moves the steps of a factor's part of a tile to shared memory, through registers. The part
/// starts at index `outer` of the outer dim.
template <class Source>
class Stager {
 public:
  using T = typename Source::Element;
  using Stage = Staged<T, Source::inner_first>;

  __device__ Stager(const Source& source, int64_t outer) : source_(source), outer_(outer) {}

  /// Reads the step that starts at `first`.
  __device__ void read(int64_t first) {
#pragma unroll
    for (int k = 0; k < turns; ++k) {
      kept_[k] = Source::inner_first ? source_(outer_ + line(k), first + place(k))
                                     : source_(outer_ + place(k), first + line(k));
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

  /// The line of this thread's pack number `k`, and the pack's position in the line.
  __device__ static int line(int k) { return (threadIdx.x + k * tile_threads) / packs_of_line; }
  __device__ static int place(int k) {
    return (threadIdx.x + k * tile_threads) % packs_of_line * width;
  }

  const Source& source_;
  int64_t outer_;
  Pack<T> kept_[turns];
};

/// A thread's part of the sums of a tile: 8 rows by 4 columns.
template <class T>
class TileSums {
 public:
  static constexpr int factor_copies = 1;

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

  /// Multiplies each row by its factor. `factors` has `factor_copies` copies of each factor.
  __device__ void scale_rows(const T* factors) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sums_[i][j] *= factors[row(i)];
    }
  }

  /// Stores the sums in shared memory, in rows of `tile_step` elements.
  __device__ void store(T* tile) const {
    each([=](int i, int j, T sum) { tile[i * tile_step<T> + j] = sum; });
  }

  /// Calls `body(row, column, sum)` for each sum.
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

/// The sums for floats of 16 bits. A warp has a quarter of the tile, in fragments of 16 by 16.
template <class T, class Native>
class TensorCoreSums {
 public:
  static constexpr int factor_copies = 16;  // one for each column of a fragment

  __device__ TensorCoreSums() {
#pragma unroll
    for (int i = 0; i < 4; ++i) nvcuda::wmma::fill_fragment(sums_[i / 2][i % 2], 0.0f);
  }

  template <class Left, class Right>
  __device__ void add(const Left& left, const Right& right) {
    using namespace nvcuda::wmma;
    using Rows = std::conditional_t<Left::inner_first, row_major, col_major>;
    using Columns = std::conditional_t<Right::inner_first, col_major, row_major>;
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

  /// A sum and its factor have the same position in their fragments. The position is not specified.
  __device__ void scale_rows(const float* factors) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      Piece by;
      nvcuda::wmma::load_matrix_sync(by, factors + row(i) * factor_copies, factor_copies,
                                     nvcuda::wmma::mem_row_major);
#pragma unroll
      for (int j = 0; j < 2; ++j) {
#pragma unroll
        for (int at = 0; at < Piece::num_elements; ++at) sums_[i][j].x[at] *= by.x[at];
      }
    }
  }

  __device__ void store(float* tile) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      nvcuda::wmma::store_matrix_sync(tile + row(i / 2) * tile_step<T> + column(i % 2),
                                      sums_[i / 2][i % 2], tile_step<T>,
                                      nvcuda::wmma::mem_row_major);
    }
  }

  template <class Body>
  __device__ void each(Body body) const {
    alignas(32) __shared__ float tile[tile_side * tile_step<T>];

    store(tile);
    __syncthreads();
#pragma unroll 4
    for (int at = threadIdx.x; at < tile_side * tile_side; at += tile_threads) {
      body(at / tile_side, at % tile_side, tile[at / tile_side * tile_step<T> + at % tile_side]);
    }
  }

 private:
  static constexpr int piece = 16, half = tile_side / 2;

  __device__ static int row(int i) { return threadIdx.x / 32 / 2 * half + i * piece; }
  __device__ static int column(int j) { return threadIdx.x / 32 % 2 * half + j * piece; }
  __device__ static const Native* native(const T* data) {
    return reinterpret_cast<const Native*>(data);
  }

  using Piece = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, piece, piece, piece, float>;

  Piece sums_[2][2];
};

template <>
class TileSums<bf16> : public TensorCoreSums<bf16, __nv_bfloat16> {};
template <>
class TileSums<f16> : public TensorCoreSums<f16, __half> {};

/// Adds the terms [begin, end) of the tile of `left right` that starts at (`row`, `column`). The
/// factors pass through the given shared memory. All threads of the block must call this function.
template <class Left, class Right, class T>
__device__ void add_terms(const Left& left, const Right& right, int64_t row, int64_t column,
                          int64_t begin, int64_t end, Staged<T, Left::inner_first>& lefts,
                          Staged<T, Right::inner_first>& rights, TileSums<T>& sums) {
  Stager<Left> rows(left, row);
  Stager<Right> columns(right, column);
  rows.read(begin);
  columns.read(begin);
  for (int64_t first = begin; first < end; first += tile_depth<T>) {
    __syncthreads();  // the last step has been multiplied
    rows.write(lefts);
    columns.write(rights);
    __syncthreads();
    if (first + tile_depth<T> < end) {
      rows.read(first + tile_depth<T>);
      columns.read(first + tile_depth<T>);
    }
    sums.add(lefts, rights);
  }
}

/// The left factor of a tile that is already in shared memory, in rows of `step` elements. It is
/// transposed if the outer dim is contiguous.
template <class T, bool inner_first_>
struct Laid {
  static constexpr bool inner_first = inner_first_;
  static constexpr int step = tile_side + Pack<T>::width;

  const T* items;

  __device__ const T* at(int outer, int inner) const {
    return items + (inner_first ? outer * step + inner : inner * step + outer);
  }
};

/// Adds the first `terms` terms of the tile of `left right` with columns from `column` on.
template <bool inner_first, class Right, class T>
__device__ void add_terms(const Laid<T, inner_first>& left, const Right& right, int64_t column,
                          int terms, Staged<T, Right::inner_first>& rights, TileSums<T>& sums) {
  Stager<Right> columns(right, column);
  columns.read(0);
  for (int first = 0; first < terms; first += tile_depth<T>) {
    __syncthreads();  // the last step has been multiplied, and `left` has been written
    columns.write(rights);
    __syncthreads();
    if (first + tile_depth<T> < terms) columns.read(first + tile_depth<T>);
    sums.add(Laid<T, inner_first>{left.at(0, first)}, rights);
  }
}

/// Calls `body(row, column, sum)` for the elements of the tile of `left right` that starts at
/// (`row`, `column`). A sum has the terms [begin, end). Both factors must be 0 after `end`. All
/// threads of the block must call this function, once.
template <class Left, class Right, class Body>
__device__ void multiply_tile(const Left& left, const Right& right, int64_t row, int64_t column,
                              int64_t begin, int64_t end, Body body) {
  using T = typename Left::Element;
  __shared__ Staged<T, Left::inner_first> lefts;
  __shared__ Staged<T, Right::inner_first> rights;

  TileSums<T> sums;
  add_terms(left, right, row, column, begin, end, lefts, rights, sums);
  sums.each([&](int i, int j, accum_t<T> sum) {
    if (row + i < left.outer && column + j < right.outer) body(row + i, column + j, sum);
  });
}

}  // namespace opgen::cuda
