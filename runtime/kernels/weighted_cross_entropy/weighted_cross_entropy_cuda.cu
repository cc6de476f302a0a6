// Softmax cross-entropy with weights of classes, for labels or probabilities, on CUDA.
//
// weighted_cross_entropy_cpu.cpp has the formulas. If the logits of a position are contiguous,
// threads share the position. Otherwise each thread has its own positions, and the logits of
// neighbouring positions are contiguous. Gradients are computed element by element. The same input
// gives the same bits.
#include "weighted_cross_entropy.h"

#include <cmath>

#include "opgen/cuda_softmax.h"

namespace generated::cuda {
namespace {

using opgen::cuda::Integers;
using opgen::cuda::Pack;
using opgen::cuda::quick_exp;

/// The weights of the classes. Without a tensor, all weights are 1.
template <class Acc>
struct Weights {
  const Acc* data;  // c, or null

  __device__ Acc operator[](int64_t number) const {
    return data == nullptr ? Acc(1) : data[number];
  }
};

/// A target of integer labels. `share` is the target of each class from label smoothing. The
/// label's target is larger by `at_label`.
template <class T>
struct Labels {
  using Acc = opgen::accum_t<T>;
  static constexpr bool soft = false;

  Integers labels;       // positions
  Weights<Acc> weights;  // c
  int64_t ignored, c;
  Acc smoothing;

  __device__ bool spreads() const { return smoothing > 0; }
  __device__ int64_t label(int64_t position) const { return labels[position]; }
  __device__ bool ignores(int64_t position) const { return labels[position] == ignored; }
  __device__ Acc share(int64_t number, int64_t) const {
    return smoothing / static_cast<Acc>(c) * weights[number];
  }
  __device__ Acc at_label(int64_t number) const { return (1 - smoothing) * weights[number]; }
};

/// A target of probabilities. `share` returns all of it.
template <class T>
struct Probabilities {
  using Acc = opgen::accum_t<T>;
  static constexpr bool soft = true;

  const T* target;       // outer c inner
  Weights<Acc> weights;  // c
  int64_t c;
  Acc smoothing;

  __device__ static constexpr bool spreads() { return true; }
  __device__ static constexpr int64_t label(int64_t) { return -1; }
  __device__ static constexpr bool ignores(int64_t) { return false; }
  /// The target of class `number`. The class's logit is element `at`.
  __device__ Acc share(int64_t number, int64_t at) const {
    const Acc q = static_cast<Acc>(target[at]);
    return weights[number] * ((1 - smoothing) * q + smoothing / static_cast<Acc>(c));
  }
  __device__ static constexpr Acc at_label(int64_t) { return 0; }
};

/// The destination of the results of all positions.
template <class Acc>
struct Results {
  Acc *top, *rest, *mass, *losses;  // positions
};

/// Finishes a position. `z` are its logits, `step` elements apart. `mass` and `loss` are the sums
/// over all classes, without the label's `at_label`.
template <class T, class Target, class Acc>
__device__ void finish(const Target& target, const T* z, int64_t step, int64_t c, int64_t position,
                       Acc top, Acc rest, Acc log_sum, Acc mass, Acc loss,
                       const Results<Acc>& results) {
  const int64_t label = target.label(position);
  const bool ignored = target.ignores(position);
  if (!ignored && 0 <= label && label < c) {
    const Acc more = target.at_label(label);
    mass += more;
    loss += more * (log_sum + (top - static_cast<Acc>(z[label * step])));
  }
  results.top[position] = top;
  results.rest[position] = rest;
  results.mass[position] = ignored ? Acc(0) : mass;
  results.losses[position] = ignored ? Acc(0) : loss;
}

template <class T, class Target>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
lose_rows(int64_t rows, int64_t c, Target target,
          const T* logits,                       // rows c
          Results<opgen::accum_t<T>> results) {  // rows
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const T* z = logits + row * c;
    const int64_t columns = row < rows ? c : 0;
    opgen::cuda::Exponentials<Acc> of;
    opgen::cuda::each_piece(z, columns, [&](int64_t, const auto& pack) { of.take(pack); });
    of.join_row();
    const Acc rest = of.rest(), log_sum = std::log1p(rest);
    Acc mass = 0, loss = 0;
    if (target.spreads()) {
      opgen::cuda::each_piece(z, columns, [&](int64_t first, const auto& pack) {
#pragma unroll
        for (int i = 0; i < pack.width; ++i) {
          const Acc share = target.share(first + i, row * c + first + i);
          mass += share;
          loss += share * (log_sum + (of.top - static_cast<Acc>(pack.items[i])));
        }
      });
      mass = opgen::cuda::over_row(mass);
      loss = opgen::cuda::over_row(loss);
    }
    if (row < rows && threadIdx.x == 0) {
      finish(target, z, 1, c, row, of.top, rest, log_sum, mass, loss, results);
    }
  });
}

template <class T, class Target>
__global__ void __launch_bounds__(opgen::cuda::narrow_block)
lose_positions(int64_t positions, int64_t c, int64_t inner, Target target,
               const T* logits,                       // outer c inner
               Results<opgen::accum_t<T>> results) {  // outer inner
  using Acc = opgen::accum_t<T>;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t position = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       position < positions; position += step) {
    const int64_t first = position / inner * c * inner + position % inner;
    const T* z = logits + first;
    opgen::cuda::Exponentials<Acc> of;
    for (int64_t number = 0; number < c; ++number) {
      of.take(Pack<T, 1>{{z[number * inner]}});
    }
    const Acc rest = of.rest(), log_sum = std::log1p(rest);
    Acc mass = 0, loss = 0;
    for (int64_t number = 0; target.spreads() && number < c; ++number) {
      const Acc share = target.share(number, first + number * inner);
      mass += share;
      loss += share * (log_sum + (of.top - static_cast<Acc>(z[number * inner])));
    }
    finish(target, z, inner, c, position, of.top, rest, log_sum, mass, loss, results);
  }
}

/// The sum of `losses`, divided by `divisor`. If `count` is not null, it gets the sum of the
/// labels' weights, which then is the divisor. One block computes both.
template <class Target, class Acc>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
reduce_losses(int64_t positions, Target target, Acc divisor,
              const Acc* losses,  // positions
              Acc* loss,          // scalar
              Acc* count) {       // scalar, or null
  Acc total = 0, counted = 0;
  for (int64_t i = threadIdx.x; i < positions; i += blockDim.x) {
    total += losses[i];
    if constexpr (!Target::soft) {
      const int64_t label = target.label(i);
      if (!target.ignores(i) && 0 <= label && label < target.c) counted += target.weights[label];
    }
  }
  total = opgen::cuda::over_row(total);
  counted = opgen::cuda::over_row(counted);
  if (threadIdx.x > 0) return;
  if (count != nullptr) *count = counted;
  *loss = total / (count != nullptr ? counted : divisor);
}

template <class T, class View, class Target>
opgen::Status lose(const View& op, const Target& target, opgen::accum_t<T> divisor,
                   opgen::accum_t<T>* count) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t c = op.desc.c, inner = op.desc.inner, positions = op.desc.outer * inner;
  const bool reduced = op.losses.present();
  const Results<Acc> results{op.top.data, op.rest.data, op.mass.data,
                             reduced ? op.losses.data : op.loss.data};
  auto status = opgen::Status::ok;
  if (positions > 0 && inner == 1) {
    const opgen::cuda::Path<Pack<T>::width, 4> path(c, opgen::cuda::most_threads);
    status = opgen::cuda::launch(op.ctx, lose_rows<T, Target>, path.grid(positions), path.block,
                                 positions, c, target, op.logits.data, results);
  } else if (positions > 0) {
    status = opgen::cuda::launch(op.ctx, lose_positions<T, Target>,
                                 opgen::cuda::blocks_for(positions, opgen::cuda::narrow_block),
                                 opgen::cuda::narrow_block, positions, c, inner, target,
                                 op.logits.data, results);
  }
  if (status != opgen::Status::ok || !reduced) return status;
  return opgen::cuda::launch(op.ctx, reduce_losses<Target, Acc>, 1, opgen::cuda::most_threads,
                             positions, target, divisor, results.losses, op.loss.data, count);
}

/// The inputs of the gradients.
template <class T>
struct Gradients {
  using Acc = opgen::accum_t<T>;

  const T* logits;               // outer c inner
  T *dlogits, *dtarget;          // outer c inner, or null
  const Acc *top, *rest, *mass;  // positions
  const Acc* dloss;              // positions, or a scalar
  int64_t dloss_step;            // 1, or 0
  Acc divisor;                   // of dloss, if `count` is null
  const Acc* count;              // scalar, or null

  __device__ Acc scale(int64_t position) const {
    return dloss[position * dloss_step] / (count == nullptr ? divisor : *count);
  }
};

/// Computes `lines` lines of `length` neighbours. If `inner` is 1, a line has the classes of a
/// position. Otherwise it has `inner` positions of one class.
template <class T, class Target, int width>
__global__ void __launch_bounds__(opgen::cuda::narrow_block)
pull_lines(int64_t lines, int64_t length, int64_t c, int64_t inner, Target target,
           Gradients<T> of) {
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(lines, [&](int64_t line) {
    if (line >= lines) return;
    opgen::cuda::each_pack<0>(length / width, [&](int, int64_t pack) {
      const int64_t first = line * length + pack * width;
      const auto z = opgen::cuda::load<width>(of.logits + first, 0);
      Pack<T, width> dz, dq;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const int64_t j = pack * width + i;
        const int64_t position = inner == 1 ? line : line / c * inner + j;
        const int64_t number = inner == 1 ? j : line % c;
        const bool ignored = target.ignores(position);
        const Acc scale = of.scale(position), top = of.top[position], rest = of.rest[position];
        const Acc value = static_cast<Acc>(z.items[i]), whole = 1 + rest;
        if (of.dlogits != nullptr) {
          Acc share = target.spreads() ? target.share(number, first + i) : Acc(0);
          if (number == target.label(position)) share += target.at_label(number);
          const Acc mass = of.mass[position], p = quick_exp(value - top) / whole;
          // mass p - share. If a class is more probable than all others together, p is
          // 1 - rest / whole. Then the result is computed without cancellation.
          const bool most = value == top && rest < 1;
          const Acc change = most ? (mass - share) - mass * (rest / whole) : mass * p - share;
          dz.items[i] = static_cast<T>(ignored ? Acc(0) : scale * change);
        }
        if constexpr (Target::soft) {
          const Acc below = (top - value) + std::log1p(rest);
          dq.items[i] = static_cast<T>(scale * (1 - target.smoothing) * target.weights[number] * below);
        }
      }
      if (of.dlogits != nullptr) opgen::cuda::store(of.dlogits + first, 0, dz);
      if constexpr (Target::soft) {
        if (of.dtarget != nullptr) opgen::cuda::store(of.dtarget + first, 0, dq);
      }
    });
  });
}

template <class T, class View, class Target>
opgen::Status pull(const View& op, const Target& target, T* dtarget, opgen::accum_t<T> divisor,
                   const opgen::accum_t<T>* count) noexcept {
  const int64_t c = op.desc.c, inner = op.desc.inner;
  const int64_t lines = inner == 1 ? op.desc.outer : op.desc.outer * c;
  const int64_t length = inner == 1 ? c : inner;
  const Gradients<T> of{op.logits.data, op.dlogits.data, dtarget,
                        op.top.data,    op.rest.data,    op.mass.data,
                        op.dloss.data,  op.dloss.rank > 0 ? 1 : 0,
                        divisor,        count};
  return opgen::cuda::by_columns(
      length,
      [&](auto path) {
    return opgen::cuda::launch(op.ctx, pull_lines<T, Target, decltype(path)::width>,
                               path.cut_grid(lines, length), path.block, lines, length, c, inner,
                               target, of);
  },
      op.logits.data, static_cast<const T*>(op.dlogits.data), static_cast<const T*>(dtarget));
}

template <class T, class View>
Labels<T> labels_of(const View& op) noexcept {
  return {Integers(op.labels), {op.weight.data}, op.desc.ignore_index, op.desc.c,
          static_cast<opgen::accum_t<T>>(op.desc.smoothing)};
}

template <class T, class View>
Probabilities<T> probabilities_of(const View& op) noexcept {
  return {op.target.data, {op.weight.data}, op.desc.c,
          static_cast<opgen::accum_t<T>>(op.desc.smoothing)};
}

}  // namespace

template <class T>
opgen::Status weighted_cross_entropy(const WeightedCrossEntropyView<T>& op) noexcept {
  return lose<T>(op, labels_of<T>(op), 1, op.count.data);
}

template <class T>
opgen::Status weighted_cross_entropy_bwd(const WeightedCrossEntropyBwdView<T>& op) noexcept {
  return pull<T>(op, labels_of<T>(op), nullptr, 1, op.count.data);
}

template <class T>
opgen::Status soft_cross_entropy(const SoftCrossEntropyView<T>& op) noexcept {
  const auto divisor = static_cast<opgen::accum_t<T>>(op.desc.divisor);
  return lose<T>(op, probabilities_of<T>(op), divisor, nullptr);
}

template <class T>
opgen::Status soft_cross_entropy_bwd(const SoftCrossEntropyBwdView<T>& op) noexcept {
  const auto divisor = static_cast<opgen::accum_t<T>>(op.desc.divisor);
  return pull<T>(op, probabilities_of<T>(op), op.dtarget.data, divisor, nullptr);
}

}  // namespace generated::cuda
