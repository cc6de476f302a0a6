// Softmax cross-entropy and its gradient on the CPU.
//
// For a row of logits z with label y, label smoothing s, top = max(z) and
// rest = sum(exp(z - top)) - 1:
//   loss = log1p(rest) + (1 - s) (top - z[y]) + s mean(top - z),
//   dz   = dloss (exp(z - top) / (1 + rest) - s / c - (1 - s) [at y]).
// Szegedy et al., Rethinking the Inception Architecture, 2016, section 7. Only differences of
// logits are summed, so a large common term costs no digits. `rest` is summed without the 1 of the
// top, because a sum with this 1 would lose small probabilities. The kernel computes in Acc: f32
// for 16-bit types. One thread sums a row, and one thread sums the losses of all rows. So the bits
// do not depend on the number of threads.
#include "cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "opgen/rows.h"
#include "opgen/softmax.h"

namespace generated::cpu {

/// The values of `reduction` in the descriptor.
enum class Reduction : int64_t { none, mean, sum };

/// The mean of top - z.
template <class Acc, class T>
Acc mean_below(Acc top, const T* z, int64_t columns) noexcept {
  const Acc sum = opgen::sum<Acc>(columns, [=](auto v) { return top - v.load(z); });
  return sum / static_cast<Acc>(columns);
}

/// Computes the loss of all rows from the loss of each row, and the number of rows not ignored.
template <class View, class Acc>
void reduce_losses(const View& op, int64_t rows, Reduction reduction, const Acc* losses) noexcept {
  const auto* labels = op.labels.data;  // rows
  const int64_t ignored = op.desc.ignore_index;
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t row = 0; row < rows; ++row) total += static_cast<double>(losses[row]);
  if (reduction == Reduction::mean) {
    const auto counts = [=](int64_t label) { return label != ignored; };  // may not fit in I
    const int64_t count = std::count_if(labels, labels + rows, counts);
    *op.count.data = static_cast<Acc>(count);
    total /= static_cast<double>(count);
  }
  *op.loss.data = static_cast<Acc>(total);
}

template <class T, class I>
opgen::Status cross_entropy(const CrossEntropyView<T, I>& op) noexcept {
  using Acc = typename CrossEntropyView<T, I>::Acc;
  const int64_t rows = op.desc.batch;
  const int64_t columns = op.desc.c;
  const int64_t ignored = op.desc.ignore_index;
  const Acc smoothing = static_cast<Acc>(op.desc.label_smoothing);
  const auto reduction = static_cast<Reduction>(op.desc.reduction);
  const T* logits = op.logits.data;  // rows columns
  const I* labels = op.labels.data;  // rows
  Acc* tops = op.top.data;           // rows
  Acc* rests = op.rest.data;         // rows
  // rows
  Acc* losses = reduction == Reduction::none ? op.loss.data : op.losses.data;
  opgen::FirstBad bad;

  opgen::parallel(op.ctx, rows, opgen::exponential_rows_of_a_thread(columns),
                  [=, &bad](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      const int64_t label = labels[row];
      const auto [top, rest] = opgen::exponentials<Acc>(z, columns);
      tops[row] = top;
      rests[row] = rest;
      losses[row] = 0;
      if (label == ignored) continue;
      if (label < 0 || label >= columns) {
        bad.found(row);
        continue;
      }
      Acc loss = opgen::log_of_sum(rest) + (1 - smoothing) * (top - static_cast<Acc>(z[label]));
      if (smoothing > 0) loss += smoothing * mean_below<Acc>(top, z, columns);
      losses[row] = loss;
    }
  });
  if (bad) return op.ctx.bad_index("labels", op.labels, bad.at(), labels[bad.at()], 0, columns);
  if (reduction != Reduction::none) reduce_losses(op, rows, reduction, losses);
  return opgen::Status::ok;
}

/// dlogits of `columns` classes from number `first` on, of all `classes`.
template <class T, class I, class View>
opgen::Status gradients(const View& op, int64_t columns, int64_t classes, int64_t first) noexcept {
  using Acc = typename View::Acc;
  using Vector = opgen::Vector<Acc>;
  const int64_t rows = op.desc.batch;
  const int64_t ignored = op.desc.ignore_index;
  const Acc smoothing = static_cast<Acc>(op.desc.label_smoothing);
  const Acc even = smoothing / static_cast<Acc>(classes);
  const auto reduction = static_cast<Reduction>(op.desc.reduction);
  const Acc* dloss = op.dloss.data;  // rows, or a scalar
  const T* logits = op.logits.data;  // rows columns
  const I* labels = op.labels.data;  // rows
  const Acc* tops = op.top.data;     // rows
  const Acc* rests = op.rest.data;   // rows
  T* dlogits = op.dlogits.data;      // rows columns
  const Acc count = reduction == Reduction::mean ? *op.count.data : Acc(1);
  opgen::FirstBad bad;

  opgen::parallel(op.ctx, rows, opgen::exponential_rows_of_a_thread(columns),
                  [=, &bad](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      T* dz = dlogits + row * columns;
      const auto streamed = streaming.to(opgen::lanes<Acc>, dz);
      const bool counts = labels[row] != ignored;
      if (!counts || labels[row] < 0 || labels[row] >= classes) {
        if (counts) bad.found(row);
        opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) { v.stream(dz, Vector{}); });
        continue;
      }
      const Acc scale = dloss[reduction == Reduction::none ? row : 0] / count;
      const int64_t label = labels[row] - first;
      const bool here = label >= 0 && label < columns;
      const Acc top = tops[row], at_label = here ? static_cast<Acc>(z[label]) : top;
      const Acc whole = 1 + rests[row];
      // p[y] - 1, computed without cancellation if p[y] is nearly 1.
      const Acc missed =
          at_label == top ? -rests[row] / whole : opgen::exp(at_label - top) / whole - 1;
      const Acc of_label = scale * (missed + (smoothing - even));
      const Vector factor = Vector{} + scale / whole, shift = Vector{} - scale * even;
      opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
        v.prefetch_if_streaming(z);
        const Vector e = opgen::exp_of_small<Acc>(v.load(z) - top);
        Vector change = opgen::multiply_add<Acc>(e, factor, shift);
        const int64_t at = label - v.at;
        if (at >= 0 && at < opgen::lanes<Acc>) {
          // Through memory, because a vector has no variable index.
          Acc each[opgen::lanes<Acc>];
          std::memcpy(each, &change, sizeof change);
          each[at] = of_label;
          std::memcpy(&change, each, sizeof change);
        }
        v.stream(dz, change);
      });
    }
  });
  if (!bad) return opgen::Status::ok;
  return op.ctx.bad_index("labels", op.labels, bad.at(), labels[bad.at()], 0, classes);
}

template <class T, class I>
opgen::Status cross_entropy_bwd(const CrossEntropyBwdView<T, I>& op) noexcept {
  return gradients<T, I>(op, op.desc.c, op.desc.c, 0);
}

template <class T, class I>
opgen::Status cross_entropy_bwd_part(const CrossEntropyBwdPartView<T, I>& op) noexcept {
  return gradients<T, I>(op, op.desc.v, op.desc.c, *op.first.data);
}

template <class T>
opgen::Status cross_entropy_top(const CrossEntropyTopView<T>& op) noexcept {
  using Acc = typename CrossEntropyTopView<T>::Acc;
  using Vector = opgen::Vector<Acc>;
  const int64_t columns = op.desc.v;
  const T* logits = op.logits.data;  // rows columns
  Acc* tops = op.top.data;           // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, op.desc.batch, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      Vector wrong = {};  // NaN for lanes with a NaN
      opgen::each_vector<Acc>(0, columns, opgen::Streamed{}, [&](auto v) {
        const Vector value = v.only(v.load(z));
        wrong = value != value ? value : wrong;
      });
      const Acc lost = opgen::sum_of<Acc>(wrong);
      tops[row] = lost != lost ? lost : opgen::highest<Acc>(z, columns);
    }
  });
  return opgen::Status::ok;
}

template <class T, class I>
opgen::Status cross_entropy_terms(const CrossEntropyTermsView<T, I>& op) noexcept {
  using Acc = typename CrossEntropyTermsView<T, I>::Acc;
  const int64_t columns = op.desc.v, classes = op.desc.c;
  const int64_t ignored = op.desc.ignore_index, first = *op.first.data;
  const T* logits = op.logits.data;  // rows columns
  const I* labels = op.labels.data;  // rows
  const Acc* tops = op.top.data;     // rows
  Acc* totals = op.total.data;       // rows
  Acc* missed = op.missed.data;      // rows
  Acc* belows = op.below.data;       // rows, or null
  opgen::FirstBad bad;

  opgen::parallel(op.ctx, op.desc.batch, opgen::exponential_rows_of_a_thread(columns),
                  [=, &bad](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      const Acc top = tops[row];
      totals[row] =
          opgen::sum<Acc>(columns, [=](auto v) { return opgen::exp_of<Acc>(v.load(z) - top); });
      if (belows != nullptr) belows[row] = mean_below<Acc>(top, z, columns);
      const int64_t label = labels[row] - first;
      const bool counts = labels[row] != ignored;
      if (counts && (labels[row] < 0 || labels[row] >= classes)) bad.found(row);
      const bool here = counts && label >= 0 && label < columns;
      missed[row] = here ? top - static_cast<Acc>(z[label]) : Acc(0);
    }
  });
  if (!bad) return opgen::Status::ok;
  return op.ctx.bad_index("labels", op.labels, bad.at(), labels[bad.at()], 0, classes);
}

template <class T, class I>
opgen::Status cross_entropy_loss(const CrossEntropyLossView<T, I>& op) noexcept {
  using Acc = typename CrossEntropyLossView<T, I>::Acc;
  const int64_t rows = op.desc.batch;
  const int64_t ignored = op.desc.ignore_index;
  const Acc smoothing = static_cast<Acc>(op.desc.label_smoothing);
  const auto reduction = static_cast<Reduction>(op.desc.reduction);
  const I* labels = op.labels.data;    // rows
  const Acc* totals = op.total.data;   // rows
  const Acc* missed = op.missed.data;  // rows
  const Acc* belows = op.below.data;   // rows, or null
  Acc* rests = op.rest.data;           // rows
  // rows
  Acc* losses = reduction == Reduction::none ? op.loss.data : op.losses.data;

  opgen::parallel(op.ctx, rows, 4096, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const Acc rest = totals[row] - 1;
      Acc loss = opgen::log_of_sum(rest) + (1 - smoothing) * missed[row];
      if (belows != nullptr) loss += smoothing * belows[row];
      rests[row] = rest;
      losses[row] = labels[row] == ignored ? Acc(0) : loss;
    }
  });
  if (reduction != Reduction::none) reduce_losses(op, rows, reduction, losses);
  return opgen::Status::ok;
}

}  // namespace generated::cpu
