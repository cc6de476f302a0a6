// Which entries of an index tensor name each row of a table: what a scatter that adds needs to be
// deterministic, and to write every row once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "opgen/context.h"

namespace opgen {

/// The entries 0 .. n-1 by the row that they name, those of one row in their order.
///
/// A counting sort in memory that the caller lends: it takes two passes over the entries and one
/// over the rows, on one thread.
class InvertedIndex {
 public:
  /// `ends`: rows; `order`: n.
  InvertedIndex(int64_t rows, int64_t* ends, int64_t* order) noexcept
      : rows_(rows), ends_(ends), order_(order) {}

  /// Sorts the entries by `row_of(entry)`, leaving out those for which it gives -1. False: one of
  /// the rows is not there, and nothing has been sorted.
  template <class RowOf>
  bool sort(int64_t entries, RowOf&& row_of) noexcept {
    std::fill(ends_, ends_ + rows_, int64_t{0});
    bool legal = true;
    for (int64_t entry = 0; entry < entries; ++entry) {
      const int64_t row = row_of(entry);
      if (row >= 0 && row < rows_) {
        ++ends_[row];
      } else {
        legal = legal && row == -1;
      }
    }
    if (!legal) return false;
    int64_t begin = 0;
    for (int64_t row = 0; row < rows_; ++row) begin += std::exchange(ends_[row], begin);
    // Each `ends_[row]` moves from the row's first entry to behind its last one.
    for (int64_t entry = 0; entry < entries; ++entry) {
      const int64_t row = row_of(entry);
      if (row >= 0) order_[ends_[row]++] = entry;
    }
    return true;
  }

  /// The entries of a row, as places in the order.
  int64_t begin(int64_t row) const noexcept { return row == 0 ? 0 : ends_[row - 1]; }
  int64_t end(int64_t row) const noexcept { return ends_[row]; }
  int64_t operator[](int64_t place) const noexcept { return order_[place]; }

  /// The entry that stands `ahead` places later, or the last one.
  int64_t after(int64_t place, int64_t ahead) const noexcept {
    return order_[std::min(place + ahead, ends_[rows_ - 1] - 1)];
  }

 private:
  int64_t rows_;
  int64_t* ends_;
  int64_t* order_;
};

/// Calls `body(begin, end)` for ranges of rows, in parallel: `before(row)`, which does not fall, says
/// how many entries come before a row, and `before(rows)` how many there are. A range holds `grain`
/// rows and entries or more, so that threads get the same work where rows have different numbers of
/// them.
template <class Before, class Body>
void parallel_rows(const Context& ctx, int64_t rows, int64_t grain, Before&& before,
                   Body&& body) {
  // The first row before which stand at least `work` rows and entries.
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
