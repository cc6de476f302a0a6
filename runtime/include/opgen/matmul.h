// Products of matrices on the CPU: what kernels that multiply are written in.
//
// A tile of the result is a thread's, and is summed over the inner dim in an order of its own: the
// bits do not depend on the number of threads. Numbers of 16 bits are widened where they are laid
// side by side for a tile, and multiplied as floats: AVX-512's products of pairs of bf16 are half
// as fast on Emerald Rapids (86 against 175 GFLOP/s of a core), and take subnormals as 0.
//
// Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "opgen/rows.h"

namespace opgen {

/// How many rows and columns are computed in registers, and how many of what a tile holds at most.
template <class Acc>
struct Blocks {
#if defined(__AVX512F__)
  static constexpr int64_t rows = 8;
#elif defined(__AVX2__)
  static constexpr int64_t rows = 6;
#else
  static constexpr int64_t rows = 4;
#endif
  static constexpr int64_t columns = 2 * lanes<Acc>;  // those of a panel
  static constexpr int64_t inner = 1024 / sizeof(Acc);
  static constexpr int64_t most_rows = 192;
  static constexpr int64_t most_columns = 1024 / sizeof(Acc);
};

/// A matrix that lies anyhow: element (i, j) is `data[i * row + j * column]`.
template <class T>
struct Matrix {
  const T* data;
  int64_t row, column;

  const T* at(int64_t i, int64_t j) const noexcept { return data + i * row + j * column; }
};

namespace detail {

template <class Acc, size_t... lane>
inline Vector<Acc> broadcast(Acc value, std::index_sequence<lane...>) noexcept {
  return Vector<Acc>{(static_cast<void>(lane), value)...};
}

/// `value` in every lane: one instruction, which adding it to zeros is not.
template <class Acc>
inline Vector<Acc> broadcast(Acc value) noexcept {
  return broadcast<Acc>(value, std::make_index_sequence<lanes<Acc>>());
}

/// How many terms are added up one after the other: sums of so many are then added, which loses
/// fewer digits than one long sum.
constexpr int64_t most_in_a_row = 128;

/// c[0..rows) += a b, or = where `add` is false: as many columns as a panel has, `count` terms.
template <class Acc, int64_t rows>
__attribute__((noinline)) void multiply_rows(int64_t count, Matrix<Acc> a, Matrix<Acc> b, Acc* c,
                                             int64_t c_row, bool add) noexcept {
  constexpr int64_t width = lanes<Acc>, vectors = Blocks<Acc>::columns / width;
  do {
    const int64_t together = std::min(count, most_in_a_row);
    Vector<Acc> sums[rows][vectors] = {};
    for (int64_t k = 0; k < together; ++k) {
      Vector<Acc> right[vectors];
#pragma GCC unroll 2
      for (int64_t v = 0; v < vectors; ++v)
        std::memcpy(&right[v], b.data + v * width, sizeof right[v]);
#pragma GCC unroll 16
      for (int64_t i = 0; i < rows; ++i) {
        const Vector<Acc> left = broadcast<Acc>(a.data[i * a.row]);
#pragma GCC unroll 2
        for (int64_t v = 0; v < vectors; ++v) {
          sums[i][v] = multiply_add<Acc>(left, right[v], sums[i][v]);
        }
      }
      a.data += a.column;
      b.data += b.row;
    }
#pragma GCC unroll 16
    for (int64_t i = 0; i < rows; ++i) {
#pragma GCC unroll 2
      for (int64_t v = 0; v < vectors; ++v) {
        Vector<Acc> sum = sums[i][v];
        if (add) sum += Lanes<Acc, true>{v * width}.load(c + i * c_row);
        Lanes<Acc, true>{v * width}.store(c + i * c_row, sum);
      }
    }
    count -= together;
    add = true;
  } while (count > 0);
}

/// The same for fewer rows than `rows`.
template <class Acc, int64_t rows>
void multiply_last_rows(int64_t left, int64_t count, Matrix<Acc> a, Matrix<Acc> b, Acc* c,
                        int64_t c_row, bool add) noexcept {
  if constexpr (rows > 1) {
    if (left < rows) {
      return multiply_last_rows<Acc, rows - 1>(left, count, a, b, c, c_row, add);
    }
  }
  multiply_rows<Acc, rows>(count, a, b, c, c_row, add);
}

template <size_t step, class V, size_t... lane>
inline void exchange(V& a, V& b, std::index_sequence<lane...>) noexcept {
  constexpr size_t width = sizeof...(lane);
  const V low = __builtin_shufflevector(a, b, (lane & step ? width + lane - step : lane)...);
  b = __builtin_shufflevector(a, b, (lane & step ? width + lane : lane + step)...);
  a = low;
}

/// Turns a square of numbers: each vector is a row, and then a column.
template <class Acc, size_t step = 1>
inline void turn(Vector<Acc> (&square)[lanes<Acc>]) noexcept {
  constexpr size_t width = lanes<Acc>;
  if constexpr (step < width) {
#pragma GCC unroll 16
    for (size_t i = 0; i < width; ++i) {
      if (!(i & step))
        exchange<step>(square[i], square[i + step], std::make_index_sequence<width>());
    }
    turn<Acc, 2 * step>(square);
  }
}

}  // namespace detail

/// c += a b, or c = a b where `add` is false, for a panel `b` of `Blocks<Acc>::columns` columns
/// whose rows are contiguous: `rows` rows of `count` terms.
template <class Acc>
void multiply_panel(int64_t rows, int64_t count, Matrix<Acc> a, Matrix<Acc> b, Acc* c,
                    int64_t c_row, bool add) noexcept {
  constexpr int64_t step = Blocks<Acc>::rows;
  int64_t i = 0;
  for (; i + step <= rows; i += step) {
    detail::multiply_rows<Acc, step>(count, a, b, c + i * c_row, c_row, add);
    a.data += step * a.row;
  }
  if (i < rows) {
    detail::multiply_last_rows<Acc, step - 1>(rows - i, count, a, b, c + i * c_row, c_row, add);
  }
}

/// Lays `rows` by `columns` of a matrix in rows of `to_row` numbers each; what is in the columns
/// from `columns` up to `padded` becomes 0.
template <class Acc, class T>
void lay_rows(Matrix<T> from, int64_t rows, int64_t columns, int64_t padded, Acc* to,
              int64_t to_row) noexcept {
  constexpr int64_t width = lanes<Acc>;
  if (from.column == 1) {
    for (int64_t i = 0; i < rows; ++i) {
      each_vector<Acc>(
          0, columns, Streamed{},
          [from = from.at(i, 0), to = to + i * to_row](auto v) { v.store(to, v.load(from)); });
    }
  } else if (from.row == 1) {
    for (int64_t j = 0; j < columns; j += width) {
      const int64_t across = std::min(width, columns - j);
      for (int64_t i = 0; i < rows; i += width) {
        const int64_t down = std::min(width, rows - i);
        Vector<Acc> square[width] = {};
        if (down == width && across == width) {
#pragma GCC unroll 16
          for (int64_t c = 0; c < width; ++c)
            square[c] = Lanes<Acc, true>{i}.load(from.at(0, j + c));
        } else {
          for (int64_t c = 0; c < across; ++c) {
            square[c] = Lanes<Acc, false>{i, down}.load(from.at(0, j + c));
          }
        }
        detail::turn<Acc>(square);
        if (across == width) {
          for (int64_t r = 0; r < down; ++r) {
            Lanes<Acc, true>{j}.store(to + (i + r) * to_row, square[r]);
          }
        } else {
          for (int64_t r = 0; r < down; ++r) {
            Lanes<Acc, false>{j, across}.store(to + (i + r) * to_row, square[r]);
          }
        }
      }
    }
  } else {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        to[i * to_row + j] = static_cast<Acc>(*from.at(i, j));
      }
    }
  }
  if (padded > columns) {
    for (int64_t i = 0; i < rows; ++i) {
      std::fill(to + i * to_row + columns, to + i * to_row + padded, Acc{0});
    }
  }
}

/// The left side of a tile, for `multiply_tile`: `rows` rows of a matrix.
template <class Acc, class T>
auto rows_of(Matrix<T> from, int64_t rows) noexcept {
  return [=](int64_t first, int64_t count, Acc* scratch) -> Matrix<Acc> {
    const Matrix<T> part{from.at(0, first), from.row, from.column};
    if constexpr (std::is_same_v<T, Acc>) {
      if (part.column == 1) return part;
    }
    lay_rows<Acc>(part, rows, count, count, scratch, Blocks<Acc>::inner);
    return {scratch, Blocks<Acc>::inner, 1};
  };
}

/// The right side of a tile of `rows` rows.
template <class Acc, class T>
auto columns_of(Matrix<T> from, int64_t rows) noexcept {
  return [=](int64_t first, int64_t count, int64_t column, int64_t columns,
             Acc* panel) -> Matrix<Acc> {
    constexpr int64_t across = Blocks<Acc>::columns;
    const Matrix<T> part{from.at(first, column), from.row, from.column};
    if constexpr (std::is_same_v<T, Acc>) {
      // Read once or twice it need not be laid anew.
      if (part.column == 1 && columns == across && rows <= 2 * Blocks<Acc>::rows) return part;
    }
    lay_rows<Acc>(part, count, columns, across, panel, across);
    return {panel, across, 1};
  };
}

/// One tile of a product: `rows` by `columns`, at most those of `Blocks<Acc>`, of `inner` terms, in
/// rows of `Blocks<Acc>::most_columns` numbers each.
///
/// `left(first, count, scratch)` gives the tile's rows, of `count` terms from `first` on, where
/// they lie or in `scratch`; `right(first, count, column, columns, panel)` those terms of a panel
/// whose rows are contiguous, where they lie or in `panel`, zeros behind `columns`.
template <class Acc, class Left, class Right>
void multiply_to(Acc* sums, int64_t rows, int64_t columns, int64_t inner, const Left& left,
                 const Right& right) noexcept {
  using B = Blocks<Acc>;
  alignas(64) Acc scratch[B::most_rows * B::inner], panel[B::inner * B::columns];
  if (inner == 0) std::fill(sums, sums + rows * B::most_columns, Acc{0});
  for (int64_t first = 0; first < inner; first += B::inner) {
    const int64_t count = std::min(B::inner, inner - first);
    const Matrix<Acc> a = left(first, count, scratch);
    for (int64_t column = 0; column < columns; column += B::columns) {
      const int64_t across = std::min(B::columns, columns - column);
      const Matrix<Acc> b = right(first, count, column, across, panel);
      multiply_panel<Acc>(rows, count, a, b, sums + column, B::most_columns, first > 0);
    }
  }
}

/// The same, each row given to `store(i, v, values)`: the lanes `v` of row i.
template <class Acc, class Left, class Right, class Store>
void multiply_tile(int64_t rows, int64_t columns, int64_t inner, const Left& left,
                   const Right& right, const Store& store) noexcept {
  using B = Blocks<Acc>;
  alignas(64) Acc sums[B::most_rows * B::most_columns];
  multiply_to<Acc>(sums, rows, columns, inner, left, right);
  for (int64_t i = 0; i < rows; ++i) {
    each_vector<Acc>(
        0, columns, Streamed{},
        [&store, i, sums = sums + i * B::most_columns](auto v) { store(i, v, v.load(sums)); });
  }
}

/// `rows` by `columns` in tiles of about one size, which depends on nothing else; at least `wanted`
/// where there are as many blocks of rows.
template <class Acc>
class Tiles {
 public:
  Tiles(int64_t rows, int64_t columns, int64_t wanted = 1) noexcept
      : rows_(rows),
        columns_(columns),
        across_(side(columns, Blocks<Acc>::most_columns, Blocks<Acc>::columns)),
        in_a_row_((columns + across_ - 1) / across_),
        down_(side(rows, std::min(Blocks<Acc>::most_rows, 1 + rows * in_a_row_ / wanted),
                   Blocks<Acc>::rows)) {}

  int64_t count() const noexcept { return (rows_ + down_ - 1) / down_ * in_a_row_; }

  /// How many lie side by side, and the sides of all but the last.
  int64_t across() const noexcept { return in_a_row_; }
  int64_t height() const noexcept { return down_; }
  int64_t width() const noexcept { return across_; }

  struct Tile {
    int64_t row, column, rows, columns;
  };

  Tile operator[](int64_t i) const noexcept {
    const int64_t row = i / in_a_row_ * down_, column = i % in_a_row_ * across_;
    return {row, column, std::min(down_, rows_ - row), std::min(across_, columns_ - column)};
  }

  /// How many tiles of `inner` terms are worth a thread of their own.
  int64_t of_a_thread(int64_t inner) const noexcept {
    return 1 + (int64_t{1} << 20) / (1 + down_ * across_ * inner);
  }

 private:
  static int64_t side(int64_t n, int64_t most, int64_t step) noexcept {
    const int64_t pieces = std::max(int64_t{1}, (n + most - 1) / most);
    const int64_t even = (n + pieces - 1) / pieces;
    return std::max(step, (even + step - 1) / step * step);
  }

  int64_t rows_, columns_, across_, in_a_row_, down_;
};

}  // namespace opgen
