// Lookups of rows of a table by index, and the gradient of the table, on the CPU.
//
// One thread sums each row of the gradient, in the order of the indices. So the same input gives
// the same bits.
#include "embedding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/row_sum.h"

namespace generated::cpu {

/// Copies a row of `size` bytes, and prefetches the row `soon`.
inline void copy_row(const char* from, const char* soon, int64_t size, char* to,
                     const opgen::Streaming& streaming) noexcept {
  constexpr int64_t line = 64;
  const opgen::Streamed streamed = streaming.to(line, to);
  if (!streamed.on) {
    for (int64_t at = 0; at < size; at += line) __builtin_prefetch(soon + at, 0, 2);
    std::memcpy(to, from, size);
    return;
  }
  int64_t at = std::min(streamed.head, size);
  std::memcpy(to, from, at);
  for (; at + line <= size; at += line) {
    __builtin_prefetch(soon + at, 0, 2);
    opgen::stream<line>(to + at, from + at);
  }
  std::memcpy(to + at, from + at, size - at);
}

/// Copies the rows of `table` (rows d) that the indices of `op` name to `y` (*s d). Row `padding`
/// gives zeros; -1 means that there is no such row.
template <class View>
opgen::Status rows_at(const View& op, const opgen::Buffer& table, int64_t padding,
                      const opgen::Buffer& y) noexcept {
  const int64_t entries = op.desc.s;
  const int64_t rows = op.desc.rows;
  const int64_t size = op.desc.d * opgen::size_of(y.dtype);  // bytes of a row
  const auto* from = static_cast<const char*>(table.data);   // rows size
  const auto* indices = op.indices.data;                     // entries
  auto* to = static_cast<char*>(y.data);                     // entries size
  const int64_t ahead = opgen::rows_ahead(size);
  opgen::FirstBad bad;

  opgen::parallel(op.ctx, entries, 1 + 65536 / (size + 1), [=, &bad](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(entries * size);
    for (int64_t entry = begin; entry < end; ++entry) {
      const int64_t row = indices[entry];
      char* out = to + entry * size;
      if (row < 0 || row >= rows) {
        bad.found(entry);
      } else if (row == padding) {
        std::memset(out, 0, size);
      } else {
        const int64_t next = indices[std::min(entry + ahead, end - 1)];
        const char* soon = from + (next >= 0 && next < rows ? next : row) * size;
        copy_row(from + row * size, soon, size, out, streaming);
      }
    }
  });
  if (!bad) return opgen::Status::ok;
  return op.ctx.bad_index("indices", op.indices, bad.at(), indices[bad.at()], 0, rows);
}

template <class I>
opgen::Status embedding(const EmbeddingView<I>& op) noexcept {
  return rows_at(op, op.weight, -1, op.y);
}

template <class I>
opgen::Status embedding_bwd_bwd(const EmbeddingBwdBwdView<I>& op) noexcept {
  return rows_at(op, op.ddweight, op.desc.padding, op.ddy);
}

/// Copies rows of a part of a table, which starts at row `first`. Rows of other parts give zeros.
template <class I>
opgen::Status embedding_rows(const EmbeddingRowsView<I>& op) noexcept {
  const int64_t entries = op.desc.s;
  const int64_t rows = op.desc.rows;
  const int64_t here = op.desc.n, first = *op.first.data;
  const int64_t size = op.desc.d * opgen::size_of(op.y.dtype);  // bytes of a row
  const auto* from = static_cast<const char*>(op.weight.data);  // here size
  const I* indices = op.indices.data;                           // entries
  auto* to = static_cast<char*>(op.y.data);                     // entries size
  const int64_t ahead = opgen::rows_ahead(size);
  opgen::FirstBad bad;

  opgen::parallel(op.ctx, entries, 1 + 65536 / (size + 1), [=, &bad](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(entries * size);
    for (int64_t entry = begin; entry < end; ++entry) {
      const int64_t row = indices[entry] - first;
      char* out = to + entry * size;
      if (indices[entry] < 0 || indices[entry] >= rows) {
        bad.found(entry);
      } else if (row < 0 || row >= here) {
        std::memset(out, 0, size);
      } else {
        const int64_t next = indices[std::min(entry + ahead, end - 1)] - first;
        const char* soon = from + (next >= 0 && next < here ? next : row) * size;
        copy_row(from + row * size, soon, size, out, streaming);
      }
    }
  });
  if (!bad) return opgen::Status::ok;
  return op.ctx.bad_index("indices", op.indices, bad.at(), indices[bad.at()], 0, rows);
}

namespace {

/// The common part of embedding_bwd and embedding_bwd_rows. `sum_rows` does not depend on either
/// view, so its loops are compiled once for both.
template <class T, class I>
struct Sums {
  const opgen::Context& ctx;
  int64_t entries, columns, padding;  // row `padding` gets no gradient; -1: no such row
  const T* dy;                        // entries columns
  const opgen::Tensor<const I>& indices;
  int64_t *ends, *order;
  T* dweight;  // rows columns

  template <class View>
  explicit Sums(const View& op) noexcept
      : ctx(op.ctx),
        entries(op.desc.s),
        columns(op.desc.d),
        padding(op.desc.padding),
        dy(op.dy.data),
        indices(op.indices),
        ends(op.ends.data),
        order(op.order.data),
        dweight(op.dweight.data) {}
};

/// Sums the entries of `op` for `rows` rows of the table from `begin` on. The table has `all` rows.
template <class T, class I>
opgen::Status sum_rows(const Sums<T, I>& op, int64_t rows, int64_t begin, int64_t all) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t entries = op.entries, columns = op.columns, padding = op.padding;
  const T* dy = op.dy;
  const I* indices = op.indices.data;
  T* dweight = op.dweight;

  opgen::InvertedIndex index(rows, op.ends, op.order, [=](int64_t entry) {
    const int64_t row = indices[entry];
    if (row < 0 || row >= all) return rows;
    return row == padding || row < begin || row - begin >= rows ? -1 : row - begin;
  });
  const int64_t bad = index.sort(entries);
  if (bad < entries) return op.ctx.bad_index("indices", op.indices, bad, indices[bad], 0, all);

  const int64_t ahead = opgen::rows_ahead(columns * sizeof(T));
  const auto sum_row = [&](int64_t row, int64_t first, int64_t last,
                           const opgen::Streaming& streaming) {
    opgen::each_piece<Acc>(columns, [&](int64_t from, int64_t count) {
      opgen::RowSum<Acc> sum(count);
      for (int64_t place = first; place < last; ++place) {
        const T* next = dy + index[place] * columns + from;
        const T* soon = dy + index.after(place, ahead) * columns + from;
        sum.add([=](auto v) {
          v.prefetch(soon);
          return v.load(next);
        });
      }
      sum.store(dweight + row * columns + from, 1, streaming);
    });
  };
  opgen::write_table<Acc>(op.ctx, index, rows, columns, dweight, sum_row);
  return opgen::Status::ok;
}

}  // namespace

template <class T, class I>
opgen::Status embedding_bwd(const EmbeddingBwdView<T, I>& op) noexcept {
  return sum_rows(Sums<T, I>(op), op.desc.rows, 0, op.desc.rows);
}

template <class T, class I>
opgen::Status embedding_bwd_rows(const EmbeddingBwdRowsView<T, I>& op) noexcept {
  return sum_rows(Sums<T, I>(op), op.desc.n, *op.first.data, op.desc.rows);
}

}  // namespace generated::cpu
