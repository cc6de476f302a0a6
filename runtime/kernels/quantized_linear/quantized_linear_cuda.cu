// Linear layers with a weight of 8-bit or 4-bit integers and scales, on CUDA.
//
// For few rows, the time is that of reading the weight from memory: one warp for each row of the
// weight multiplies in f32. More rows are multiplied in tiles. For these, the weight is widened to
// the other factor's dtype, which tensor cores require.
#include "quantized_linear.h"

#include <type_traits>

#include "opgen/cuda_matmul.h"
#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Factor;
using opgen::cuda::Pack;
using opgen::cuda::tile_side;
using opgen::cuda::tile_threads;
using opgen::cuda::warp_size;

namespace {

constexpr int few_threads = 128;
constexpr int few_rows = 16;     // the most rows of x that warps multiply without tiles
constexpr int rows_of_warp = 4;  // rows of x that a warp multiplies at a time
constexpr int columns_of_lane = 16;

/// A tensor of numbers in T or in f32, read as f32.
template <class T>
class Numbers {
 public:
  /// Reading an absent tensor returns `otherwise`.
  explicit Numbers(const opgen::Buffer& buffer, float otherwise = 0) noexcept
      : data_(buffer.data), wide_(buffer.dtype == opgen::ElementType::F32), otherwise_(otherwise) {}

  __device__ float operator[](int64_t at) const {
    if (data_ == nullptr) return otherwise_;
    return wide_ ? static_cast<const float*>(data_)[at]
                 : static_cast<float>(static_cast<const T*>(data_)[at]);
  }

 private:
  const void* data_;
  bool wide_;
  float otherwise_;
};

/// Rows of 8-bit integers, with a scale for each row.
template <class T>
struct WeightOf8Bits {
  using Element = T;

  const int8_t* data;  // n k
  Numbers<T> scales;   // n
  int64_t rows, columns;

  /// Returns the scale by which a product with a row is multiplied, as on the CPU.
  __device__ float scale(int64_t row) const { return scales[row]; }

  /// Returns `width` values of a row from `column` on, without the scale. They are exact in every
  /// float type. Values after the end of the row are 0.
  template <int width, bool packed>
  __device__ void read(int64_t row, int64_t column, float (&to)[width]) const {
    const int8_t* from = data + row * columns + column;
    Pack<int8_t, width> values = {};
    if constexpr (packed) {
      values = opgen::cuda::load<width>(from, 0);
    } else {
#pragma unroll
      for (int i = 0; i < width; ++i) {
        if (column + i < columns) values.items[i] = from[i];
      }
    }
#pragma unroll
    for (int i = 0; i < width; ++i) to[i] = static_cast<float>(values.items[i]);
  }
};

/// Bytes with two values each, the lower half first. Each group has a scale and a zero.
template <class T>
struct WeightOf4Bits {
  using Element = T;

  const uint8_t* data;       // n k/2
  Numbers<T> scales, zeros;  // n groups
  int64_t rows, columns, groups, group;

  __device__ float scale(int64_t) const { return 1; }

  /// Does the same, but with the scales of the groups. `column` must be even.
  template <int width, bool packed>
  __device__ void read(int64_t row, int64_t column, float (&to)[width]) const {
    const uint8_t* from = data + (row * columns + column) / 2;
    Pack<uint8_t, width / 2> bytes = {};
    if constexpr (packed) {
      bytes = opgen::cuda::load<width / 2>(from, 0);
    } else {
#pragma unroll
      for (int i = 0; i < width / 2; ++i) {
        if (column + 2 * i < columns) bytes.items[i] = from[i];
      }
    }
    const int64_t first = row * groups;
    int64_t place = column / group, next = (place + 1) * group;
    float scale = scales[first + place], zero = zeros[first + place];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      to[i] = 0;
      if (column + i >= columns) continue;
      if (column + i == next) {
        ++place;
        next += group;
        scale = scales[first + place];
        zero = zeros[first + place];
      }
      const int value = i % 2 == 0 ? bytes.items[i / 2] & 15 : bytes.items[i / 2] >> 4;
      to[i] = scale * (static_cast<float>(value) - zero);
    }
  }
};

/// A weight as a factor. Neighbours along k are contiguous. k is the inner dim of y = x w^T, and
/// the outer dim of dx = dy w.
template <class Weight, bool inner_first_, bool packed>
struct WeightFactor {
  using Element = typename Weight::Element;
  static constexpr bool inner_first = inner_first_;

  Weight weight;
  int64_t outer;

  __device__ Pack<Element> operator()(int64_t at, int64_t term) const {
    constexpr int width = Pack<Element>::width;
    const int64_t row = inner_first ? at : term, column = inner_first ? term : at;
    Pack<Element> found = {};
    if (row < weight.rows && column < weight.columns) {
      float values[width];
      weight.template read<width, packed>(row, column, values);
      // A sum over rows needs the scale of each row.
      const float scale = inner_first ? 1 : weight.scale(row);
#pragma unroll
      for (int i = 0; i < width; ++i) found.items[i] = static_cast<Element>(scale * values[i]);
    }
    return found;
  }
};

/// y = x w^T for few rows. A warp computes one row of the weight with `rows_of_warp` rows of x.
template <bool packed, class Weight, class T>
__global__ void
__launch_bounds__(few_threads)
multiply_few(Weight weight, int64_t rows,
             const T* x,  // rows k
             T* y) {      // rows n
  const int64_t row = int64_t{blockIdx.x} * (few_threads / warp_size) + threadIdx.x / warp_size;
  if (row >= weight.rows) return;
  const int64_t first = int64_t{blockIdx.y} * rows_of_warp, k = weight.columns;
  const int lane = threadIdx.x % warp_size;
  constexpr int width = columns_of_lane;
  float sums[rows_of_warp] = {};
  for (int64_t at = lane * width; at < k; at += warp_size * width) {
    float values[width];
    weight.template read<width, packed>(row, at, values);
#pragma unroll
    for (int i = 0; i < rows_of_warp; ++i) {
      if (first + i >= rows) break;
      const T* from = x + (first + i) * k + at;
      if constexpr (packed) {
        const auto left = opgen::cuda::load<width>(from, 0);
#pragma unroll
        for (int j = 0; j < width; ++j) sums[i] += static_cast<float>(left.items[j]) * values[j];
      } else {
#pragma unroll
        for (int j = 0; j < width; ++j) {
          if (at + j < k) sums[i] += static_cast<float>(from[j]) * values[j];
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < rows_of_warp; ++i) {
    if (first + i >= rows) break;
    const float sum = opgen::cuda::over_warp(sums[i], opgen::cuda::Sum());
    if (lane == 0) y[(first + i) * weight.rows + row] = static_cast<T>(sum * weight.scale(row));
  }
}

/// y = x w^T, or dx = dy w if `forward` is false. A block computes one tile of the result.
template <bool forward, bool packed, class Weight, class T>
__global__ void __launch_bounds__(tile_threads)
multiply(Weight weight, int64_t rows, int64_t row_tiles,
         const T* from,  // rows k, or rows n
         T* to) {        // rows n, or rows k
  const int64_t inner = forward ? weight.columns : weight.rows;
  const int64_t columns = forward ? weight.rows : weight.columns;
  const Factor<T, true, packed> left{from, inner, rows, inner};
  const WeightFactor<Weight, forward, packed> right{weight, columns};
  opgen::cuda::multiply_tile(left, right, blockIdx.x % row_tiles * tile_side,
                             blockIdx.x / row_tiles * tile_side, 0, inner,
                             [=](int64_t row, int64_t column, auto sum) {
    to[row * columns + column] = static_cast<T>(forward ? sum * weight.scale(column) : sum);
  });
}

/// True if `count` rows of `inner` terms, and the weight, may be read in packs.
template <class T, class Weight>
bool packs(const Weight& weight, const T* rows, int64_t inner) noexcept {
  return opgen::cuda::packs_fit(rows, inner) && opgen::cuda::aligned(weight.data) &&
         weight.columns % columns_of_lane == 0;
}

template <bool forward, class Weight, class T>
opgen::Status tiles(const opgen::Context& ctx, const Weight& weight, int64_t rows, const T* from,
                    T* to) noexcept {
  const int64_t inner = forward ? weight.columns : weight.rows;
  const int64_t columns = forward ? weight.rows : weight.columns;
  const int64_t row_tiles = (rows + tile_side - 1) / tile_side;
  const int64_t count = row_tiles * ((columns + tile_side - 1) / tile_side);
  if (count >= int64_t{1} << 31) return opgen::Status::unsupported;
  const auto kernel = packs(weight, from, inner) ? multiply<forward, true, Weight, T>
                                                 : multiply<forward, false, Weight, T>;
  return opgen::cuda::launch(ctx, kernel, static_cast<unsigned>(count), tile_threads, weight, rows,
                             row_tiles, from, to);
}

template <class Weight, class T>
opgen::Status forward(const opgen::Context& ctx, const Weight& weight, int64_t rows, const T* x,
                      T* y) noexcept {
  if (rows > few_rows) return tiles<true>(ctx, weight, rows, x, y);
  constexpr int warps = few_threads / warp_size;
  const int64_t across = (weight.rows + warps - 1) / warps;
  if (across >= int64_t{1} << 31) return opgen::Status::unsupported;
  const bool packed = packs(weight, x, weight.columns);
  const dim3 grid(static_cast<unsigned>(across),
                  static_cast<unsigned>((rows + rows_of_warp - 1) / rows_of_warp));
  return opgen::cuda::launch(ctx, packed ? multiply_few<true, Weight, T> : multiply_few<false, Weight, T>,
                             grid, few_threads, weight, rows, x, y);
}

template <class T, class View>
WeightOf8Bits<T> weight_of_8_bits(const View& op) noexcept {
  return {op.weight.data, Numbers<T>(op.scale), op.desc.n, op.desc.k};
}

template <class T, class View>
WeightOf4Bits<T> weight_of_4_bits(const View& op) noexcept {
  const int64_t group = 2 * op.desc.h;
  return {op.weight.data, Numbers<T>(op.scale), Numbers<T>(op.zero, 8),
          op.desc.n,      group * op.desc.g,    op.desc.g, group};
}

}  // namespace

template <class T>
opgen::Status int8_linear(const Int8LinearCudaView<T>& op) noexcept {
  return forward(op.ctx, weight_of_8_bits<T>(op), op.desc.batch, op.x.data, op.y.data);
}

template <class T>
opgen::Status int8_linear_dgrad(const Int8LinearDgradCudaView<T>& op) noexcept {
  return tiles<false>(op.ctx, weight_of_8_bits<T>(op), op.desc.batch, op.dy.data, op.dx.data);
}

template <class T>
opgen::Status int4_linear(const Int4LinearCudaView<T>& op) noexcept {
  return forward(op.ctx, weight_of_4_bits<T>(op), op.desc.batch, op.x.data, op.y.data);
}

template <class T>
opgen::Status int4_linear_dgrad(const Int4LinearDgradCudaView<T>& op) noexcept {
  return tiles<false>(op.ctx, weight_of_4_bits<T>(op), op.desc.batch, op.dy.data, op.dx.data);
}

}  // namespace generated::cuda
