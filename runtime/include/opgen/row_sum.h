// Sums of rows at arbitrary addresses, for lookups and their gradients on the CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/inverted_index.h"
#include "opgen/vector.h"

namespace opgen {

/// The number of rows to prefetch ahead, for rows of this many bytes. A processor cannot predict
/// which row comes next.
inline int64_t rows_ahead(int64_t bytes) noexcept { return 1 + 4096 / (bytes + 1); }

/// The sums of some columns over rows, kept in the first-level cache. Terms are added in the order
/// of the calls.
template <class Acc>
class RowSum {
 public:
  static constexpr int64_t most = 1024;  // the largest number of columns

  explicit RowSum(int64_t columns) noexcept : columns_(columns) {
    std::fill(sums_, sums_ + columns, Acc(0));
  }

  /// Adds the vectors that `term(Lanes)` returns.
  template <class Term>
  void add(Term&& term) noexcept {
    each_vector<Acc>(0, columns_, Streamed{},
                     [&](auto v) { v.store(sums_, v.load(sums_) + term(v)); });
  }

  /// Writes the sums divided by `divisor`.
  template <class T>
  void store(T* row, Acc divisor, const Streaming& streaming) const noexcept {
    each_vector<Acc>(0, columns_, streaming.to(lanes<Acc>, row), [&](auto v) {
      const auto sum = v.load(sums_);
      v.stream(row, divisor == 1 ? sum : sum / divisor);
    });
  }

 private:
  int64_t columns_;
  alignas(64) Acc sums_[most];
};

/// Calls `body(from, count)` for pieces of a row. Each piece has at most the columns of a `RowSum`.
template <class Acc, class Body>
void each_piece(int64_t columns, Body&& body) noexcept {
  for (int64_t from = 0; from < columns; from += RowSum<Acc>::most) {
    body(from, std::min(RowSum<Acc>::most, columns - from));
  }
}

/// Writes a table of rows, in parallel. `body(row, first, last, streaming)` writes a row that
/// entries name, which are at the positions [first, last) of the index. All other rows become 0.
template <class Acc, class T, class Index, class Body>
void write_table(const Context& ctx, const Index& index, int64_t rows, int64_t columns, T* table,
                 Body&& body) noexcept {
  const auto before = [&](int64_t row) { return index.before(row); };
  parallel_rows(ctx, rows, 1 + 16384 / (columns + 1), before, [&](int64_t begin, int64_t end) {
    const Streaming streaming(rows * columns * static_cast<int64_t>(sizeof(T)));
    int64_t place = index.before(begin);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t named = place < index.count() ? std::min(index.row(place), end) : end;
      T* const gap = table + row * columns;
      const auto streamed = streaming.to(lanes<Acc>, gap);
      each_vector<Acc>(0, (named - row) * columns, streamed,
                       [=](auto v) { v.stream(gap, Vector<Acc>{}); });
      row = named;
      if (row == end) return;
      const int64_t first = place;
      while (place < index.count() && index.row(place) == row) ++place;
      body(row, first, place, streaming);
    }
  });
}

}  // namespace opgen
