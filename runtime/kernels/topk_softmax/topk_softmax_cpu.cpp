// The largest probabilities of a softmax, and their gradient, on the CPU.
//
// Shazeer et al., Outrageously Large Neural Networks, 2017, equations 3 to 5, without the noise:
//   p = exp(z - top) / total, weights = p[ids], divided by their sum if they are renormalised.
// The maximum and the sum are separate numbers, so a large common term of the logits costs no
// digits. One thread computes a row.
#include "topk_softmax.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opgen/rows.h"

namespace generated::cpu {

/// The `count` largest logits of a row so far, in descending order. Equal logits are in the order
/// of their indices, and NaNs are last.
struct Largest {
  float* logits;
  int64_t* ids;
  int64_t most;
  int64_t count = 0;

  /// True if a logit comes before an earlier one.
  static bool before(float z, float other) noexcept {
    return z > other || (std::isnan(other) && !std::isnan(z));
  }

  void add(float z, int64_t id) noexcept {
    if (count == most && !before(z, logits[most - 1])) return;
    int64_t at = count < most ? count++ : most - 1;
    for (; at > 0 && before(z, logits[at - 1]); --at) {
      logits[at] = logits[at - 1];
      ids[at] = ids[at - 1];
    }
    logits[at] = z;
    ids[at] = id;
  }
};

template <class T>
opgen::Status topk_softmax(const TopkSoftmaxView<T>& op) noexcept {
  using Vector = opgen::Vector<float>;
  const int64_t columns = op.desc.e, chosen = op.desc.k;

  const auto rows = [&op, columns, chosen](int64_t begin, int64_t end) {
    constexpr int64_t part = 1024;
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    for (int64_t row = begin; row < end; ++row) {
      const T* z = op.logits.data + row * columns;
      float* weights = op.weights.data + row * chosen;
      Largest largest = {weights, op.ids.data + row * chosen, chosen};
      float top = lowest;
      double total = 0;
      for (int64_t first = 0; first < columns; first += part) {
        const int64_t count = std::min(part, columns - first);
        float logits[part];
        Vector peaks = Vector{} + lowest, lost = {};
        opgen::each_vector<float>(0, count, opgen::Streamed{}, [&](auto v) {
          const Vector value = v.only(v.load(z + first), lowest);
          v.store(logits, value);
          peaks = value > peaks ? value : peaks;
          lost += value - value == 0 || value == lowest ? Vector{} : value - value;
        });
        float peak = peaks[0];
        for (int64_t i = 1; i < opgen::lanes<float>; ++i) peak = std::max(peak, peaks[i]);
        for (int64_t i = 0; i < count; ++i) largest.add(logits[i], first + i);
        if (peak > top) {
          if (top > lowest) total *= std::exp(static_cast<double>(top) - peak);
          top = peak;
        }
        total += opgen::sum_of<float>(lost);  // NaN if the row has a NaN or infinity
        total += opgen::sum<float>(count, [=, &logits](auto v) {
          return opgen::exp_of_small<float>(v.load(logits) - top);
        });
      }
      total += static_cast<double>(top - top);  // NaN if all logits are -infinity
      op.top.data[row] = top;
      op.total.data[row] = static_cast<float>(total);
      double whole = 0;
      for (int64_t i = 0; i < chosen; ++i) {
        weights[i] = opgen::exp(weights[i] - top);
        whole += static_cast<double>(weights[i]);
      }
      const float by = static_cast<float>(op.desc.renormalize && total == total ? whole : total);
      for (int64_t i = 0; i < chosen; ++i) weights[i] /= by;
    }
  };
  opgen::parallel(op.ctx, op.desc.batch, opgen::exponential_rows_of_a_thread(columns), rows);
  return opgen::Status::ok;
}

/// With s = sum(dweights weights): dz = weights (dweights - s) at the ids, and elsewhere -p s, or 0
/// if the weights were renormalised.
template <class T>
opgen::Status topk_softmax_bwd(const TopkSoftmaxBwdView<T>& op) noexcept {
  const int64_t columns = op.desc.e, chosen = op.desc.k;
  opgen::FirstBad bad;
  const auto rows = [&op, &bad, columns, chosen](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* z = op.logits.data + row * columns;
      const float* weights = op.weights.data + row * chosen;
      const float* dweights = op.dweights.data + row * chosen;
      const int64_t* ids = op.ids.data + row * chosen;
      T* dz = op.dlogits.data + row * columns;
      double shared = 0;
      for (int64_t i = 0; i < chosen; ++i) shared += static_cast<double>(dweights[i]) * weights[i];
      const float s = static_cast<float>(shared);
      if (op.desc.renormalize) {
        std::fill(dz, dz + columns, static_cast<T>(s - s));  // NaN if a weight is NaN
      } else {
        const float top = op.top.data[row], by = -s / op.total.data[row];
        opgen::each_vector<float>(0, columns, opgen::Streamed{}, [=](auto v) {
          v.store(dz, opgen::exp_of_small<float>(v.load(z) - top) * by);
        });
      }
      for (int64_t i = 0; i < chosen; ++i) {
        if (ids[i] < 0 || ids[i] >= columns) {
          bad.found(row * chosen + i);
          break;
        }
        dz[ids[i]] = static_cast<T>(weights[i] * (dweights[i] - s));
      }
    }
  };
  opgen::parallel(op.ctx, op.desc.batch, opgen::exponential_rows_of_a_thread(columns), rows);
  if (!bad) return opgen::Status::ok;
  return op.ctx.bad_index("ids", op.ids, bad.at(), op.ids.data[bad.at()], 0, columns);
}

}  // namespace generated::cpu
