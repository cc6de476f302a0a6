// Softmax cross-entropy and its gradient on the CPU.
//
// For a row of logits z with label y and label smoothing s:
//   loss = lse - (1 - s) z[y] - s mean(z),  lse = log(sum(exp(z))),
//   dz   = dloss (exp(z - lse) - s / c - (1 - s) [at y]).
// Szegedy et al., Rethinking the Inception Architecture, 2016, section 7. Computed in Acc: f32 for
// 16-bit types. A row is summed by one thread, and the rows' losses by one: the same bits whatever
// the number of threads.
#include "cross_entropy.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "opgen/rows.h"

namespace generated::cpu {

/// As `reduction` stands in the descriptor.
enum class Reduction : int64_t { none, mean, sum };

/// Rows that are worth a thread of their own: an exponential takes longer than a sum.
inline int64_t rows_per_range(int64_t columns) { return 1 + 16384 / (columns + 1); }

/// e^x of every lane, for x at most 80 or NaN; where e^x would be subnormal it is 0.
template <class Acc>
opgen::Vector<Acc> exp_of_small(opgen::Vector<Acc> x) noexcept {
  return x < opgen::exp_lowest<Acc> ? opgen::Vector<Acc>{} : opgen::exp_of<Acc>(x);
}

/// log(sum(exp(z))) over the `columns` of a row, which is read once. The exponentials are of z - top,
/// where `top` need not be the maximum, only near it: it is the maximum of the first part of the row
/// until another part has one so much larger that this part is summed again.
template <class Acc, class T>
Acc log_sum_exp(const T* z, int64_t columns) noexcept {
  using Vector = opgen::Vector<Acc>;
  constexpr int64_t part = 2048;
  constexpr Acc lowest = -std::numeric_limits<Acc>::infinity();
  constexpr Acc much = 20;
  const auto greatest = [](Vector most) {
    Acc found = lowest;
    for (int64_t i = 0; i < opgen::lanes<Acc>; ++i) found = most[i] > found ? most[i] : found;
    return found;
  };
  Vector first = Vector{} + lowest;
  opgen::each_vector<Acc>(0, std::min(columns, part), opgen::Streamed{}, [&](auto v) {
    const Vector value = v.only(v.load(z), lowest);
    first = value > first ? value : first;
  });
  Acc top = greatest(first), sum = 0;
  for (int64_t begin = 0; begin < columns;) {
    const int64_t end = std::min(columns, begin + part);
    const Acc base = top == lowest ? Acc(0) : top;  // infinity from infinity is no number
    Vector most = Vector{} + top, more = {};
    opgen::each_vector<Acc>(begin, end, opgen::Streamed{}, [&](auto v) {
      v.prefetch_ahead(z);
      const Vector value = v.only(v.load(z), lowest);
      most = value > most ? value : most;
      more += exp_of_small<Acc>(value - base);
    });
    const Acc peak = greatest(most);
    if (peak > top + much) {
      sum *= opgen::exp(top - peak);
      top = peak;
    } else {
      sum += opgen::sum_of<Acc>(more);
      begin = end;
    }
  }
  return top + std::log(sum);
}

template <class Acc, class T>
Acc mean_of(const T* z, int64_t columns) noexcept {
  const Acc sum = opgen::sum<Acc>(columns, [=](auto v) { return v.load(z); });
  return sum / static_cast<Acc>(columns);
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
  Acc* lse = op.lse.data;            // rows
  Acc* losses = reduction == Reduction::none ? op.loss.data : op.losses.data;  // rows
  std::atomic<bool> legal{true};

  opgen::parallel(op.ctx, rows, rows_per_range(columns), [=, &legal](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      const int64_t label = labels[row];
      lse[row] = log_sum_exp<Acc>(z, columns);
      losses[row] = 0;
      if (label == ignored) continue;
      if (label < 0 || label >= columns) {
        legal.store(false, std::memory_order_relaxed);
        continue;
      }
      Acc loss = lse[row] - (1 - smoothing) * static_cast<Acc>(z[label]);
      if (smoothing > 0) loss -= smoothing * mean_of<Acc>(z, columns);
      losses[row] = loss;
    }
  });
  if (!legal.load(std::memory_order_relaxed)) return opgen::Status::out_of_range;
  if (reduction == Reduction::none) return opgen::Status::ok;

  double total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t row = 0; row < rows; ++row) total += static_cast<double>(losses[row]);
  if (reduction == Reduction::mean) {
    const int64_t count = rows - std::count(labels, labels + rows, static_cast<I>(ignored));
    *op.count.data = static_cast<Acc>(count);
    total /= static_cast<double>(count);
  }
  *op.loss.data = static_cast<Acc>(total);
  return opgen::Status::ok;
}

template <class T, class I>
opgen::Status cross_entropy_bwd(const CrossEntropyBwdView<T, I>& op) noexcept {
  using Acc = typename CrossEntropyBwdView<T, I>::Acc;
  using Vector = opgen::Vector<Acc>;
  const int64_t rows = op.desc.batch;
  const int64_t columns = op.desc.c;
  const int64_t ignored = op.desc.ignore_index;
  const Acc smoothing = static_cast<Acc>(op.desc.label_smoothing);
  const Acc even = smoothing / static_cast<Acc>(columns);
  const Acc sure = 1 - smoothing;
  const auto reduction = static_cast<Reduction>(op.desc.reduction);
  const Acc* dloss = op.dloss.data;  // rows, or a scalar
  const T* logits = op.logits.data;  // rows columns
  const I* labels = op.labels.data;  // rows
  const Acc* lse = op.lse.data;      // rows
  T* dlogits = op.dlogits.data;      // rows columns
  const Acc count = reduction == Reduction::mean ? *op.count.data : Acc(1);
  std::atomic<bool> legal{true};

  opgen::parallel(op.ctx, rows, rows_per_range(columns), [=, &legal](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      const T* z = logits + row * columns;
      T* dz = dlogits + row * columns;
      const auto streamed = streaming.to(opgen::lanes<Acc>, dz);
      const int64_t label = labels[row];
      const bool counts = label != ignored;
      if (!counts || label < 0 || label >= columns) {
        if (counts) legal.store(false, std::memory_order_relaxed);
        opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) { v.stream(dz, Vector{}); });
        continue;
      }
      const Acc scale = dloss[reduction == Reduction::none ? row : 0] / count;
      const Acc base = lse[row];
      opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
        v.prefetch_if_streaming(z);
        Vector change = exp_of_small<Acc>(v.load(z) - base) - even;
        const int64_t at = label - v.at;
        if (at >= 0 && at < opgen::lanes<Acc>) {  // through memory, where alone `at` can be an index
          Acc each[opgen::lanes<Acc>];
          std::memcpy(each, &change, sizeof change);
          each[at] -= sure;
          std::memcpy(&change, each, sizeof change);
        }
        v.stream(dz, scale * change);
      });
    }
  });
  return legal.load(std::memory_order_relaxed) ? opgen::Status::ok : opgen::Status::out_of_range;
}

}  // namespace generated::cpu
