// Softmax cross-entropy with weights of classes, for labels or probabilities, on the CPU.
//
// For the logits z of a position, its weighted target t (below), top = max(z) and rest = sum(exp(z
// - top)) - 1:
//   mass = sum(t),  loss = sum(t (log1p(rest) + top - z)),
//   dz   = dloss (mass exp(z - top) / (1 + rest) - t).
// With weights w, label smoothing s and c classes t is w ((1 - s) q + s / c), where q is the given
// target: 1 at the label and 0 elsewhere, or probabilities.
//
// The logits of a position are contiguous, or `inner` elements apart. In the second case, vectors
// go over positions: as many positions as fit into a cache with all their classes are computed
// together. The kernel computes in Acc: f32 for 16-bit types. One thread computes a position, and
// one thread adds all losses. So the bits do not depend on the number of threads.
//
// A step of these ops computes the same sums over a shard's part of the classes.
#include "weighted_cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opgen/rows.h"
#include "opgen/softmax.h"

namespace generated::cpu {
namespace {

template <class Acc>
using Vector = opgen::Vector<Acc>;

/// `outer` times `inner` positions, each with `c` logits that are `inner` apart.
struct Positions {
  int64_t outer, c, inner;

  int64_t count() const noexcept { return outer * inner; }
};

/// The weights of the classes. Without a tensor, all weights are 1.
template <class Acc>
struct Weights {
  const Acc* data;  // c, or null

  Acc operator[](int64_t number) const noexcept { return data == nullptr ? Acc(1) : data[number]; }
};

/// `count` neighbouring positions. `first` is the index of the first position, and `logits` the
/// index of its first logit.
struct Block {
  int64_t first, logits, count;
};

/// A target of integer labels, for `c` of all `classes`, which start at `first`. `shares` returns
/// the target of each class from label smoothing. The label's target is larger by `at_label`.
template <class T>
struct Labels {
  using Acc = opgen::accum_t<T>;
  static constexpr bool soft = false;

  const opgen::Buffer& labels;  // positions
  Weights<Acc> weights;         // c
  int64_t ignored, first, c, classes;
  Acc smoothing;

  int64_t label(int64_t position) const noexcept {
    return labels.dtype == opgen::ElementType::I64
               ? static_cast<const int64_t*>(labels.data)[position]
               : static_cast<const int32_t*>(labels.data)[position];
  }

  /// Returns the index of the label among the classes of this part.
  int64_t operator[](int64_t position) const noexcept { return label(position) - first; }

  /// True if other classes than the label have a share.
  bool spreads() const noexcept { return smoothing > 0; }
  Acc even() const noexcept { return smoothing / static_cast<Acc>(classes); }
  bool ignores(int64_t position) const noexcept { return label(position) == ignored; }
  bool legal(int64_t position) const noexcept {
    const int64_t number = label(position);
    return number == ignored || (number >= 0 && number < classes);
  }
  /// True if the label is one of the classes of this part.
  bool has(int64_t position) const noexcept {
    const int64_t at = (*this)[position];
    return !ignores(position) && at >= 0 && at < c;
  }
  Acc at_label(int64_t position) const noexcept {
    return (1 - smoothing) * weights[(*this)[position]];
  }

  /// Returns the whole target of the label.
  Acc share_of_label(int64_t position) const noexcept {
    const Acc more = at_label(position);
    return spreads() ? more + even() * weights[(*this)[position]] : more;
  }

  /// The targets of the classes `v` of a position.
  template <class V>
  Vector<Acc> shares(int64_t, V v) const noexcept {
    if (weights.data == nullptr) return Vector<Acc>{} + even();
    return v.load(weights.data) * even();
  }

  /// The targets of class `number` for the positions `v`.
  template <class V>
  Vector<Acc> shares_of_class(int64_t number, int64_t, V) const noexcept {
    return Vector<Acc>{} + even() * weights[number];
  }
};

/// A target of probabilities. `shares` returns all of it.
template <class T>
struct Probabilities {
  using Acc = opgen::accum_t<T>;
  static constexpr bool soft = true;

  const T* target;       // outer c inner
  Weights<Acc> weights;  // c
  int64_t classes;       // in all parts
  Acc smoothing;

  static constexpr bool spreads() noexcept { return true; }
  static constexpr bool ignores(int64_t) noexcept { return false; }
  static constexpr bool legal(int64_t) noexcept { return true; }

  template <class V>
  Vector<Acc> shares(int64_t logits, V v) const noexcept {
    const Vector<Acc> q = smoothed(v.load(target + logits));
    return weights.data == nullptr ? q : q * v.load(weights.data);
  }

  template <class V>
  Vector<Acc> shares_of_class(int64_t number, int64_t logits, V v) const noexcept {
    return smoothed(v.load(target + logits)) * weights[number];
  }

 private:
  Vector<Acc> smoothed(Vector<Acc> q) const noexcept {
    return smoothing > 0 ? q * (1 - smoothing) + smoothing / static_cast<Acc>(classes) : q;
  }
};

/// The destination of the results of all positions.
template <class Acc>
struct Results {
  Acc *rest, *mass, *losses;  // positions
};

/// Finishes a position. `mass` and `loss` are the sums over all classes, without the label's
/// `at_label`.
template <class T, class Target, class Acc>
void finish(const Target& target, const T* logits, int64_t position, int64_t step,
            const Results<Acc>& results, Acc top, Acc rest, Acc log_sum, Acc mass,
            Acc loss) noexcept {
  if constexpr (!Target::soft) {
    if (target.ignores(position)) {
      mass = loss = 0;
    } else if (target.has(position)) {
      const Acc more = target.at_label(position);
      mass += more;
      loss += more * (log_sum + (top - static_cast<Acc>(logits[target[position] * step])));
    }
  }
  results.rest[position] = rest;
  results.mass[position] = mass;
  results.losses[position] = loss;
}

/// Computes a position with contiguous logits.
template <class T, class Target, class Acc>
void lose_row(const Target& target, const T* logits, int64_t row, int64_t c,
              const Results<Acc>& results, Acc top, Acc rest) noexcept {
  const T* z = logits + row * c;
  const Acc log_sum = opgen::log_of_sum(rest);
  std::array<Acc, 2> sums = {};  // of the shares, and of them times the loss of their classes
  if (target.spreads()) {
    sums = opgen::sums<Acc, 2>(c, [&](auto v) {
      const Vector<Acc> share = target.shares(row * c, v);
      return std::array<Vector<Acc>, 2>{share, share * (log_sum + (top - v.load(z)))};
    });
  }
  finish(target, z, row, 1, results, top, rest, log_sum, sums[0], sums[1]);
}

constexpr int64_t most_together = 512;  // positions

/// Computes the largest logit of each position of a block, or NaN if one is NaN. The logits of
/// neighbouring positions are contiguous.
template <class T, class Acc>
void tops_of_block(const T* z, int64_t count, int64_t c, int64_t inner, Acc* top) noexcept {
  std::fill(top, top + count, -std::numeric_limits<Acc>::infinity());
  for (int64_t number = 0; number < c; ++number) {
    opgen::each_vector<Acc>(0, count, opgen::Streamed{}, [&](auto v) {
      const Vector<Acc> value = v.load(z + number * inner), most = v.load(top);
      v.store(top, (value > most) | (value != value) ? value : most);
    });
  }
}

/// Computes the sum of exp(z - top) of each position of a block, minus 1. Terms of the largest
/// logit are counted, not added, so that a small sum stays exact.
template <class T, class Acc>
void rests_of_block(const T* z, int64_t count, int64_t c, int64_t inner, const Acc* top,
                    Acc* rest) noexcept {
  alignas(64) Acc below[most_together] = {}, equal[most_together] = {};
  for (int64_t number = 0; number < c; ++number) {
    opgen::each_vector<Acc>(0, count, opgen::Streamed{}, [&](auto v) {
      const Vector<Acc> value = v.load(z + number * inner), most = v.load(top);
      const auto is_top = value == most;
      const Vector<Acc> more = v.load(below), e = opgen::exp_of_small<Acc>(value - most);
      const Vector<Acc> tops = v.load(equal);
      v.store(below, is_top ? more : more + e);
      v.store(equal, is_top ? tops + 1 : tops);
    });
  }
  for (int64_t i = 0; i < count; ++i) {
    rest[i] = below[i] + (equal[i] - 1) + (top[i] - top[i]);  // infinity - itself is NaN
  }
}

/// Computes a block of positions.
template <class T, class Target, class Acc>
void lose_block(const Target& target, const T* logits, const Block& block, int64_t c, int64_t inner,
                const Results<Acc>& results, const Acc* top, const Acc* rest) noexcept {
  alignas(64) Acc mass[most_together] = {}, loss[most_together] = {}, log_sum[most_together];
  const T* z = logits + block.logits;
  std::transform(rest, rest + block.count, log_sum, opgen::log_of_sum<Acc>);
  for (int64_t number = 0; target.spreads() && number < c; ++number) {
    const int64_t at = number * inner;
    opgen::each_vector<Acc>(0, block.count, opgen::Streamed{}, [&](auto v) {
      const Vector<Acc> share = target.shares_of_class(number, block.logits + at, v);
      const Vector<Acc> of_class = v.load(log_sum) + (v.load(top) - v.load(z + at));
      v.store(mass, v.load(mass) + share);
      v.store(loss, v.load(loss) + share * of_class);
    });
  }
  for (int64_t i = 0; i < block.count; ++i) {
    finish(target, z + i, block.first + i, inner, results, top[i], rest[i], log_sum[i], mass[i],
           loss[i]);
  }
}

constexpr int64_t near = 128 << 10;  // bytes of a block that stay in the nearest caches

/// Calls `row(i)` for all positions if their logits are contiguous. Otherwise calls `block(Block)`
/// for all blocks of positions, each with about `cache` bytes.
template <class T, class Row, class Blocks>
void each_position(const opgen::Context& ctx, const Positions& positions, int64_t cache,
                   const Row& row, const Blocks& block) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t c = positions.c, inner = positions.inner;
  if (positions.count() == 0) return;
  if (inner == 1) {
    return opgen::parallel(ctx, positions.outer, opgen::exponential_rows_of_a_thread(c),
                           [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) row(i);
    });
  }
  constexpr int64_t line = 64 / sizeof(T);
  const int64_t fits = std::max(line, cache / static_cast<int64_t>(sizeof(Acc)) / c / line * line);
  const int64_t together = std::min({fits, most_together, inner});
  const int64_t blocks = (inner + together - 1) / together;
  opgen::parallel(ctx, positions.outer * blocks, opgen::exponential_rows_of_a_thread(c * together),
                  [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t outer = i / blocks, first = i % blocks * together;
      block(Block{outer * inner + first, outer * c * inner + first,
                  std::min(together, inner - first)});
    }
  });
}

template <class View, class Target>
opgen::Status bad_label(const View& op, const Target& target, int64_t position) noexcept {
  return op.ctx.bad_index("labels", op.labels, position, target.label(position), 0, target.classes);
}

template <class Acc, class View>
Results<Acc> results_of(const View& op) noexcept {
  return {op.rest.data, op.mass.data, op.losses.present() ? op.losses.data : op.loss.data};
}

/// Computes the losses of all positions, and their sum divided by the divisor. For labels, the
/// divisor is the sum of the labels' weights.
template <class T, class View, class Target>
opgen::Status lose(const View& op, const Target& target, int64_t cache = near) noexcept {
  using Acc = opgen::accum_t<T>;
  const Positions positions{op.desc.outer, op.desc.c, op.desc.inner};
  const T* logits = op.logits.data;  // outer c inner
  const Results<Acc> results = results_of<Acc>(op);
  Acc* const tops = op.top.data;  // positions
  each_position<T>(op.ctx, positions, cache, [=](int64_t row) {
    const auto [top, rest] = opgen::exponentials<Acc>(logits + row * positions.c, positions.c);
    tops[row] = top;
    lose_row(target, logits, row, positions.c, results, top, rest);
  }, [=](const Block& block) {
    alignas(64) Acc rest[most_together];
    Acc* const top = tops + block.first;
    tops_of_block(logits + block.logits, block.count, positions.c, positions.inner, top);
    rests_of_block(logits + block.logits, block.count, positions.c, positions.inner, top, rest);
    lose_block(target, logits, block, positions.c, positions.inner, results, top, rest);
  });
  double total = 0, divisor = 0;
  for (int64_t i = 0; i < positions.count(); ++i) {
    if constexpr (!Target::soft) {
      if (!target.legal(i)) return bad_label(op, target, i);
      if (target.has(i)) divisor += static_cast<double>(target.weights[target[i]]);
    }
    total += static_cast<double>(results.losses[i]);
  }
  if (!op.losses.present()) return opgen::Status::ok;
  if constexpr (Target::soft) {
    divisor = static_cast<double>(op.desc.divisor);
  } else if (op.count.present()) {
    *op.count.data = static_cast<Acc>(divisor);
  } else {
    divisor = 1;
  }
  *op.loss.data = static_cast<Acc>(total / divisor);
  return opgen::Status::ok;
}

/// The inputs of a position's gradients.
template <class T>
struct Gradients {
  using Acc = opgen::accum_t<T>;

  const T* logits;               // outer c inner
  T *dlogits, *dtarget;          // outer c inner, or null
  const Acc *top, *rest, *mass;  // positions
  const Acc* dloss;              // positions, or a scalar
  bool each;                     // whether dloss has one for each position
  Acc divisor;                   // of dloss
  Acc smoothing;

  Acc scale(int64_t position) const noexcept { return dloss[each ? position : 0] / divisor; }

  /// mass p - share. If a class is more probable than all others together, p is 1 - rest / whole.
  /// Then the result is computed without cancellation for a class with most of the target.
  static Vector<Acc> change(Vector<Acc> share, Vector<Acc> mass, Vector<Acc> e, Vector<Acc> whole,
                            Vector<Acc> rest) noexcept {
    const Vector<Acc> sure = (mass - share) - mass * (rest / whole);
    const auto most = (e == 1) & (rest < 1);
    return most ? sure : mass * (e / whole) - share;
  }

  /// dlogits of the label, with a target of `share` plus `at_label`.
  Acc of_label(int64_t position, Acc value, Acc share) const noexcept {
    const Acc whole = 1 + rest[position], m = mass[position];
    const bool most = value == top[position] && rest[position] < 1;
    const Acc p = opgen::exp(value - top[position]) / whole;
    return scale(position) * (most ? (m - share) - m * (rest[position] / whole) : m * p - share);
  }
};

template <class T, class Target>
void pull_row(const Target& target, const Gradients<T>& of, int64_t row, int64_t c,
              const opgen::Streaming& streaming) noexcept {
  using Acc = opgen::accum_t<T>;
  using V = Vector<Acc>;
  const int64_t first = row * c;
  const T* z = of.logits + first;
  const Acc top = of.top[row], rest = of.rest[row], mass = of.mass[row], whole = 1 + rest;
  T* const dz = of.dlogits == nullptr ? nullptr : of.dlogits + first;
  if (target.ignores(row)) {
    return opgen::each_vector<Acc>(0, c, streaming.to(opgen::lanes<Acc>, dz),
                                   [=](auto v) { v.stream(dz, V{}); });
  }
  const Acc scale = of.scale(row);
  if (dz != nullptr) {
    const V zero = {}, factor = zero + scale * mass / whole, g = zero + scale;
    opgen::each_vector<Acc>(0, c, streaming.to(opgen::lanes<Acc>, dz), [=, &target](auto v) {
      v.prefetch_if_streaming(z);
      const V e = opgen::exp_of_small<Acc>(v.load(z) - top);
      if constexpr (Target::soft) {
        const V share = target.shares(first, v);
        v.stream(dz, g * Gradients<T>::change(share, zero + mass, e, zero + whole, zero + rest));
      } else {
        v.stream(dz, target.spreads() ? e * factor - g * target.shares(first, v) : e * factor);
      }
    });
  }
  if constexpr (!Target::soft) {
    if (!target.has(row)) return;
    const int64_t label = target[row];
    const Acc share = target.share_of_label(row);
    dz[label] = static_cast<T>(of.of_label(row, static_cast<Acc>(z[label]), share));
  } else if (of.dtarget != nullptr) {
    T* const dq = of.dtarget + first;
    const Acc log_sum = opgen::log_of_sum(rest), g = scale * (1 - of.smoothing);
    opgen::each_vector<Acc>(0, c, streaming.to(opgen::lanes<Acc>, dq), [=, &target](auto v) {
      const V below = g * ((top - v.load(z)) + log_sum);
      const Acc* const weights = target.weights.data;
      v.stream(dq, weights == nullptr ? below : below * v.load(weights));
    });
  }
}

template <class T, class Target>
void pull_block(const Target& target, const Gradients<T>& of, const Block& block, int64_t c,
                int64_t inner) noexcept {
  using Acc = opgen::accum_t<T>;
  using V = Vector<Acc>;
  alignas(64) Acc scale[most_together], log_sum[most_together];
  const Acc* const top = of.top + block.first;
  const Acc* const rest = of.rest + block.first;
  const Acc* const mass = of.mass + block.first;
  for (int64_t i = 0; i < block.count; ++i) {
    scale[i] = target.ignores(block.first + i) ? Acc(0) : of.scale(block.first + i);
    if (of.dtarget != nullptr) log_sum[i] = opgen::log_of_sum(rest[i]);
  }
  for (int64_t number = 0; number < c; ++number) {
    const int64_t at = block.logits + number * inner;
    opgen::each_vector<Acc>(0, block.count, opgen::Streamed{}, [&](auto v) {
      const V below = v.load(top) - v.load(of.logits + at), g = v.load(scale);
      if (of.dlogits != nullptr) {
        const V e = opgen::exp_of_small<Acc>(-below), whole = v.load(rest) + 1, m = v.load(mass);
        V change;
        if constexpr (Target::soft) {
          const V share = target.shares_of_class(number, at, v);
          change = Gradients<T>::change(share, m, e, whole, v.load(rest));
        } else {
          change = m * e / whole;
          if (target.spreads()) change -= target.shares_of_class(number, at, v);
        }
        v.store(of.dlogits + at, g == 0 ? V{} : g * change);  // ignored positions may hold NaN
      }
      if (of.dtarget != nullptr) {
        const Acc kept = (1 - of.smoothing) * target.weights[number];
        v.store(of.dtarget + at, g * kept * (below + v.load(log_sum)));
      }
    });
  }
  if constexpr (!Target::soft) {
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t position = block.first + i;
      if (!target.has(position)) continue;
      const int64_t label = target[position], at = block.logits + label * inner + i;
      const Acc share = target.share_of_label(position);
      of.dlogits[at] =
          static_cast<T>(of.of_label(position, static_cast<Acc>(of.logits[at]), share));
    }
  }
}

template <class T, class View, class Target>
opgen::Status pull(const View& op, const Target& target, T* dtarget,
                   opgen::accum_t<T> divisor) noexcept {
  using Acc = opgen::accum_t<T>;
  const Positions positions{op.desc.outer, op.desc.c, op.desc.inner};
  if constexpr (!Target::soft) {
    for (int64_t i = 0; i < positions.count(); ++i) {
      if (!target.legal(i)) return bad_label(op, target, i);
    }
  }
  const Gradients<T> of{op.logits.data, op.dlogits.data,
                        dtarget,        op.top.data,
                        op.rest.data,   op.mass.data,
                        op.dloss.data,  op.dloss.rank > 0,
                        divisor,        static_cast<Acc>(op.desc.smoothing)};
  each_position<T>(op.ctx, positions, near, [=](int64_t row) {
    const opgen::Streaming streaming(positions.count() * positions.c * sizeof(T));
    pull_row(target, of, row, positions.c, streaming);
  }, [=](const Block& block) { pull_block(target, of, block, positions.c, positions.inner); });
  return opgen::Status::ok;
}

/// Computes the largest logit of each position, or NaN if one is NaN.
template <class T, class View>
opgen::Status top_of(const View& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const Positions positions{op.desc.outer, op.desc.c, op.desc.inner};
  const T* logits = op.logits.data;  // outer c inner
  Acc* const tops = op.top.data;     // positions
  each_position<T>(op.ctx, positions, near, [=](int64_t row) {
    const T* z = logits + row * positions.c;
    Vector<Acc> wrong = {};  // NaN for lanes with a NaN
    opgen::each_vector<Acc>(0, positions.c, opgen::Streamed{}, [&](auto v) {
      const Vector<Acc> value = v.only(v.load(z));
      wrong = value != value ? value : wrong;
    });
    const Acc lost = opgen::sum_of<Acc>(wrong);
    tops[row] = lost != lost ? lost : opgen::highest<Acc>(z, positions.c);
  }, [=](const Block& block) {
    tops_of_block(logits + block.logits, block.count, positions.c, positions.inner,
                  tops + block.first);
  });
  return opgen::Status::ok;
}

/// Computes the sum of exp(z - top) of each position.
template <class T, class View>
void total_of(const View& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const Positions positions{op.desc.outer, op.desc.c, op.desc.inner};
  const T* logits = op.logits.data;     // outer c inner
  const Acc* const tops = op.top.data;  // positions
  Acc* const totals = op.total.data;    // positions
  each_position<T>(op.ctx, positions, near, [=](int64_t row) {
    const T* z = logits + row * positions.c;
    const Acc top = tops[row];
    totals[row] =
        opgen::sum<Acc>(positions.c, [=](auto v) { return opgen::exp_of<Acc>(v.load(z) - top); });
  }, [=](const Block& block) {
    Acc* const total = totals + block.first;
    std::fill(total, total + block.count, Acc(0));
    for (int64_t number = 0; number < positions.c; ++number) {
      const T* z = logits + block.logits + number * positions.inner;
      opgen::each_vector<Acc>(0, block.count, opgen::Streamed{}, [=](auto v) {
        const Vector<Acc> below = v.load(z) - v.load(tops + block.first);
        v.store(total, v.load(total) + opgen::exp_of<Acc>(below));
      });
    }
  });
}

/// Computes the part of the losses that some classes add. `op` has the top and the total of all
/// classes.
template <class T, class View, class Target>
opgen::Status lose_part(const View& op, const Target& target, opgen::accum_t<T> divisor) noexcept {
  using Acc = opgen::accum_t<T>;
  const Positions positions{op.desc.outer, op.desc.c, op.desc.inner};
  const T* logits = op.logits.data;         // outer c inner
  const Acc* const tops = op.top.data;      // positions
  const Acc* const totals = op.total.data;  // positions
  const Results<Acc> results = results_of<Acc>(op);
  each_position<T>(op.ctx, positions, near, [=](int64_t row) {
    lose_row(target, logits, row, positions.c, results, tops[row], totals[row] - 1);
  }, [=](const Block& block) {
    alignas(64) Acc rest[most_together];
    for (int64_t i = 0; i < block.count; ++i) rest[i] = totals[block.first + i] - 1;
    lose_block(target, logits, block, positions.c, positions.inner, results, tops + block.first,
               rest);
  });
  double total = 0;
  for (int64_t i = 0; i < positions.count(); ++i) {
    if constexpr (!Target::soft) {
      if (!target.legal(i)) return bad_label(op, target, i);
    }
    total += static_cast<double>(results.losses[i]);
  }
  if (op.losses.present()) *op.loss.data = static_cast<Acc>(total / static_cast<double>(divisor));
  return opgen::Status::ok;
}

template <class T, class View>
Labels<T> labels_of(const View& op, int64_t classes, int64_t first = 0) noexcept {
  return {op.labels,
          {op.weight.data},
          op.desc.ignore_index,
          first,
          op.desc.c,
          classes,
          static_cast<opgen::accum_t<T>>(op.desc.smoothing)};
}

template <class T, class View>
Probabilities<T> probabilities_of(const View& op, int64_t classes) noexcept {
  return {
      op.target.data, {op.weight.data}, classes, static_cast<opgen::accum_t<T>>(op.desc.smoothing)};
}

template <class T, class View>
opgen::accum_t<T> count_of(const View& op) noexcept {
  return op.count.present() ? *op.count.data : opgen::accum_t<T>(1);
}

}  // namespace

template <class T>
opgen::Status weighted_cross_entropy(const WeightedCrossEntropyCpuView<T>& op) noexcept {
  return lose<T>(op, labels_of<T>(op, op.desc.c), op.tune.kib << 10);
}

template <class T>
opgen::Status weighted_cross_entropy_bwd(const WeightedCrossEntropyBwdView<T>& op) noexcept {
  return pull<T>(op, labels_of<T>(op, op.desc.c), nullptr, count_of<T>(op));
}

template <class T>
opgen::Status soft_cross_entropy(const SoftCrossEntropyView<T>& op) noexcept {
  return lose<T>(op, probabilities_of<T>(op, op.desc.c));
}

template <class T>
opgen::Status soft_cross_entropy_bwd(const SoftCrossEntropyBwdView<T>& op) noexcept {
  const auto divisor = static_cast<opgen::accum_t<T>>(op.desc.divisor);
  return pull<T>(op, probabilities_of<T>(op, op.desc.c), op.dtarget.data, divisor);
}

template <class T>
opgen::Status class_top(const ClassTopView<T>& op) noexcept {
  return top_of<T>(op);
}

template <class T>
opgen::Status class_total(const ClassTotalView<T>& op) noexcept {
  total_of<T>(op);
  return opgen::Status::ok;
}

template <class T>
opgen::Status soft_cross_entropy_part(const SoftCrossEntropyPartView<T>& op) noexcept {
  const auto divisor = static_cast<opgen::accum_t<T>>(op.desc.divisor);
  return lose_part<T>(op, probabilities_of<T>(op, op.desc.classes), divisor);
}

template <class T>
opgen::Status soft_cross_entropy_bwd_part(const SoftCrossEntropyBwdPartView<T>& op) noexcept {
  const auto divisor = static_cast<opgen::accum_t<T>>(op.desc.divisor);
  return pull<T>(op, probabilities_of<T>(op, op.desc.classes), op.dtarget.data, divisor);
}

template <class T>
opgen::Status weighted_cross_entropy_total(const WeightedCrossEntropyTotalView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const Labels<T> target = labels_of<T>(op, op.desc.classes, *op.first.data);
  total_of<T>(op);
  double count = 0;
  for (int64_t i = 0; i < op.desc.outer * op.desc.inner; ++i) {
    if (!target.legal(i)) return bad_label(op, target, i);
    if (op.weight.present()) {
      if (target.has(i)) count += static_cast<double>(target.weights[target[i]]);
    } else if (!target.ignores(i)) {
      ++count;
    }
  }
  if (op.count.present()) *op.count.data = static_cast<Acc>(count);
  return opgen::Status::ok;
}

template <class T>
opgen::Status weighted_cross_entropy_part(const WeightedCrossEntropyPartView<T>& op) noexcept {
  return lose_part<T>(op, labels_of<T>(op, op.desc.classes, *op.first.data), count_of<T>(op));
}

template <class T>
opgen::Status weighted_cross_entropy_bwd_part(
    const WeightedCrossEntropyBwdPartView<T>& op) noexcept {
  return pull<T>(op, labels_of<T>(op, op.desc.classes, *op.first.data), nullptr, count_of<T>(op));
}

}  // namespace generated::cpu
