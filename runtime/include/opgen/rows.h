// How CPU kernels share elements and rows among threads: always in pieces that do not depend on how
// many threads there are, so that neither do the bits of a result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/context.h"
#include "opgen/kernel.h"
#include "opgen/vector.h"

namespace opgen {

/// The elements that are worth a thread of their own.
inline constexpr int64_t elements_of_a_thread = 32768;

/// The rows of so many columns that are worth a thread of their own.
inline int64_t rows_of_a_thread(int64_t columns) noexcept {
  return 1 + elements_of_a_thread / (columns + 1);
}

/// Row `row` of a tensor of rows whose last dim is contiguous, and whose others lie anyhow.
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

/// Rows cut into blocks of equal height, at most `most` of them: what a kernel that sums over rows
/// gives to threads. Each block has a row of partial sums to itself.
struct RowBlocks {
  int64_t rows, height, count;

  RowBlocks(int64_t rows, int64_t columns, int64_t most) noexcept
      : rows(rows),
        height(std::max((rows + most - 1) / most, rows_of_a_thread(columns))),
        count((rows + height - 1) / height) {}

  int64_t begin(int64_t block) const noexcept { return block * height; }
  int64_t end(int64_t block) const noexcept { return std::min(rows, (block + 1) * height); }
};

/// sums[j] = parts[0, j] + ... + parts[count - 1, j], added in this order, for each column.
template <class Wide, class Part, class Sum>
void add_parts(const Context& ctx, int64_t count, int64_t columns, const Part* parts,
               Sum* sums) noexcept {
  constexpr int64_t piece = 1024;
  parallel(ctx, (columns + piece - 1) / piece, 8, [=](int64_t begin, int64_t end) {
    const int64_t last = std::min(columns, end * piece);
    each_vector<Wide>(begin * piece, last, Streamed{}, [=](auto v) {
      Vector<Wide> total = {};
      for (int64_t block = 0; block < count; ++block) total += v.load(parts + block * columns);
      v.store(sums, total);
    });
  });
}

}  // namespace opgen
