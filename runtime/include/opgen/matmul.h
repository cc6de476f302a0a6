// Products of matrices on the CPU, for kernels that multiply.
//
// One thread computes each tile of the result. The sums over the inner dim have a fixed order, so
// the bits do not depend on the number of threads. Numbers of 16 bits are widened when they are
// packed for a tile, and multiplied as floats. If both factors are bf16 and this is faster, they
// are multiplied as pairs of bf16 (`opgen/pairs.h`, `opgen/amx.h`). With AMX, products of f32 and
// bf16 also use pairs.
//
// Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "opgen/pairs.h"
#include "opgen/rows.h"

namespace opgen {

/// The number of rows and columns that are computed in registers, and the largest size of a tile.
template <class Acc>
struct Blocks {
#if defined(__AVX512F__)
  static constexpr int64_t rows = 8;
#elif defined(__AVX2__)
  static constexpr int64_t rows = 6;
#else
  static constexpr int64_t rows = 4;
#endif
  static constexpr int64_t columns = 2 * lanes<Acc>;  // the width of a panel
  static constexpr int64_t inner = 1024 / sizeof(Acc);
  static constexpr int64_t most_rows = 192;
  static constexpr int64_t most_columns = 1024 / sizeof(Acc);
};

/// A matrix with any strides: element (i, j) is `data[i * row + j * column]`.
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

/// A vector with `value` in every lane. It takes one instruction, unlike a sum of zeros and
/// `value`.
template <class Acc>
inline Vector<Acc> broadcast(Acc value) noexcept {
  return broadcast<Acc>(value, std::make_index_sequence<lanes<Acc>>());
}

/// The number of terms that are added one after the other. Then the sums of such runs are added,
/// which loses fewer digits than one long sum.
constexpr int64_t most_in_a_row = 128;

/// The packed form of a product's factors, here numbers. Each number belongs to one term.
template <class Acc, class Element>
struct Factors {
  static constexpr int64_t terms = 1;
  using Lanes = Vector<Acc>;

  static Lanes broadcast(const Element* number) noexcept { return detail::broadcast<Acc>(*number); }
  static Vector<Acc> add_product(Lanes left, Lanes right, Vector<Acc> sum) noexcept {
    return multiply_add<Acc>(left, right, sum);
  }
};

#if defined(__AVX512BW__)
template <int64_t count, class Element>
struct FactorsInPairs {
  static constexpr int64_t terms = count;
  using Lanes = Vector<uint32_t>;

  static Lanes broadcast(const Element* pair) noexcept {
    uint32_t bits;
    std::memcpy(&bits, pair, sizeof bits);
    return detail::broadcast<uint32_t>(bits);
  }
  static Vector<float> add_product(Lanes left, Lanes right, Vector<float> sum) noexcept {
    return add_products(left, right, sum);
  }
};

template <>
struct Factors<float, Pair> : FactorsInPairs<2, Pair> {};
template <>
struct Factors<float, Split> : FactorsInPairs<1, Split> {};
#endif

/// Stores sums in c, or adds them to c if `add` is true.
template <class Acc>
struct Sums {
  Acc* c;
  int64_t c_row;
  bool add;

  /// The sums of the rows from `rows` on.
  Sums below(int64_t rows) const noexcept { return {c + rows * c_row, c_row, add}; }

  /// The number of terms to sum before the sums are stored. `left` is the number of remaining
  /// terms.
  int64_t together(int64_t left) const noexcept { return std::min(left, most_in_a_row); }

  void take(int64_t row, int64_t column, Vector<Acc> sum) const noexcept {
    if (add) sum += Lanes<Acc, true>{column}.load(c + row * c_row);
    Lanes<Acc, true>{column}.store(c + row * c_row, sum);
  }

  void next() noexcept { add = true; }
};

/// Passes the rows [0, rows) of a b to `sums`. The product has the columns of one panel, and the
/// inner dim has `count` elements.
template <class Acc, int64_t rows, class Element, class Sums>
__attribute__((noinline)) void multiply_rows(int64_t count, Matrix<Element> a, Matrix<Element> b,
                                             Sums to) noexcept {
  using Factors = detail::Factors<Acc, Element>;
  constexpr int64_t width = lanes<Acc>, vectors = Blocks<Acc>::columns / width;
  do {
    const int64_t together = to.together(count * Factors::terms) / Factors::terms;
    Vector<Acc> sums[rows][vectors] = {};
    for (int64_t k = 0; k < together; ++k) {
      typename Factors::Lanes right[vectors];
#pragma GCC unroll 2
      for (int64_t v = 0; v < vectors; ++v)
        std::memcpy(&right[v], b.data + v * width, sizeof right[v]);
#pragma GCC unroll 16
      for (int64_t i = 0; i < rows; ++i) {
        const auto left = Factors::broadcast(a.data + i * a.row);
#pragma GCC unroll 2
        for (int64_t v = 0; v < vectors; ++v) {
          sums[i][v] = Factors::add_product(left, right[v], sums[i][v]);
        }
      }
      a.data += a.column;
      b.data += b.row;
    }
#pragma GCC unroll 16
    for (int64_t i = 0; i < rows; ++i) {
#pragma GCC unroll 2
      for (int64_t v = 0; v < vectors; ++v) {
        to.take(i, v * width, sums[i][v]);
      }
    }
    count -= together;
    to.next();
  } while (count > 0);
}

/// Does the same for fewer rows than `rows`.
template <class Acc, int64_t rows, class Element, class Sums>
void multiply_last_rows(int64_t left, int64_t count, Matrix<Element> a, Matrix<Element> b,
                        Sums to) noexcept {
  if constexpr (rows > 1) {
    if (left < rows) return multiply_last_rows<Acc, rows - 1>(left, count, a, b, to);
  }
  multiply_rows<Acc, rows>(count, a, b, to);
}

/// Passes all `rows` rows of a b to `sums`, in blocks that are computed in registers. Calls
/// `between(row)` after each block.
template <class Acc, class Element, class Sums, class Between>
void multiply_all_rows(int64_t rows, int64_t count, Matrix<Element> a, Matrix<Element> b, Sums to,
                       const Between& between) noexcept {
  constexpr int64_t step = Blocks<Acc>::rows;
  int64_t i = 0;
  for (; i + step <= rows; i += step) {
    multiply_rows<Acc, step>(count, a, b, to.below(i));
    a.data += step * a.row;
    between(i + step);
  }
  if (i < rows) multiply_last_rows<Acc, step - 1>(rows - i, count, a, b, to.below(i));
}

struct Nothing {
  void operator()(int64_t) const noexcept {}
};

/// Prefetches a part of `runs` runs of `run` bytes, which are `stride` bytes apart: the fraction
/// from begin / all to end / all.
inline void prefetch_runs(const void* from, int64_t runs, int64_t run, int64_t stride,
                          int64_t begin, int64_t end, int64_t all) noexcept {
  constexpr int64_t line = 64, level_2 = 2;
  const int64_t lines = (run + line - 1) / line, whole = runs * lines;
  const int64_t last = whole * end / all;
  int64_t at = whole * begin / all;
  for (int64_t i = at / lines; at < last; ++i) {
    const int64_t until = std::min(last, (i + 1) * lines);
    for (int64_t j = at - i * lines; at < until; ++at, ++j) {
      __builtin_prefetch(static_cast<const char*>(from) + i * stride + j * line, 0, level_2);
    }
  }
  asm volatile("");  // or GCC leaves out calls of what only prefetches
}

template <size_t step, class V, size_t... lane>
inline void exchange(V& a, V& b, std::index_sequence<lane...>) noexcept {
  constexpr size_t width = sizeof...(lane);
  const V low = __builtin_shufflevector(a, b, (lane & step ? width + lane - step : lane)...);
  b = __builtin_shufflevector(a, b, (lane & step ? width + lane : lane + step)...);
  a = low;
}

/// Transposes a square of numbers, in which each vector is a row.
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

/// c += a b, or c = a b if `add` is false. `a` has `rows` rows of `count` elements. `b` is a panel
/// of `Blocks<Acc>::columns` columns with contiguous rows. `between(row)` may be called when all
/// rows before `row` are done.
template <class Acc, class Element, class Between = detail::Nothing>
void multiply_panel(int64_t rows, int64_t count, Matrix<Element> a, Matrix<Element> b, Acc* c,
                    int64_t c_row, bool add, const Between& between = {}) noexcept {
#if defined(OPGEN_HAS_AMX)
  if constexpr (!std::is_same_v<Element, Acc>) {
    if (a.column == 1 && amx_is_there()) {
      return multiply_panel_in_amx(rows, count, &a.data->bits, a.row, &b.data->bits, b.row, c,
                                   c_row, add);
    }
  }
#endif
  detail::multiply_all_rows<Acc>(rows, count, a, b, detail::Sums<Acc>{c, c_row, add}, between);
}

/// Copies `rows` by `columns` elements of a matrix to rows of `to_row` numbers. Sets the columns
/// from `columns` to `padded` to 0.
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

#if defined(__AVX512BW__)
/// Splits rows of f32 in place (see `Split` in opgen/pairs.h). Rows are `row` numbers apart.
inline void split_rows(int64_t rows, int64_t columns, Split* at, int64_t row) noexcept {
  for (int64_t i = 0; i < rows; ++i) {
    each_vector<float>(0, columns, Streamed{},
                       [numbers = reinterpret_cast<float*>(at + i * row)](auto v) {
      v.store(numbers, detail::cast_bits<Vector<float>>(Split::of(v.load(numbers))));
    });
  }
}

/// Copies `rows` by `columns` elements of a matrix of f32 like `lay_rows`, with each number split.
inline void lay_split(Matrix<float> from, int64_t rows, int64_t columns, int64_t padded, Split* to,
                      int64_t to_row) noexcept {
  lay_rows<float>(from, rows, columns, padded, reinterpret_cast<float*>(to), to_row);
  split_rows(rows, padded, to, to_row);
}

/// Does the same for a matrix of bf16, with each number stored twice.
inline void lay_split(Matrix<bf16> from, int64_t rows, int64_t columns, int64_t padded, Split* to,
                      int64_t to_row) noexcept {
  lay_rows<float>(from, rows, columns, padded, reinterpret_cast<float*>(to), to_row);
  for (int64_t i = 0; i < rows; ++i) {
    each_vector<float>(0, padded, Streamed{},
                       [numbers = reinterpret_cast<float*>(to + i * to_row)](auto v) {
      v.store(numbers, detail::cast_bits<Vector<float>>(twice(v.load(numbers))));
    });
  }
}

/// Copies `rows` rows of `count` terms as pairs, to rows of `to_row` pairs.
inline void lay_pairs_of_rows(Matrix<bf16> from, int64_t rows, int64_t count, Pair* to,
                              int64_t to_row) noexcept {
  const int64_t pairs = (count + 1) / 2;
  if (from.column == 1) {
    for (int64_t i = 0; i < rows; ++i) {
      to[i * to_row + pairs - 1] = {};
      const bf16* const row = from.at(i, 0);
      int64_t k = 0;
      for (; k + 32 <= count; k += 32) std::memcpy(to + i * to_row + k / 2, row + k, 64);
      std::memcpy(to + i * to_row + k / 2, row + k, static_cast<size_t>(count - k) * sizeof(bf16));
    }
    return;
  }
  if (from.row == 1) {
    constexpr int64_t width = lanes<uint32_t>;
    for (int64_t i = 0; i < rows; i += width) {
      const int64_t down = std::min(width, rows - i);
      for (int64_t p = 0; p < pairs; p += width) {
        const int64_t across = std::min(width, pairs - p);
        Vector<uint32_t> square[width] = {};
        for (int64_t c = 0; c < across; ++c) {
          const int64_t k = 2 * (p + c);
          if (down == width && k + 1 < count) {
            square[c] = detail::pair_up_16(from.at(i, k), from.at(i, k + 1));
            continue;
          }
          const auto low = detail::load_halves(from.at(i, k), down);
          const auto high =
              k + 1 < count ? detail::load_halves(from.at(i, k + 1), down) : detail::Halves{};
          Vector<uint32_t> pair[2];
          detail::pair_up(low, high, pair);
          square[c] = pair[0];
        }
        detail::turn<uint32_t>(square);
        if (across == width) {
          for (int64_t r = 0; r < down; ++r) {
            std::memcpy(to + (i + r) * to_row + p, &square[r], sizeof square[r]);
          }
        } else {
          for (int64_t r = 0; r < down; ++r) {
            std::memcpy(to + (i + r) * to_row + p, &square[r],
                        static_cast<size_t>(across) * sizeof(Pair));
          }
        }
      }
    }
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t p = 0; p < pairs; ++p) {
      const uint32_t low = from.at(i, 2 * p)->bits;
      const uint32_t high = 2 * p + 1 < count ? from.at(i, 2 * p + 1)->bits : 0;
      to[i * to_row + p] = {high << 16 | low};
    }
  }
}

/// Copies `count` terms of `columns` columns as pairs, to rows of a panel. The panel has zeros
/// after `columns`.
inline void lay_pairs_of_columns(Matrix<bf16> from, int64_t count, int64_t columns,
                                 Pair* panel) noexcept {
  constexpr int64_t across = Blocks<float>::columns, width = lanes<uint32_t>;
  const int64_t pairs = (count + 1) / 2;
  if (from.column == 1) return pair_rows(from.data, from.row, count, columns, panel);
  if (from.row == 1) {
    for (int64_t j = 0; j < across; j += width) {
      for (int64_t p = 0; p < pairs; p += width) {
        Vector<uint32_t> square[width] = {};
        for (int64_t c = 0; c < std::min(width, columns - j); ++c) {
          const auto halves = detail::load_halves(from.at(2 * p, j + c), count - 2 * p);
          std::memcpy(&square[c], &halves, sizeof halves);
        }
        detail::turn<uint32_t>(square);
        for (int64_t r = 0; r < std::min(width, pairs - p); ++r) {
          std::memcpy(panel + (p + r) * across + j, &square[r], sizeof square[r]);
        }
      }
    }
    return;
  }
  for (int64_t p = 0; p < pairs; ++p) {
    for (int64_t j = 0; j < across; ++j) {
      const bool inside = j < columns;
      const uint32_t low = inside ? from.at(2 * p, j)->bits : 0;
      const uint32_t high = inside && 2 * p + 1 < count ? from.at(2 * p + 1, j)->bits : 0;
      panel[p * across + j] = {high << 16 | low};
    }
  }
}
#endif

/// The left side of a tile, for `multiply_tile`: `rows` rows of a matrix.
template <class Acc, class T>
struct Rows {
  using Number = T;

  Matrix<T> from;
  int64_t rows;

  Matrix<Acc> operator()(int64_t first, int64_t count, Acc* scratch) const noexcept {
    const Matrix<T> part{from.at(0, first), from.row, from.column};
    if constexpr (std::is_same_v<T, Acc>) {
      if (part.column == 1) return part;
    }
    lay_rows<Acc>(part, rows, count, count, scratch, Blocks<Acc>::inner);
    return {scratch, Blocks<Acc>::inner, 1};
  }

  template <class P, class = if_paired<P, T>>
  Matrix<P> operator()(int64_t first, int64_t count, P* scratch) const noexcept {
    const Matrix<T> part{from.at(0, first), from.row, from.column};
    lay_pairs_of_rows(part, rows, count, scratch, Blocks<Acc>::inner);
    return {scratch, Blocks<Acc>::inner, 1};
  }

  template <class P, class = if_split<P, T>, class = void>
  Matrix<P> operator()(int64_t first, int64_t count, P* scratch) const noexcept {
    const Matrix<T> part{from.at(0, first), from.row, from.column};
    lay_split(part, rows, count, count, scratch, Blocks<Acc>::inner);
    return {scratch, Blocks<Acc>::inner, 1};
  }
};

template <class Acc, class T>
Rows<Acc, T> rows_of(Matrix<T> from, int64_t rows) noexcept {
  return {from, rows};
}

/// The right side of a tile of `rows` rows.
template <class Acc, class T>
struct Columns {
  using Number = T;

  Matrix<T> from;
  int64_t rows;

  Matrix<Acc> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                         Acc* panel) const noexcept {
    constexpr int64_t across = Blocks<Acc>::columns;
    const Matrix<T> part{from.at(first, column), from.row, from.column};
    if constexpr (std::is_same_v<T, Acc>) {
      // Packing is not worthwhile for a panel that is read only once or twice.
      if (part.column == 1 && columns == across && rows <= 2 * Blocks<Acc>::rows) return part;
    }
    lay_rows<Acc>(part, count, columns, across, panel, across);
    return {panel, across, 1};
  }

  template <class P, class = if_paired<P, T>>
  Matrix<P> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                       P* panel) const noexcept {
    const Matrix<T> part{from.at(first, column), from.row, from.column};
    lay_pairs_of_columns(part, count, columns, panel);
    return {panel, Blocks<Acc>::columns, 1};
  }

  template <class P, class = if_split<P, T>, class = void>
  Matrix<P> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                       P* panel) const noexcept {
    constexpr int64_t across = Blocks<Acc>::columns;
    const Matrix<T> part{from.at(first, column), from.row, from.column};
    lay_split(part, count, columns, across, panel, across);
    return {panel, across, 1};
  }

  /// Prefetches a part of the matrix from which a panel is packed: the fraction from begin / all to
  /// end / all.
  void prefetch(int64_t first, int64_t count, int64_t column, int64_t columns, int64_t begin,
                int64_t end, int64_t all) const noexcept {
    constexpr int64_t size = sizeof(T);
    const T* const data = from.at(first, column);
    if (from.column == 1) {
      detail::prefetch_runs(data, count, columns * size, from.row * size, begin, end, all);
    } else if (from.row == 1) {
      detail::prefetch_runs(data, columns, count * size, from.column * size, begin, end, all);
    }
  }
};

template <class Acc, class T>
Columns<Acc, T> columns_of(Matrix<T> from, int64_t rows) noexcept {
  return {from, rows};
}

namespace detail {

/// True if the right side of a tile can be prefetched.
template <class Right, class = void>
inline constexpr bool is_prefetched = false;
template <class Right>
inline constexpr bool is_prefetched<
    Right, std::void_t<decltype(std::declval<const Right&>().prefetch(0, 0, 0, 0, 0, 0, 0))>> =
    true;

template <class Element, class Acc, class Left, class Right>
void multiply_as(Acc* sums, int64_t rows, int64_t columns, int64_t inner, const Left& left,
                 const Right& right) noexcept {
  using B = Blocks<Acc>;
  constexpr int64_t terms = Factors<Acc, Element>::terms;
  alignas(64) Element scratch[B::most_rows * B::inner], panel[B::inner * B::columns];
  if (inner == 0) std::fill(sums, sums + rows * B::most_columns, Acc{0});
  for (int64_t first = 0; first < inner; first += terms * B::inner) {
    const int64_t count = std::min(terms * B::inner, inner - first);
    const Matrix<Element> a = left(first, count, scratch);
    for (int64_t column = 0; column < columns; column += B::columns) {
      const int64_t across = std::min(B::columns, columns - column);
      const Matrix<Element> b = right(first, count, column, across, panel);
      // Meanwhile the next panel is prefetched, a part after each block of rows.
      const bool last = column + across == columns;
      const int64_t next = last ? first + count : first, next_column = last ? 0 : column + across;
      const int64_t next_count = std::min(terms * B::inner, inner - next);
      const auto between = [&](int64_t row) {
        if constexpr (is_prefetched<Right>) {
          if (next_count == 0) return;
          right.prefetch(next, next_count, next_column, std::min(B::columns, columns - next_column),
                         row - B::rows, row, rows);
        }
      };
      multiply_panel<Acc>(rows, (count + terms - 1) / terms, a, b, sums + column, B::most_columns,
                          first > 0, between);
    }
  }
}

}  // namespace detail

/// The smallest number of terms for which f32 numbers are split. A split keeps 16 binary digits. In
/// a sum of this many terms, the loss is not more than the error that is allowed for f32.
inline constexpr int64_t least_split = 256;

/// True if one side of a tile has numbers of f32 and the other of bf16.
template <class Left, class Right, class = void>
inline constexpr bool is_mixed = false;
template <class Left, class Right>
inline constexpr bool is_mixed<Left, Right,
                               std::void_t<typename Left::Number, typename Right::Number>> =
    (std::is_same_v<typename Left::Number, float> &&
     std::is_same_v<typename Right::Number, bf16>) ||
    (std::is_same_v<typename Left::Number, bf16> && std::is_same_v<typename Right::Number, float>);

/// Computes one tile of a product with `inner` terms. The tile has `rows` by `columns` elements, at
/// most the sizes in `Blocks<Acc>`, in rows of `Blocks<Acc>::most_columns` numbers.
///
/// `left(first, count, scratch)` returns the left factor's rows, with `count` terms from `first`
/// on, in place or in `scratch`. `right(first, count, column, columns, panel)` returns the same
/// terms of a panel of the right factor, in place or in `panel`. The panel's rows are contiguous
/// and have zeros after `columns`. If both can also return pairs, `first` is even.
template <class Acc, class Left, class Right>
void multiply_to(Acc* sums, int64_t rows, int64_t columns, int64_t inner, const Left& left,
                 const Right& right) noexcept {
  if constexpr (has_pairs && std::is_invocable_v<Left, int64_t, int64_t, Pair*> &&
                std::is_invocable_v<Right, int64_t, int64_t, int64_t, int64_t, Pair*>) {
    if (pairs_are_fast()) {
      return detail::multiply_as<Pair>(sums, rows, columns, inner, left, right);
    }
  }
  if constexpr (has_pairs && is_mixed<Left, Right>) {
    if (inner >= least_split && amx_is_there()) {
      return detail::multiply_as<Split>(sums, rows, columns, inner, left, right);
    }
  }
  detail::multiply_as<Acc>(sums, rows, columns, inner, left, right);
}

/// Does the same, but passes the result to `store(i, v, values)`, for the lanes `v` of row i.
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

/// Divides a result of `rows` by `columns` into tiles of similar size. The size does not depend on
/// the number of threads. There are at least `wanted` tiles if there are enough blocks of rows.
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

  /// The number of tiles in a row of tiles, and the size of all tiles except the last ones.
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

  /// The number of tiles with `inner` terms for which a separate thread is worthwhile. To pack or
  /// store an element takes as long as `products` products.
  int64_t of_a_thread(int64_t inner) const noexcept {
    constexpr int64_t products = 32;
    const int64_t moved = across_ * (inner + down_);
    return 1 + products * elements_of_a_thread / (1 + down_ * across_ * inner + products * moved);
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
