// Linear layers with a weight of 8-bit or 4-bit integers and scales, on the CPU.
//
// For few rows, the time is that of reading the weight from memory: each vector of the weight is
// widened once, for all rows. For more rows, a panel of the weight is widened into the cache and
// multiplied like any matrix, or integers are multiplied as pairs of bf16. Widening is exact, and
// sums are in f32.
#include "quantized_linear.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "opgen/matmul.h"
#include "opgen/rows.h"
#include "quantized_linear/grouped_pairs.h"

namespace generated::cpu {
namespace {

using opgen::Lanes;
using opgen::Matrix;
using opgen::Vector;
using Blocks = opgen::Blocks<float>;

constexpr int64_t width = opgen::lanes<float>;

/// Rows of 8-bit integers. Each row is one group with one scale.
template <class S>
struct WeightOf8Bits {
  static constexpr bool one_group = true;  // with the zero 0
  static constexpr int64_t few_rows = 32;  // up to this many rows, no panel is packed

  const int8_t* data;  // n k
  const S* scales;     // n
  int64_t rows, columns, group = columns;

  template <bool whole>
  Vector<float> load(Lanes<float, whole> v, int64_t row) const noexcept {
    return v.load(data + row * columns);
  }
  float scale(int64_t row, int64_t) const noexcept { return static_cast<float>(scales[row]); }
  float zero(int64_t, int64_t) const noexcept { return 0; }
};

/// Bytes with two values each, the lower half first. Each group of a row has a scale.
template <class S>
struct WeightOf4Bits {
  static constexpr bool one_group = false;
  static constexpr int64_t few_rows = 12;

  const uint8_t* data;  // n k/2
  const S* scales;      // n groups
  const S* zeros;       // n groups, or null
  int64_t rows, columns, groups, group;

  template <bool whole>
  Vector<float> load(Lanes<float, whole> v, int64_t row) const noexcept {
    constexpr int64_t half = width / 2;
    Vector<uint8_t, half> bytes = {};
    std::memcpy(&bytes, data + (row * columns + v.at) / 2,
                static_cast<size_t>(whole ? half : v.count / 2));
    // The upper half of each byte is moved to the upper half of its 64-bit lane.
    const auto pairs = opgen::detail::widen_to_64<half>(bytes);
    const Vector<uint64_t, half> values = (pairs | pairs << 28) & 0x0000000f0000000fu;
    return __builtin_convertvector(opgen::detail::cast_bits<Vector<int32_t, width>>(values),
                                   Vector<float>);
  }
  float scale(int64_t row, int64_t i) const noexcept {
    return static_cast<float>(scales[row * groups + i]);
  }
  float zero(int64_t row, int64_t i) const noexcept {
    return zeros == nullptr ? 8.0f : static_cast<float>(zeros[row * groups + i]);
  }
};

/// Calls `body(group, begin, end)` for each group's part of the columns [begin, end).
template <class Weight, class Body>
void each_group(const Weight& w, int64_t begin, int64_t end, const Body& body) noexcept {
  for (int64_t group = begin / w.group, next = (group + 1) * w.group; begin < end; ++group) {
    const int64_t last = std::min(end, next);
    body(group, begin, last);
    begin = last;
    next += w.group;
  }
}

/// Copies columns [first, first + count) of `rows` rows of the weight to rows of `to_row` floats.
/// The numbers are multiplied by their scales if `scaled`.
template <bool scaled, class Weight>
void lay_weight(const Weight& w, int64_t row, int64_t rows, int64_t first, int64_t count, float* to,
                int64_t to_row) noexcept {
  each_group(w, first, first + count, [&](int64_t group, int64_t begin, int64_t end) {
    for (int64_t i = 0; i < rows; ++i) {
      const float scale = w.scale(row + i, group), zero = w.zero(row + i, group);
      const int64_t from = row + i;
      opgen::each_vector<float>(begin, end, opgen::Streamed{},
                                [&w, from, scale, zero, to = to + i * to_row, first](auto v) {
        auto there = v;
        there.at -= first;
        auto values = w.load(v, from);
        if constexpr (scaled) values = (values - zero) * scale;
        there.store(to, values);
      });
    }
  });
}

/// y[i, row + j] = x[i] . weight[row + j], for `count` rows of x and `channels` of the weight.
template <int count, int channels, class Weight, class T>
__attribute__((flatten)) void multiply_rows(const Weight& w, int64_t row, const T* x,
                                            T* y) noexcept {
  const int64_t k = w.columns, n = w.rows;
  Vector<float> sums[count][channels] = {};
  each_group(w, 0, k, [&](int64_t group, int64_t begin, int64_t end) {
    Vector<float> zeros[channels], scales[channels];
    if constexpr (!Weight::one_group) {
      for (int j = 0; j < channels; ++j) {
        zeros[j] = opgen::detail::broadcast<float>(w.zero(row + j, group));
        scales[j] = opgen::detail::broadcast<float>(w.scale(row + j, group));
      }
    }
    const auto add = [&](auto v) {
      Vector<float> left[count];
#pragma GCC unroll 4
      for (int i = 0; i < count; ++i) left[i] = v.load(x + i * k);
#pragma GCC unroll 4
      for (int j = 0; j < channels; ++j) {
        Vector<float> right = w.load(v, row + j);
        if constexpr (!Weight::one_group) right = v.only((right - zeros[j]) * scales[j]);
#pragma GCC unroll 4
        for (int i = 0; i < count; ++i) {
          sums[i][j] = opgen::multiply_add<float>(left[i], right, sums[i][j]);
        }
      }
    };
    int64_t at = begin;
    for (; at + width <= end; at += width) add(Lanes<float, true>{at});
    if (at < end) add(Lanes<float, false>{at, end - at});
  });
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < channels; ++j) {
      float sum = opgen::sum_of<float>(sums[i][j]);
      if constexpr (Weight::one_group) sum *= w.scale(row + j, 0);
      y[i * n + row + j] = static_cast<T>(sum);
    }
  }
}

/// Does the same for all rows of x, of which there are few.
template <int channels, class Weight, class T>
void multiply_few(const Weight& w, int64_t row, int64_t count, const T* x, T* y) noexcept {
  const auto after = [&](int64_t i) { return std::pair(x + i * w.columns, y + i * w.rows); };
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    multiply_rows<4, channels>(w, row, after(i).first, after(i).second);
  }
  if (i + 2 <= count) {
    multiply_rows<2, channels>(w, row, after(i).first, after(i).second);
    i += 2;
  }
  if (i < count) multiply_rows<1, channels>(w, row, after(i).first, after(i).second);
}

/// Packs a panel of `panels` as f32, then splits it (see `Split` in opgen/pairs.h).
template <class Panels, class P>
Matrix<P> split_panel(const Panels& panels, int64_t first, int64_t terms, int64_t column,
                      int64_t columns, P* to) noexcept {
  panels(first, terms, column, columns, reinterpret_cast<float*>(to));
  split_rows(terms, Blocks::columns, to, Blocks::columns);
  return {to, Blocks::columns, 1};
}

/// The rows of the weight from `row` on, as the right factor of a tile of x weight^T. They are
/// packed as pairs if scales are not part of the product.
template <class Weight, class T>
struct PanelsOf {
  using Number = float;

  const Weight& w;
  int64_t row;

  Matrix<float> operator()(int64_t first, int64_t terms, int64_t column, int64_t columns,
                           float* to) const noexcept {
    alignas(64) float turned[Blocks::columns * Blocks::inner];
    lay_weight<!Weight::one_group>(w, row + column, columns, first, terms, turned, Blocks::inner);
    opgen::lay_rows<float>(Matrix<float>{turned, 1, Blocks::inner}, terms, columns, Blocks::columns,
                           to, Blocks::columns);
    return {to, Blocks::columns, 1};
  }

  template <class P, class = opgen::if_paired<P, std::conditional_t<Weight::one_group, T, void>>>
  Matrix<P> operator()(int64_t first, int64_t terms, int64_t column, int64_t columns,
                       P* to) const noexcept {
    lay_pairs_of_channels(w, row + column, columns, first, terms, to);
    return {to, Blocks::columns, 1};
  }

  template <class P, class = opgen::if_split<P, Number>, class = void>
  Matrix<P> operator()(int64_t first, int64_t terms, int64_t column, int64_t columns,
                       P* to) const noexcept {
    return split_panel(*this, first, terms, column, columns, to);
  }
};

/// The columns of the weight from `column` on, as the right factor of a tile of dy weight.
template <class Weight>
struct PanelsOfGradient {
  using Number = float;

  const Weight& w;
  int64_t column;

  Matrix<float> operator()(int64_t first, int64_t terms, int64_t at, int64_t columns,
                           float* to) const noexcept {
    if (columns < Blocks::columns) std::fill(to, to + terms * Blocks::columns, 0.0f);
    lay_weight<true>(w, first, terms, column + at, columns, to, Blocks::columns);
    return {to, Blocks::columns, 1};
  }

  template <class P, class = opgen::if_split<P, Number>>
  Matrix<P> operator()(int64_t first, int64_t terms, int64_t at, int64_t columns,
                       P* to) const noexcept {
    return split_panel(*this, first, terms, at, columns, to);
  }
};

/// Computes a tile of y = x weight^T, with groups as pairs of bf16. Returns false if this is not
/// possible or not faster.
template <class Weight, class Tile, class T>
bool multiply_in_pairs([[maybe_unused]] const Weight& w, [[maybe_unused]] const Tile& tile,
                       [[maybe_unused]] const T* x, [[maybe_unused]] T* y) noexcept {
#if defined(__AVX512BW__)
  if constexpr (!Weight::one_group && std::is_same_v<T, opgen::bf16>) {
    if (!groups_are_paired(w.group)) return false;
    const auto store = [to = y + tile.row * w.rows + tile.column, n = w.rows](
                           int64_t i, auto v, auto values) { v.store(to + i * n, values); };
    if (w.zeros == nullptr) {
      multiply_grouped_tile<false>(w, tile, x, store);
    } else {
      multiply_grouped_tile<true>(w, tile, x, store);
    }
    return true;
  }
#endif
  return false;
}

/// y = x weight^T
template <class Weight, class T>
opgen::Status forward(const opgen::Context& ctx, const Weight& w, int64_t count,
                      const T* x,       // count k
                      T* y) noexcept {  // count n
  const int64_t n = w.rows, k = w.columns;
  if (count <= Weight::few_rows) {
    constexpr int64_t channels = 4;
    const int64_t blocks = (n + channels - 1) / channels;
    opgen::parallel(ctx, blocks, 1 + (int64_t{1} << 18) / (1 + channels * k * count),
                    [=](int64_t begin, int64_t end) {
      for (int64_t row = begin * channels; row < std::min(n, end * channels);) {
        if (row + channels <= n) {
          multiply_few<channels>(w, row, count, x, y);
          row += channels;
        } else {
          multiply_few<1>(w, row++, count, x, y);
        }
      }
    });
    return opgen::Status::ok;
  }
  const opgen::Tiles<float> tiles(count, n);
  opgen::parallel(ctx, tiles.count(), tiles.of_a_thread(k), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto tile = tiles[i];
      if (multiply_in_pairs(w, tile, x, y)) continue;
      const Matrix<T> left{x + tile.row * k, k, 1};
      opgen::multiply_tile<float>(
          tile.rows, tile.columns, k, opgen::rows_of<float>(left, tile.rows),
          PanelsOf<Weight, T>{w, tile.column},
          [to = y + tile.row * n + tile.column, n, scales = w.scales + tile.column](
              int64_t row, auto v, auto values) {
        if constexpr (Weight::one_group) values *= v.load(scales);
        v.store(to + row * n, values);
      });
    }
  });
  return opgen::Status::ok;
}

/// dx = dy weight
template <class Weight, class T>
opgen::Status backward(const opgen::Context& ctx, const Weight& w, int64_t count,
                       const T* dy,       // count n
                       T* dx) noexcept {  // count k
  const int64_t n = w.rows, k = w.columns;
  const opgen::Tiles<float> tiles(count, k);
  opgen::parallel(ctx, tiles.count(), tiles.of_a_thread(n), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto tile = tiles[i];
      const Matrix<T> left{dy + tile.row * n, n, 1};
      opgen::multiply_tile<float>(
          tile.rows, tile.columns, n, opgen::rows_of<float>(left, tile.rows),
          PanelsOfGradient<Weight>{w, tile.column},
          [to = dx + tile.row * k + tile.column, k](int64_t row, auto v, auto values) {
        v.store(to + row * k, values);
      });
    }
  });
  return opgen::Status::ok;
}

template <class View>
auto weight_of_8_bits(const View& op) noexcept {
  return WeightOf8Bits<std::decay_t<decltype(*op.scale.data)>>{op.weight.data, op.scale.data,
                                                               op.desc.n, op.desc.k};
}

template <class View>
auto weight_of_4_bits(const View& op) noexcept {
  return WeightOf4Bits<std::decay_t<decltype(*op.scale.data)>>{
      op.weight.data, op.scale.data, op.zero.data, op.desc.n, 2 * op.desc.g * op.desc.h,
      op.desc.g,      2 * op.desc.h};
}

}  // namespace

template <class T, class S>
opgen::Status int8_linear(const Int8LinearView<T, S>& op) noexcept {
  return forward(op.ctx, weight_of_8_bits(op), op.desc.batch, op.x.data, op.y.data);
}

template <class T, class S>
opgen::Status int8_linear_dgrad(const Int8LinearDgradView<T, S>& op) noexcept {
  return backward(op.ctx, weight_of_8_bits(op), op.desc.batch, op.dy.data, op.dx.data);
}

template <class T, class S>
opgen::Status int4_linear(const Int4LinearView<T, S>& op) noexcept {
  return forward(op.ctx, weight_of_4_bits(op), op.desc.batch, op.x.data, op.y.data);
}

template <class T, class S>
opgen::Status int4_linear_dgrad(const Int4LinearDgradView<T, S>& op) noexcept {
  return backward(op.ctx, weight_of_4_bits(op), op.desc.batch, op.dy.data, op.dx.data);
}

}  // namespace generated::cpu
