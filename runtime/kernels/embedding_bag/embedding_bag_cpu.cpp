// Rows of a table, pooled over bags of indices, and the gradient, on the CPU.
//
// One thread sums a bag, or a row of a gradient, in the order of the indices. So the same input
// gives the same bits. Sums are in Wide: f32 for 16-bit types.
#include "embedding_bag.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "opgen/row_sum.h"

namespace generated::cpu {

/// The values of `mode` in the descriptor.
enum class BagMode : int64_t { sum, mean, max };

/// The number of rows of `columns` elements for which a separate thread is worthwhile.
inline int64_t bag_grain(int64_t columns) { return 1 + 16384 / (columns + 1); }

/// True if the `count` elements of `tensor` are in [least, rows); reports the first that is not.
template <class I>
opgen::Status check_rows(const opgen::Context& ctx, const char* argument,
                         const opgen::Tensor<const I>& tensor, int64_t count, int64_t least,
                         int64_t rows) noexcept {
  const I* found = tensor.data;  // count
  bool legal = true;
  for (int64_t i = 0; i < count; ++i) legal &= found[i] >= least && found[i] < rows;
  if (legal) return opgen::Status::ok;
  const I* bad = std::find_if(found, found + count, [=](I i) { return i < least || i >= rows; });
  return ctx.bad_index(argument, tensor, bad - found, *bad, least, rows);
}

/// Checks that `offsets` ascend from 0 to n, and that all `indices` are below `rows`. Reports the
/// first wrong element.
template <class View>
opgen::Status check_indices(const View& op, int64_t bags, int64_t n, int64_t rows) noexcept {
  const auto* offsets = op.offsets.data;  // bags+1
  for (int64_t bag = 0; bag <= bags; ++bag) {
    const int64_t least = bag == bags ? n : bag == 0 ? 0 : offsets[bag - 1];
    const int64_t most = bag == 0 ? 0 : n;
    if (offsets[bag] >= least && offsets[bag] <= most) continue;
    return op.ctx.bad_index("offsets", op.offsets, bag, offsets[bag], least, most + 1);
  }
  return check_rows(op.ctx, "indices", op.indices, n, 0, rows);
}

/// Sums and scales the entries [begin, end) of one bag, and writes the columns of `y`.
template <class T, class I>
void pool_sum(const EmbeddingBagView<T, I>& op, int64_t begin, int64_t end, T* y,
              const opgen::Streaming& streaming) {
  using Wide = opgen::accum_t<T>;
  const int64_t columns = op.desc.d;
  const I* indices = op.indices.data;         // n
  const T* weights = op.sample_weights.data;  // n, or absent
  const bool mean = static_cast<BagMode>(op.desc.mode) == BagMode::mean;
  const Wide divisor = mean ? static_cast<Wide>(std::max<int64_t>(end - begin, 1)) : Wide(1);
  const int64_t ahead = opgen::rows_ahead(columns * sizeof(T)), last = op.desc.n - 1;
  opgen::each_piece<Wide>(columns, [&](int64_t from, int64_t count) {
    opgen::RowSum<Wide> sum(count);
    for (int64_t entry = begin; entry < end; ++entry) {
      const T* row = op.weight.data + indices[entry] * columns + from;
      const T* soon = op.weight.data + indices[std::min(entry + ahead, last)] * columns + from;
      const Wide scale = weights == nullptr ? Wide(1) : static_cast<Wide>(weights[entry]);
      sum.add([=](auto v) {
        v.prefetch(soon);
        return scale * v.load(row);
      });
    }
    sum.store(y + from, divisor, streaming);
  });
}

/// Finds the largest element of one bag in each column, and its row. Of equal elements, the first
/// is selected. A NaN counts as the largest. An empty bag gives 0 and row -1.
template <class T, class I>
void pool_max(const EmbeddingBagView<T, I>& op, int64_t begin, int64_t end, T* y, I* argmax) {
  using Wide = opgen::accum_t<T>;
  const int64_t columns = op.desc.d;
  if (begin == end) {
    std::fill(argmax, argmax + columns, I(-1));
    for (int64_t j = 0; j < columns; ++j) y[j] = Wide(0);
    return;
  }
  for (int64_t entry = begin; entry < end; ++entry) {
    const I index = op.indices.data[entry];
    const T* row = op.weight.data + index * columns;
#pragma omp simd
    for (int64_t j = 0; j < columns; ++j) {
      const Wide value = static_cast<Wide>(row[j]), best = static_cast<Wide>(y[j]);
      const bool better = entry == begin || value > best || (value != value && best == best);
      argmax[j] = better ? index : argmax[j];
      y[j] = better ? value : best;
    }
  }
}

template <class T, class I>
opgen::Status embedding_bag(const EmbeddingBagView<T, I>& op) noexcept {
  const int64_t bags = op.desc.b;
  const int64_t columns = op.desc.d;
  const I* offsets = op.offsets.data;  // bags+1
  const opgen::Status status = check_indices(op, bags, op.desc.n, op.desc.rows);
  if (status != opgen::Status::ok || op.y.numel() == 0) return status;
  const bool maximum = static_cast<BagMode>(op.desc.mode) == BagMode::max;
  const auto before = [=](int64_t bag) { return static_cast<int64_t>(offsets[bag]); };
  opgen::parallel_rows(op.ctx, bags, bag_grain(columns), before, [&](int64_t first, int64_t last) {
    const opgen::Streaming streaming(bags * columns * sizeof(T));
    for (int64_t bag = first; bag < last; ++bag) {
      T* y = op.y.data + bag * columns;  // columns
      if (maximum) {
        pool_max(op, offsets[bag], offsets[bag + 1], y, op.argmax.data + bag * columns);
      } else {
        pool_sum(op, offsets[bag], offsets[bag + 1], y, streaming);
      }
    }
  });
  return opgen::Status::ok;
}

/// Computes row `row` of dweight: the sum of `dy` for the entries that name this row, at positions
/// [first, end) of the index, each scaled as in the forward. With mode "max", an entry contributes
/// only in the columns for which the forward selected its row.
template <class T, class I, class Index>
void scatter_row(const EmbeddingBagBwdView<T, I>& op, const Index& index, int64_t row,
                 int64_t first, int64_t end, const opgen::Streaming& streaming) {
  using Wide = opgen::accum_t<T>;
  const int64_t columns = op.desc.d;
  const auto mode = static_cast<BagMode>(op.desc.mode);
  const T* weights = op.sample_weights.data;  // n, or absent
  const I* offsets = op.offsets.data;         // b+1
  const int64_t* bags = op.bags.data;         // n
  const int64_t ahead = opgen::rows_ahead(columns * sizeof(T));
  opgen::each_piece<Wide>(columns, [&](int64_t from, int64_t count) {
    opgen::RowSum<Wide> sum(count);
    int64_t last = -1;
    for (int64_t place = first; place < end; ++place) {
      const int64_t entry = index[place];
      const int64_t bag = bags[entry];
      const T* dy = op.dy.data + bag * columns + from;
      const T* soon = op.dy.data + bags[index.after(place, ahead)] * columns + from;
      if (mode == BagMode::max) {
        if (bag == last) continue;  // the bag has this row twice
        const I* argmax = op.argmax.data + bag * columns + from;
        sum.add([=](auto v) {
          auto value = v.load(dy);
          for (int64_t i = 0; i < v.count; ++i) {
            value[i] = argmax[v.at + i] == row ? value[i] : Wide(0);
          }
          return value;
        });
      } else {
        Wide scale = weights == nullptr ? Wide(1) : static_cast<Wide>(weights[entry]);
        if (mode == BagMode::mean) scale /= static_cast<Wide>(offsets[bag + 1] - offsets[bag]);
        sum.add([=](auto v) {
          v.prefetch(soon);
          return scale * v.load(dy);
        });
      }
      last = bag;
    }
    sum.store(op.dweight.data + row * columns + from, 1, streaming);
  });
}

template <class T, class I>
opgen::Status embedding_bag_bwd(const EmbeddingBagBwdView<T, I>& op) noexcept {
  using Wide = opgen::accum_t<T>;
  const int64_t bags = op.desc.b;
  const int64_t columns = op.desc.d;
  const int64_t entries = op.desc.n;
  const int64_t rows = op.desc.rows;
  const I* offsets = op.offsets.data;  // bags+1
  const I* indices = op.indices.data;  // entries
  opgen::Status status = check_indices(op, bags, entries, rows);
  if (status == opgen::Status::ok && op.argmax.present()) {
    status = check_rows(op.ctx, "argmax", op.argmax, bags * columns, -1, rows);
  }
  if (status != opgen::Status::ok) return status;
  if (op.dweight.present()) {
    for (int64_t bag = 0; bag < bags; ++bag) {
      std::fill(op.bags.data + offsets[bag], op.bags.data + offsets[bag + 1], bag);
    }
    const auto row_of = [=](int64_t entry) { return static_cast<int64_t>(indices[entry]); };
    opgen::InvertedIndex index(rows, op.ends.data, op.order.data, row_of);
    index.sort(entries);
    opgen::write_table<Wide>(op.ctx, index, rows, columns, op.dweight.data,
                             [&](auto&&... row) { scatter_row(op, index, row...); });
  }
  if (op.dsample_weights.present()) {
    const auto before = [=](int64_t bag) { return static_cast<int64_t>(offsets[bag]); };
    opgen::parallel_rows(op.ctx, bags, bag_grain(columns), before, [&](int64_t begin, int64_t end) {
      for (int64_t bag = begin; bag < end; ++bag) {
        const T* dy = op.dy.data + bag * columns;  // columns
        for (int64_t entry = offsets[bag]; entry < offsets[bag + 1]; ++entry) {
          const T* row = op.weight.data + indices[entry] * columns;  // columns
          op.dsample_weights.data[entry] =
              opgen::sum<Wide>(columns, [=](auto v) { return v.load(dy) * v.load(row); });
        }
      }
    });
  }
  return opgen::Status::ok;
}

}  // namespace generated::cpu
