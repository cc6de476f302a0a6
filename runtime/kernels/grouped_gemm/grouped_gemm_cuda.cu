// Products of groups of rows with a matrix for each group, and their gradient, on CUDA.
//
// The host does not know where the groups start. So it starts as many blocks as the groups can have
// tiles, and each block searches for its tile.
#include "grouped_gemm.h"

#include "opgen/cuda_groups.h"
#include "opgen/cuda_matmul.h"

namespace generated::cuda {

using opgen::cuda::Factor;
using opgen::cuda::find_rows;
using opgen::cuda::GroupRows;
using opgen::cuda::tile_side;
using opgen::cuda::tile_threads;
using opgen::cuda::tiles_along;

namespace {

template <bool turned, bool packed, class T>
__global__ void
__launch_bounds__(tile_threads)
multiply_groups(int64_t groups, int64_t row_tiles, int64_t n, int64_t k,
                const int32_t* offsets,  // groups+1
                const T* a,              // m k
                const T* b,              // groups k n, or groups n k if turned
                T* c) {                  // m n
  const GroupRows rows = find_rows(groups, offsets, blockIdx.x % row_tiles);
  if (rows.begin == rows.end) return;
  const Factor<T, true, packed> left{a + rows.begin * k, k, rows.end - rows.begin, k};
  const Factor<T, turned, packed> right{b + rows.group * k * n, turned ? k : n, n, k};
  T* const to = c + rows.begin * n;
  opgen::cuda::multiply_tile(left, right, 0, blockIdx.x / row_tiles * tile_side, 0, k,
                             [=](int64_t row, int64_t column, auto sum) {
    to[row * n + column] = static_cast<T>(sum);
  });
}

template <bool packed, class T>
__global__ void __launch_bounds__(tile_threads)
multiply_gradients(int64_t rows, int64_t columns,
                   const int32_t* offsets,  // groups+1
                   const T* left,           // m rows
                   const T* right,          // m columns
                   T* db) {                 // groups rows columns
  const int64_t row_tiles = tiles_along(rows), tiles = row_tiles * tiles_along(columns);
  const int64_t group = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const int64_t begin = offsets[group], inner = offsets[group + 1] - begin;
  const Factor<T, false, packed> a{left + begin * rows, rows, rows, inner};
  const Factor<T, false, packed> b{right + begin * columns, columns, columns, inner};
  T* const to = db + group * rows * columns;
  opgen::cuda::multiply_tile(a, b, tile % row_tiles * tile_side, tile / row_tiles * tile_side, 0,
                             inner, [=](int64_t row, int64_t column, auto sum) {
    to[row * columns + column] = static_cast<T>(sum);
  });
}

/// Starts a kernel with a block for every tile.
template <class... Parameters, class... Arguments>
opgen::Status start(const opgen::Context& ctx, int64_t tiles, void (*kernel)(Parameters...),
                    const Arguments&... arguments) noexcept {
  if (tiles >= int64_t{1} << 31) return opgen::Status::unsupported;
  return opgen::cuda::launch(ctx, kernel, static_cast<unsigned>(tiles), tile_threads, arguments...);
}

}  // namespace

template <class T>
opgen::Status grouped_gemm(const GroupedGemmView<T>& op) noexcept {
  const int64_t groups = op.desc.g, n = op.desc.n, k = op.desc.k;
  const bool turned = op.desc.trans_b != 0;
  const bool packed = opgen::cuda::packs_fit(op.a.data, k) &&
                      opgen::cuda::packs_fit(op.b.data, turned ? k : n);
  const int64_t row_tiles = opgen::cuda::most_tiles(op.desc.m, groups);
  const auto kernel = turned ? packed ? multiply_groups<true, true, T> : multiply_groups<true, false, T>
                             : packed ? multiply_groups<false, true, T>
                                      : multiply_groups<false, false, T>;
  return start(op.ctx, row_tiles * tiles_along(n), kernel, groups, row_tiles, n, k,
               op.offsets.data, op.a.data, op.b.data, op.c.data);
}

/// For the rows of each group, db = a^T dc, or db = dc^T a if `b` is transposed.
template <class T>
opgen::Status grouped_gemm_wgrad(const GroupedGemmWgradView<T>& op) noexcept {
  const bool turned = op.desc.trans_b != 0;
  const int64_t rows = turned ? op.desc.n : op.desc.k, columns = turned ? op.desc.k : op.desc.n;
  const T* const left = turned ? op.dc.data : op.a.data;
  const T* const right = turned ? op.a.data : op.dc.data;
  const bool packed =
      opgen::cuda::packs_fit(left, rows) && opgen::cuda::packs_fit(right, columns);
  return start(op.ctx, op.desc.g * tiles_along(rows) * tiles_along(columns),
               packed ? multiply_gradients<true, T> : multiply_gradients<false, T>, rows, columns,
               op.offsets.data, left, right, op.db.data);
}

}  // namespace generated::cuda
