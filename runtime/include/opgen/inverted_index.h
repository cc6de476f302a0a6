// An inverted index: for each row of a table, the entries of an index tensor that name this row.
// With this index, a scatter-add is deterministic and writes every row once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "opgen/context.h"

namespace opgen {

/// The entries 0 .. n-1, sorted by the row that they name. Entries of the same row keep their
/// order. The caller provides the memory.
///
/// If there are few entries compared with rows, they are sorted by comparison. Otherwise they are
/// sorted by counting, in two passes over the entries and one over the rows. Both run on one
/// thread.
template <class RowOf>
class InvertedIndex {
 public:
  /// Entry n names row `row_of(n)`, or no row if this is -1. `ends` has space for the rows, and
  /// `order` for the entries.
  InvertedIndex(int64_t rows, int64_t* ends, int64_t* order, RowOf row_of) noexcept
      : rows_(rows), ends_(ends), order_(order), row_of_(row_of) {}

  /// Returns the first entry whose row does not exist; nothing is sorted then. Returns `entries` if
  /// there is none.
  int64_t sort(int64_t entries) noexcept {
    by_comparing_ = entries < rows_ / 16;
    return by_comparing_ ? sort_by_comparing(entries) : sort_by_counting(entries);
  }

  /// The number of entries that name a row. The functions below use positions in the sorted order.
  int64_t count() const noexcept { return count_; }
  int64_t operator[](int64_t place) const noexcept { return order_[place]; }
  int64_t row(int64_t place) const noexcept { return row_of_(order_[place]); }

  /// Returns the number of entries that name a row before this one.
  int64_t before(int64_t row) const noexcept {
    if (row == 0) return 0;
    if (row == rows_) return count_;
    if (!by_comparing_) return ends_[row - 1];
    const auto less = [this](int64_t entry, int64_t row) { return row_of_(entry) < row; };
    return std::lower_bound(order_, order_ + count_, row, less) - order_;
  }

  /// Returns the entry `ahead` positions after `place`, or the last entry.
  int64_t after(int64_t place, int64_t ahead) const noexcept {
    return order_[std::min(place + ahead, count_ - 1)];
  }

 private:
  int64_t sort_by_comparing(int64_t entries) noexcept {
    count_ = 0;
    for (int64_t entry = 0; entry < entries; ++entry) {
      const int64_t row = row_of_(entry);
      if (row < -1 || row >= rows_) return entry;
      if (row >= 0) order_[count_++] = entry;
    }
    std::sort(order_, order_ + count_, [this](int64_t one, int64_t other) {
      const int64_t row = row_of_(one), others = row_of_(other);
      return row < others || (row == others && one < other);
    });
    return entries;
  }

  int64_t sort_by_counting(int64_t entries) noexcept {
    std::fill(ends_, ends_ + rows_, int64_t{0});
    for (int64_t entry = 0; entry < entries; ++entry) {
      const int64_t row = row_of_(entry);
      if (row < -1 || row >= rows_) return entry;
      if (row >= 0) ++ends_[row];
    }
    count_ = 0;
    for (int64_t row = 0; row < rows_; ++row) count_ += std::exchange(ends_[row], count_);
    // Each `ends_[row]` moves from the row's first entry to the position after its last entry.
    for (int64_t entry = 0; entry < entries; ++entry) {
      const int64_t row = row_of_(entry);
      if (row >= 0) order_[ends_[row]++] = entry;
    }
    return entries;
  }

  int64_t rows_;
  int64_t* ends_;
  int64_t* order_;
  RowOf row_of_;
  int64_t count_ = 0;
  bool by_comparing_ = false;
};

/// Calls `body(begin, end)` for ranges of rows, in parallel. `before(row)`, which never decreases,
/// is the number of entries in all rows before `row`. A range has at least `grain` rows and entries
/// together. So threads get equal work even if rows have different numbers of entries.
template <class Before, class Body>
void parallel_rows(const Context& ctx, int64_t rows, int64_t grain, Before&& before, Body&& body) {
  // The first row with at least `work` rows and entries before it.
  const auto row_at = [&](int64_t work) {
    int64_t low = 0, high = rows;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (middle + before(middle) < work) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const int64_t all = rows + before(rows);
  parallel(ctx, all, grain, [&](int64_t begin, int64_t end) {
    const int64_t first = row_at(begin), last = end == all ? rows : row_at(end);
    if (first < last) body(first, last);
  });
}

}  // namespace opgen
