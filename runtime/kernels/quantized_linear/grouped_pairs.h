// Products of bf16 with 4-bit integers, as pairs of bf16, on the CPU. The integers are in groups,
// and each group has a scale.
//
// An integer minus 8 is exact in bf16. The products of each group are summed first, and their sum
// is multiplied by the group's scale in f32. If a group's zero differs from 8, the difference is
// multiplied by the sum of the group's numbers of x.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/matmul.h"
#include "quantized_linear/weight_pairs.h"

namespace generated::cpu {

#if defined(__AVX512BW__)

/// Terms of one group that are added one after the other.
struct Piece {
  int64_t group, first, count;
};

/// The pieces of a block of the inner dim of a product.
struct Pieces {
  using Blocks = opgen::Blocks<float>;
  static constexpr int64_t least_group = 32, terms = 2 * Blocks::inner;
  static constexpr int64_t most = terms / least_group + terms / opgen::detail::most_in_a_row + 2;
  Piece all[most];
  int64_t count = 0;

  /// `terms` terms from `first` on, in groups of at least `least_group`.
  Pieces(int64_t first, int64_t terms, int64_t group) noexcept {
    for (int64_t at = 0; at < terms; at += all[count++].count) {
      const int64_t which = (first + at) / group, left = (which + 1) * group - first - at;
      const int64_t together = std::min({left, terms - at, opgen::detail::most_in_a_row});
      all[count] = {which, at, together};
    }
  }
};

/// Multiplies the sums of pieces by the scales of a panel's channels, and adds them to c.
template <bool shifted>
struct ScaledSums {
  static constexpr int64_t columns = Pieces::Blocks::columns;
  float* c;
  int64_t c_row;
  bool add;
  const Piece* piece;
  const float *scales, *shifts;  // `columns` numbers for each piece
  const float* of_x;             // the sums of x: `Pieces::most` numbers for each row

  ScaledSums below(int64_t rows) const noexcept {
    ScaledSums found = *this;
    found.c += rows * c_row;
    found.of_x += rows * Pieces::most;
    return found;
  }

  int64_t together(int64_t) const noexcept { return piece->count; }

  void take(int64_t row, int64_t column, opgen::Vector<float> sum) const noexcept {
    const opgen::Lanes<float, true> v{column};
    const opgen::Vector<float> zeros = {}, former = add ? v.load(c + row * c_row) : zeros;
    auto whole = opgen::multiply_add<float>(sum, v.load(scales), former);
    if constexpr (shifted) {
      const auto sum_of_x = opgen::detail::broadcast<float>(of_x[row * Pieces::most]);
      whole = opgen::multiply_add<float>(sum_of_x, v.load(shifts), whole);
    }
    v.store(c + row * c_row, whole);
  }

  void next() noexcept {
    add = true;
    ++piece, ++of_x;
    scales += columns, shifts += columns;
  }
};

/// The sums of the pieces of each row of pairs.
inline void sum_pieces(opgen::Matrix<opgen::Pair> x, int64_t rows, const Pieces& pieces,
                       float* sums) noexcept {
  const auto ones = opgen::detail::broadcast<uint32_t>(0x3f803f80);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t n = 0; n < pieces.count; ++n) {
      opgen::Vector<float> sum = {};
      opgen::each_vector<uint32_t>(pieces.all[n].first / 2,
                                   (pieces.all[n].first + pieces.all[n].count) / 2,
                                   opgen::Streamed{}, [&](auto v) {
        sum = opgen::add_products(v.load(reinterpret_cast<const uint32_t*>(x.at(i, 0))), ones, sum);
      });
      sums[i * Pieces::most + n] = opgen::sum_of<float>(sum);
    }
  }
}

/// Computes one tile of y = x weight^T. `store(i, v, values)` is called as by `multiply_tile`.
template <bool shifted, class Weight, class Tile, class T, class Store>
void multiply_grouped_tile(const Weight& w, const Tile& tile, const T* x,
                           const Store& store) noexcept {
  using B = Pieces::Blocks;
  alignas(64) float sums[B::most_rows * B::most_columns], of_x[B::most_rows * Pieces::most];
  alignas(64) opgen::Pair scratch[B::most_rows * B::inner], panel[B::inner * B::columns];
  alignas(64) float scales[Pieces::most * B::columns], shifts[Pieces::most * B::columns];
  const int64_t k = w.columns;
  const auto rows = opgen::rows_of<float>(opgen::Matrix<T>{x + tile.row * k, k, 1}, tile.rows);
  for (int64_t first = 0; first < k; first += Pieces::terms) {
    const int64_t count = std::min(Pieces::terms, k - first);
    const auto left = rows(first, count, scratch);
    const Pieces pieces(first, count, w.group);
    if constexpr (shifted) sum_pieces(left, tile.rows, pieces, of_x);
    for (int64_t column = 0; column < tile.columns; column += B::columns) {
      const int64_t row = tile.column + column;
      const int64_t channels = std::min(B::columns, tile.columns - column);
      lay_pairs_of_channels(w, row, channels, first, count, panel);
      for (int64_t n = 0; n < pieces.count; ++n) {
        for (int64_t j = 0; j < B::columns; ++j) {
          const bool inside = j < channels;
          const float scale = inside ? w.scale(row + j, pieces.all[n].group) : 0;
          const float zero = inside ? w.zero(row + j, pieces.all[n].group) : 0;
          scales[n * B::columns + j] = scale;
          shifts[n * B::columns + j] = scale * (8 - zero);
        }
      }
      const ScaledSums<shifted> to{sums + column, B::most_columns, first > 0, pieces.all,
                                   scales,        shifts,          of_x};
      const opgen::Matrix<opgen::Pair> right{panel, B::columns, 1};
      opgen::detail::multiply_all_rows<float>(tile.rows, count / 2, left, right, to,
                                              opgen::detail::Nothing{});
    }
  }
  for (int64_t i = 0; i < tile.rows; ++i) {
    opgen::each_vector<float>(
        0, tile.columns, opgen::Streamed{},
        [&store, i, sums = sums + i * B::most_columns](auto v) { store(i, v, v.load(sums)); });
  }
}

/// True if groups of this many integers are multiplied as pairs. AMX is not used for groups,
/// because it adds products before they can be scaled.
inline bool groups_are_paired(int64_t group) noexcept {
  return group >= Pieces::least_group && opgen::pairs_are_fast() && !opgen::amx_is_there();
}

#endif

}  // namespace generated::cpu
