// Rows of a table by index, and the gradient, which adds to them, on the CPU.
//
// Same input, same bits: each row of the gradient is summed by one thread, in the order of the
// indices.
#include "embedding.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "opgen/inverted_index.h"

namespace generated::cpu {

template <class I>
opgen::Status embedding(const EmbeddingView<I>& op) noexcept {
  const int64_t entries = op.desc.s;
  const int64_t rows = op.desc.rows;
  const int64_t padding = op.desc.padding;
  const int64_t size = op.desc.d * opgen::size_of(op.y.dtype);  // bytes of a row
  const auto* weight = static_cast<const char*>(op.weight.data);  // rows size
  const I* indices = op.indices.data;                             // entries
  auto* y = static_cast<char*>(op.y.data);                        // entries size
  std::atomic<bool> legal{true};

  opgen::parallel(op.ctx, entries, 1 + 65536 / (size + 1), [=, &legal](int64_t begin, int64_t end) {
    for (int64_t entry = begin; entry < end; ++entry) {
      const int64_t row = indices[entry];
      char* out = y + entry * size;
      if (row == padding) {
        std::memset(out, 0, size);
      } else if (row >= 0 && row < rows) {
        std::memcpy(out, weight + row * size, size);
      } else {
        legal.store(false, std::memory_order_relaxed);
      }
    }
  });
  return legal.load(std::memory_order_relaxed) ? opgen::Status::ok : opgen::Status::out_of_range;
}

template <class T, class I>
opgen::Status embedding_bwd(const EmbeddingBwdView<T, I>& op) noexcept {
  using Acc = typename EmbeddingBwdView<T, I>::Acc;
  const int64_t entries = op.desc.s;
  const int64_t rows = op.desc.rows;
  const int64_t columns = op.desc.d;
  const int64_t padding = op.desc.padding;
  const T* dy = op.dy.data;            // entries columns
  const I* indices = op.indices.data;  // entries
  Acc* dweight = op.dweight.data;      // rows columns

  opgen::InvertedIndex index(rows, op.ends.data, op.order.data);
  const bool legal = index.sort(entries, [=](int64_t entry) {
    const int64_t row = indices[entry];
    return row == padding ? -1 : row < 0 ? rows : row;
  });
  if (!legal) return opgen::Status::out_of_range;

  const auto before = [&](int64_t row) { return index.begin(row); };
  opgen::parallel_rows(op.ctx, rows, 1 + 16384 / (columns + 1), before, [=](int64_t row) {
    Acc* sum = dweight + row * columns;
    int64_t place = index.begin(row);
    const int64_t end = index.end(row);
    if (place == end) {
      std::memset(sum, 0, columns * sizeof(Acc));
      return;
    }
    const T* first = dy + index[place] * columns;
#pragma omp simd
    for (int64_t j = 0; j < columns; ++j) sum[j] = static_cast<Acc>(first[j]);
    for (++place; place < end; ++place) {
      const T* next = dy + index[place] * columns;
#pragma omp simd
      for (int64_t j = 0; j < columns; ++j) sum[j] += static_cast<Acc>(next[j]);
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
