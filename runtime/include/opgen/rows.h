// Functions that divide elements and rows among threads, for CPU kernels. The pieces do not depend
// on the number of threads, so the bits of a result do not depend on it either.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "opgen/context.h"
#include "opgen/kernel.h"
#include "opgen/vector.h"

namespace opgen {

/// The number of elements for which a separate thread is worthwhile.
inline constexpr int64_t elements_of_a_thread = 32768;

/// The number of rows with this many columns for which a separate thread is worthwhile.
inline int64_t rows_of_a_thread(int64_t columns) noexcept {
  return 1 + elements_of_a_thread / (columns + 1);
}

/// The same number for kernels that compute an exponential of each element, which takes longer.
inline int64_t exponential_rows_of_a_thread(int64_t columns) noexcept {
  return 1 + elements_of_a_thread / 2 / (columns + 1);
}

/// 1 / sqrt(mean + eps), rounded once, because its error affects all elements of a row.
template <class Acc>
inline Acc inverse_root(Acc mean, double eps) noexcept {
  return static_cast<Acc>(1 / std::sqrt(static_cast<double>(mean) + eps));
}

/// Returns row `row` of a tensor. The last dim is contiguous; all other dims may have any strides.
template <class T>
inline T* row_of(const Tensor<T>& tensor, int64_t row) noexcept {
  T* found = tensor.data;
  for (int32_t dim = tensor.rank - 2; dim >= 0; --dim) {
    found += row % tensor.size(dim) * tensor.stride(dim);
    row /= tensor.size(dim);
  }
  return found;
}

/// y[i] = function(v) for all elements, where `v` is the `Lanes` of some neighbours.
template <class Acc, class T, class Function>
void elementwise(const Context& ctx, T* y, int64_t n, Function&& function) noexcept {
  constexpr int64_t piece = 4096;
  constexpr int64_t grain = elements_of_a_thread / piece;
  parallel(ctx, (n + piece - 1) / piece, grain, [=](int64_t begin, int64_t end) {
    const Streaming streaming(n * static_cast<int64_t>(sizeof(T)));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * piece;
      const int64_t last = std::min(n, first + piece);
      const auto streamed = streaming.to(lanes<Acc>, y + first);
      each_vector<Acc>(first, last, streamed, [=](auto v) { v.stream(y, function(v)); });
    }
  });
}

/// Divides rows into at most `most` blocks of equal height, for kernels that sum over rows. A
/// thread computes whole blocks. Each block has `parts()` rows of partial sums.
struct RowBlocks {
  static constexpr int64_t span = 32;  // rows over which a plain sum is accurate enough
  static constexpr int64_t few = 8;    // the smallest height of a block

  int64_t rows, height, count;
  int64_t of_a_thread;  // blocks for which a separate thread is worthwhile

  RowBlocks(int64_t rows, int64_t columns, int64_t most) noexcept
      : rows(rows),
        height(std::max((rows + most - 1) / most, few)),
        count((rows + height - 1) / height),
        of_a_thread(std::max<int64_t>(rows_of_a_thread(columns) / height, 1)) {}

  int64_t begin(int64_t block) const noexcept { return block * height; }
  int64_t end(int64_t block) const noexcept { return std::min(rows, (block + 1) * height); }

  /// 3 if a block has more than `span` rows, and otherwise 1.
  int64_t parts() const noexcept { return std::min(height, rows) > span ? 3 : 1; }
};

/// A block's sums by column, in the block's rows of `parts`. If `parts` is null, there are no sums.
/// Terms are added to `recent()`. In a block of many rows, the sums of each `span` rows are then
/// added to a second row of sums, and the rounding errors of these additions to a third row (Knuth,
/// The Art of Computer Programming 2, 4.2.2, theorem B).
template <class Part>
class ColumnSums {
 public:
  ColumnSums(Part* parts, const RowBlocks& blocks, int64_t block, int64_t columns) noexcept
      : columns_(columns), moves_(parts != nullptr && blocks.parts() > 1) {
    if (parts == nullptr) return;
    recent_ = parts + block * blocks.parts() * columns;
    std::fill(recent_, recent_ + blocks.parts() * columns, Part(0));
  }

  Part* recent() const noexcept { return recent_; }

  /// Must be called after all terms of a row have been added.
  void end_row() noexcept {
    if (moves_ && ++rows_ % RowBlocks::span == 0) move();
  }

 private:
  void move() noexcept {
    Part* const recent = recent_;
    Part* const sums = recent + columns_;
    Part* const lost = sums + columns_;
    each_vector<Part>(0, columns_, Streamed{}, [=](auto v) {
      const Vector<Part> before = v.load(sums), more = v.load(recent), sum = before + more;
      const Vector<Part> added = sum - before;
      const Vector<Part> rest = (before - (sum - added)) + (more - added);
      v.store(sums, sum);
      v.store(lost, sum - sum == 0 ? v.load(lost) + rest : v.load(lost));  // no rest for infinity
      v.store(recent, Vector<Part>{});
    });
  }

  int64_t columns_;
  bool moves_;
  Part* recent_ = nullptr;
  int64_t rows_ = 0;
};

/// sums[j] = parts[0, j] + ... + parts[count - 1, j], added in this order in f64, for each column.
template <class Part, class Sum>
void add_parts(const Context& ctx, int64_t count, int64_t columns, const Part* parts,
               Sum* sums) noexcept {
  constexpr int64_t piece = 1024;
  parallel(ctx, (columns + piece - 1) / piece, 8, [=](int64_t begin, int64_t end) {
    const int64_t last = std::min(columns, end * piece);
    each_vector<double>(begin * piece, last, Streamed{}, [=](auto v) {
      Vector<double> total = {};
      for (int64_t part = 0; part < count; ++part) total += v.load(parts + part * columns);
      v.store(sums, total);
    });
  });
}

}  // namespace opgen
