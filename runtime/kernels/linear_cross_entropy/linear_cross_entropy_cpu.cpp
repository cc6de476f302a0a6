// Softmax cross-entropy of a product of matrices, and its gradient, on the CPU.
//
// With z = hidden weight^T, top = max(z), log_sum = log(sum(exp(z - top))) and label y of a row:
//   loss = log_sum + top - z[y],  dz = dloss (exp(z - top - log_sum) - [at y]),
//   dhidden = dz weight,  dweight = dz^T hidden.
// top and log_sum are separate numbers. If logits are large, their sum would lose digits, and dz
// would not sum to 0. The forward computes one tile of z at a time, in the caches, and keeps a
// maximum and a sum for each row (Milakov and Gimelshein, Online Normalizer Calculation for
// Softmax, 2018). The backward has dz in memory for some classes at a time. The kernel computes in
// Acc, and divides the work in a way that does not depend on the number of threads.
#include "linear_cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "opgen/matmul.h"

namespace generated::cpu {
namespace {

/// The values of `reduction` in the descriptor.
enum class Reduced : int64_t { none, mean, sum };

constexpr int64_t most_parts = 16;  // parts of the classes in the forward

/// The first row whose label is neither ignored nor one of `classes`; the number of rows if none
/// is.
template <class View>
int64_t first_bad_label(const View& op, int64_t classes) noexcept {
  const auto* labels = op.labels.data;  // rows
  const int64_t rows = op.labels.numel();
  int64_t row = 0;
  while (row < rows &&
         (labels[row] == op.desc.ignore_index || (labels[row] >= 0 && labels[row] < classes))) {
    ++row;
  }
  return row;
}

/// For each of some rows: the largest logit so far, the sum of exp(z - top), and the label's logit.
template <class Acc>
struct RowSums {
  Acc *top, *total, *at_label;

  RowSums part(int64_t rows, int64_t i) const noexcept {
    return {top + i * rows, total + i * rows, at_label + i * rows};
  }
};

/// Adds the logits of one more tile, which has `columns` columns, to the sums of row `row`.
template <class Acc>
void take_in(const RowSums<Acc>& sums, int64_t row, const Acc* z, int64_t columns) noexcept {
  using Vector = opgen::Vector<Acc>;
  constexpr Acc lowest = std::numeric_limits<Acc>::lowest();
  Vector most = Vector{} + sums.top[row];
  opgen::each_vector<Acc>(0, columns, opgen::Streamed{}, [&](auto v) {
    const Vector value = v.only(v.load(z), lowest);
    most = value > most ? value : most;
  });
  Acc top = most[0];
  for (int64_t i = 1; i < opgen::lanes<Acc>; ++i) top = most[i] > top ? most[i] : top;
  Vector added = {};
  opgen::each_vector<Acc>(0, columns, opgen::Streamed{}, [&](auto v) {
    added += v.only(opgen::exp_of_small<Acc>(v.load(z) - top));
  });
  const Acc shrunk = opgen::exp(sums.top[row] - top);
  sums.total[row] = sums.total[row] * shrunk + opgen::sum_of<Acc>(added);
  sums.top[row] = top;
}

/// Computes the sums for one part of the classes, of which `first` precede those of `op.weight`. If
/// a row's label is not in this part, the label's logit is NaN, and nothing reads it.
template <class T, class View, class Tile>
void sum_part(const View& op, const opgen::Tiles<typename View::Acc>& tiles, const Tile& rows,
              int64_t part, int64_t parts, int64_t first,
              const RowSums<typename View::Acc>& sums) noexcept {
  using Acc = typename View::Acc;
  using B = opgen::Blocks<Acc>;
  alignas(64) Acc z[B::most_rows * B::most_columns];
  const int64_t d = op.desc.d, across = tiles.across();
  for (int64_t i = 0; i < rows.rows; ++i) {
    sums.top[rows.row + i] = std::numeric_limits<Acc>::lowest();
    sums.total[rows.row + i] = 0;
  }
  for (int64_t n = part * across / parts; n < (part + 1) * across / parts; ++n) {
    const auto tile = tiles[rows.row / tiles.height() * across + n];
    const opgen::Matrix<T> left{op.hidden.data + tile.row * d, d, 1};
    const opgen::Matrix<T> right{op.weight.data + tile.column * d, 1, d};
    opgen::multiply_to<Acc>(z, tile.rows, tile.columns, d, opgen::rows_of<Acc>(left, tile.rows),
                            opgen::columns_of<Acc>(right, tile.rows));
    for (int64_t i = 0; i < tile.rows; ++i) {
      const int64_t row = tile.row + i, label = op.labels.data[row] - first - tile.column;
      const Acc* of_row = z + i * B::most_columns;
      take_in(sums, row, of_row, tile.columns);
      if (label >= 0 && label < tile.columns) sums.at_label[row] = of_row[label];
    }
  }
}

/// Checks the labels, and calls `take(row, top, total, at_label)` for each row. The sums are over
/// the `columns` classes of `op.weight`, which start at `first` of `classes`. If the label is
/// ignored or not among them, `at_label` is 0.
template <class T, class View, class Take>
opgen::Status sum_rows(const View& op, int64_t columns, int64_t classes, int64_t first,
                       const Take& take) noexcept {
  using Acc = typename View::Acc;
  const int64_t rows = op.labels.numel(), d = op.desc.d;
  const auto* labels = op.labels.data;  // rows
  if (const int64_t row = first_bad_label(op, classes); row < rows) {
    return op.ctx.bad_index("labels", op.labels, row, labels[row], 0, classes);
  }
  const opgen::Tiles<Acc> tiles(rows, columns);
  const int64_t across = tiles.across(), parts = std::min(across, most_parts);
  // most_parts rows each
  const RowSums<Acc> sums{op.parts.data, op.parts.data + most_parts * rows,
                          op.parts.data + 2 * most_parts * rows};
  const int64_t grain = 1 + tiles.of_a_thread(d) * parts / across;
  opgen::parallel(op.ctx, tiles.count() / across * parts, grain,
                  [=, &op](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i % parts;
      sum_part<T>(op, tiles, tiles[i / parts * across], part, parts, first, sums.part(rows, part));
    }
  });

  for (int64_t row = 0; row < rows; ++row) {
    Acc top = sums.top[row], total = 0, at_label = 0;
    for (int64_t i = 1; i < parts; ++i) top = std::max(top, sums.top[i * rows + row]);
    for (int64_t i = 0; i < parts; ++i) {
      total += sums.total[i * rows + row] * opgen::exp(sums.top[i * rows + row] - top);
    }
    const int64_t label = labels[row] - first;
    if (labels[row] != op.desc.ignore_index && label >= 0 && label < columns) {
      // The part of the classes that has the label.
      const int64_t tile = label / tiles.width();
      int64_t part = tile * parts / across;
      while ((part + 1) * across / parts <= tile) ++part;
      at_label = sums.at_label[part * rows + row];
    }
    take(row, top, total, at_label);
  }
  return opgen::Status::ok;
}

/// Where the loss of each row is written.
template <class View>
typename View::Acc* losses_of(const View& op) noexcept {
  const bool each = static_cast<Reduced>(op.desc.reduction) == Reduced::none;
  return each ? op.loss.data : op.losses.data;
}

/// Writes the loss of a row, and `log_sum`.
template <class View, class Acc>
void write_loss(const View& op, int64_t row, Acc top, Acc total, Acc at_label) noexcept {
  const Acc log_sum = std::log(total);
  op.log_sum.data[row] = log_sum;
  const bool ignored = op.labels.data[row] == op.desc.ignore_index;
  losses_of(op)[row] = ignored ? Acc(0) : log_sum + (top - at_label);
}

/// Computes the loss of all rows from the loss of each row, and the number of rows not ignored.
template <class View>
void reduce_losses(const View& op) noexcept {
  using Acc = typename View::Acc;
  const auto reduction = static_cast<Reduced>(op.desc.reduction);
  if (reduction == Reduced::none) return;
  double total = 0;
  int64_t count = 0;
  for (int64_t row = 0; row < op.labels.numel(); ++row) {
    total += static_cast<double>(op.losses.data[row]);
    count += op.labels.data[row] != op.desc.ignore_index;
  }
  if (reduction == Reduced::mean) {
    *op.count.data = static_cast<Acc>(count);
    total /= static_cast<double>(count);
  }
  *op.loss.data = static_cast<Acc>(total);
}

}  // namespace

template <class T, class I>
opgen::Status linear_cross_entropy(const LinearCrossEntropyView<T, I>& op) noexcept {
  const int64_t classes = op.desc.c;
  const auto take = [&op](int64_t row, auto top, auto total, auto at_label) {
    op.top.data[row] = top;
    write_loss(op, row, top, total, at_label);
  };
  const opgen::Status status = sum_rows<T>(op, classes, classes, 0, take);
  if (status == opgen::Status::ok) reduce_losses(op);
  return status;
}

template <class T, class I>
opgen::Status linear_cross_entropy_terms(const LinearCrossEntropyTermsView<T, I>& op) noexcept {
  const auto take = [&op](int64_t row, auto top, auto total, auto at_label) {
    // A NaN among the logits counts as the largest.
    op.top.data[row] = std::isnan(total) && !std::isinf(top) ? total : top;
    op.total.data[row] = total;
    op.at_label.data[row] = at_label;
  };
  return sum_rows<T>(op, op.desc.v, op.desc.c, *op.first.data, take);
}

template <class T, class I>
opgen::Status linear_cross_entropy_loss(const LinearCrossEntropyLossView<T, I>& op) noexcept {
  for (int64_t row = 0; row < op.labels.numel(); ++row) {
    write_loss(op, row, op.top.data[row], op.total.data[row], op.at_label.data[row]);
  }
  reduce_losses(op);
  return opgen::Status::ok;
}

namespace {

/// dz (rows columns) of `columns` rows of `op.weight` from `begin` on. These are the classes from
/// `first` on.
template <class T, class View>
void gradients_of_logits(const View& op, int64_t rows, int64_t begin, int64_t first,
                         int64_t columns) noexcept {
  using Acc = typename View::Acc;
  using Vector = opgen::Vector<Acc>;
  const int64_t d = op.desc.d, ignored = op.desc.ignore_index;
  const bool each = static_cast<Reduced>(op.desc.reduction) == Reduced::none;
  const Acc count = op.count.present() ? *op.count.data : Acc(1);
  const opgen::Tiles<Acc> tiles(rows, columns);
  opgen::parallel(op.ctx, tiles.count(), tiles.of_a_thread(d),
                  [=, &op](int64_t start, int64_t end) {
    for (int64_t n = start; n < end; ++n) {
      const auto tile = tiles[n];
      const opgen::Matrix<T> left{op.hidden.data + tile.row * d, d, 1};
      const opgen::Matrix<T> right{op.weight.data + (begin + tile.column) * d, 1, d};
      const auto store = [&](int64_t i, auto v, Vector z) {
        const int64_t row = tile.row + i, label = op.labels.data[row];
        Vector dz = {};
        if (label != ignored) {
          const Acc scale = op.dloss.data[each ? row : 0] / count;
          dz = opgen::exp_as_factor<Acc>(z - op.top.data[row] - op.log_sum.data[row]) * scale;
          const int64_t at = label - first - tile.column - v.at;
          if (at >= 0 && at < opgen::lanes<Acc>) {
            // Through memory, because a vector has no variable index.
            Acc lanes[opgen::lanes<Acc>];
            std::memcpy(lanes, &dz, sizeof dz);
            lanes[at] -= scale;
            std::memcpy(&dz, lanes, sizeof dz);
          }
        }
        v.store(op.dlogits.data + row * columns + tile.column, dz);
      };
      opgen::multiply_tile<Acc>(tile.rows, tile.columns, d, opgen::rows_of<Acc>(left, tile.rows),
                                opgen::columns_of<Acc>(right, tile.rows), store);
    }
  });
}

/// c = a b, or c += a b if `add` is true. c is rows columns, and a sum has `inner` terms.
template <class Acc, class B, class C>
void product(const opgen::Context& ctx, int64_t rows, int64_t columns, int64_t inner,
             opgen::Matrix<Acc> a, opgen::Matrix<B> b, C* c, bool add) noexcept {
  const opgen::Tiles<Acc> tiles(rows, columns);
  opgen::parallel(ctx, tiles.count(), tiles.of_a_thread(inner), [=](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const auto tile = tiles[n];
      const opgen::Matrix<Acc> left{a.at(tile.row, 0), a.row, a.column};
      const opgen::Matrix<B> right{b.at(0, tile.column), b.row, b.column};
      C* to = c + tile.row * columns + tile.column;
      opgen::multiply_tile<Acc>(tile.rows, tile.columns, inner,
                                opgen::rows_of<Acc>(left, tile.rows),
                                opgen::columns_of<Acc>(right, tile.rows),
                                [=](int64_t i, auto v, opgen::Vector<Acc> values) {
        C* const row = to + i * columns;
        v.store(row, add ? v.load(row) + values : values);
      });
    }
  });
}

/// The gradients from the `width` classes of `op.weight`, which start at `first` of `classes`.
template <class T, class View>
opgen::Status gradients(const View& op, int64_t width, int64_t classes, int64_t first) noexcept {
  using Acc = typename View::Acc;
  const int64_t rows = op.labels.numel(), d = op.desc.d;
  if (const int64_t row = first_bad_label(op, classes); row < rows) {
    return op.ctx.bad_index("labels", op.labels, row, op.labels.data[row], 0, classes);
  }
  const int64_t together = std::min<int64_t>(width, 1024);
  for (int64_t begin = 0; begin < width; begin += together) {
    const int64_t columns = std::min(together, width - begin);
    gradients_of_logits<T>(op, rows, begin, first + begin, columns);
    const Acc* dz = op.dlogits.data;  // rows columns
    if (op.dhidden.present()) {
      product(op.ctx, rows, d, columns, opgen::Matrix<Acc>{dz, columns, 1},
              opgen::Matrix<T>{op.weight.data + begin * d, d, 1}, op.dhidden.data, begin > 0);
    }
    if (op.dweight.present()) {
      product(op.ctx, columns, d, rows, opgen::Matrix<Acc>{dz, 1, columns},
              opgen::Matrix<T>{op.hidden.data, d, 1}, op.dweight.data + begin * d, false);
    }
  }
  return opgen::Status::ok;
}

}  // namespace

template <class T, class I>
opgen::Status linear_cross_entropy_bwd(const LinearCrossEntropyBwdView<T, I>& op) noexcept {
  return gradients<T>(op, op.desc.c, op.desc.c, 0);
}

template <class T, class I>
opgen::Status linear_cross_entropy_bwd_part(
    const LinearCrossEntropyBwdPartView<T, I>& op) noexcept {
  return gradients<T>(op, op.desc.v, op.desc.c, *op.first.data);
}

}  // namespace generated::cpu
