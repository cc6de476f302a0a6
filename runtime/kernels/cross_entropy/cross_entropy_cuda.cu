// Softmax cross-entropy and its gradient on CUDA.
//
// Szegedy et al., Rethinking the Inception Architecture, 2016, section 7. A row of logits is read
// once, or twice with label smoothing. One pass finds the row's largest element, and the sum of
// exponentials relative to this element (Milakov and Gimelshein, Online normalizer calculation for
// softmax, 2018). cross_entropy_cpu.cpp explains the values that are kept for each row. The same
// input gives the same bits.
#include "cross_entropy.h"

#include <cmath>

#include "opgen/cuda_softmax.h"

namespace generated::cuda {

using opgen::cuda::Integers;
using opgen::cuda::Pack;
using opgen::cuda::quick_exp;

template <class T>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
cross_entropy_rows(int64_t rows, int64_t c, int64_t ignore_index,
                   opgen::accum_t<T> smoothing,
                   const T* logits,              // rows c
                   Integers labels,              // rows
                   opgen::accum_t<T>* tops,      // rows
                   opgen::accum_t<T>* rests,     // rows
                   opgen::accum_t<T>* losses) {  // rows
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const T* z = logits + row * c;
    opgen::cuda::Exponentials<Acc> of;
    opgen::cuda::each_piece(z, row < rows ? c : 0,
                            [&](int64_t, const auto& pack) { of.take(pack); });
    of.join_row();
    Acc differences = 0;  // the sum of top - z
    if (smoothing > 0) {
      opgen::cuda::each_piece(z, row < rows ? c : 0, [&](int64_t, const auto& pack) {
#pragma unroll
        for (int i = 0; i < pack.width; ++i) differences += of.top - static_cast<Acc>(pack.items[i]);
      });
      differences = opgen::cuda::over_row(differences);
    }
    if (row < rows && threadIdx.x == 0) {
      const Acc rest = of.rest();
      const int64_t label = labels[row];
      const Acc target = 0 <= label && label < c ? static_cast<Acc>(z[label]) : Acc(0);
      Acc loss = std::log1p(rest) + (1 - smoothing) * (of.top - target);
      if (smoothing > 0) loss += smoothing * (differences / static_cast<Acc>(c));
      tops[row] = of.top;
      rests[row] = rest;
      losses[row] = label == ignore_index ? Acc(0) : loss;
    }
  });
}

template <class T>
opgen::Status cross_entropy(const CrossEntropyCudaView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, c = op.desc.c;
  const bool reduced = op.losses.present();
  auto* const losses = reduced ? op.losses.data : op.loss.data;
  auto status = opgen::Status::ok;
  if (rows > 0) {
    const opgen::cuda::Path<Pack<T>::width, 4> path(c, opgen::cuda::most_threads);
    status = opgen::cuda::launch(op.ctx, cross_entropy_rows<T>, path.grid(rows), path.block,
                                 rows, c, op.desc.ignore_index, op.desc.label_smoothing,
                                 op.logits.data, Integers(op.labels), op.top.data, op.rest.data, losses);
  }
  if (status != opgen::Status::ok || !reduced) return status;
  return opgen::cuda::launch(op.ctx, opgen::cuda::reduce_losses<opgen::accum_t<T>>, 1,
                             opgen::cuda::most_threads, rows, op.desc.ignore_index, losses,
                             Integers(op.labels), op.loss.data, op.count.data);
}

/// The largest element of each row, or NaN if the row has a NaN.
template <class T>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
top_rows(int64_t rows, int64_t v,
         const T* logits,            // rows v
         opgen::accum_t<T>* tops) {  // rows
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    Acc top = -static_cast<Acc>(INFINITY);
    opgen::cuda::each_piece(logits + row * v, row < rows ? v : 0, [&](int64_t, const auto& pack) {
#pragma unroll
      for (int i = 0; i < pack.width; ++i) {
        top = opgen::cuda::Largest()(top, static_cast<Acc>(pack.items[i]));
      }
    });
    top = opgen::cuda::over_row(top, opgen::cuda::Largest());
    if (row < rows && threadIdx.x == 0) tops[row] = top;
  });
}

template <class T>
opgen::Status cross_entropy_top(const CrossEntropyTopView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, v = op.desc.v;
  const opgen::cuda::Path<Pack<T>::width, 4> path(v, opgen::cuda::most_threads);
  return opgen::cuda::launch(op.ctx, top_rows<T>, path.grid(rows), path.block, rows, v,
                             op.logits.data, op.top.data);
}

/// The inputs of each row's loss, computed from the `v` classes from `*first` on.
template <class T>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
terms_rows(int64_t rows, int64_t v, int64_t ignore_index,
           const T* logits,                // rows v
           Integers labels,                // rows
           const opgen::accum_t<T>* tops,  // rows
           const int64_t* first,           // scalar
           opgen::accum_t<T>* totals,      // rows
           opgen::accum_t<T>* missed,      // rows
           opgen::accum_t<T>* belows) {    // rows, or null
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const T* z = logits + row * v;
    const Acc top = row < rows ? tops[row] : Acc(0);
    Acc total = 0, below = 0;
    opgen::cuda::each_piece(z, row < rows ? v : 0, [&](int64_t, const auto& pack) {
#pragma unroll
      for (int i = 0; i < pack.width; ++i) {
        const Acc value = static_cast<Acc>(pack.items[i]);
        total += quick_exp(value - top);
        below += top - value;
      }
    });
    total = opgen::cuda::over_row(total);
    if (belows != nullptr) below = opgen::cuda::over_row(below);
    if (row >= rows || threadIdx.x > 0) return;
    const int64_t label = labels[row] - *first;
    const bool here = labels[row] != ignore_index && 0 <= label && label < v;
    totals[row] = total;
    missed[row] = here ? top - static_cast<Acc>(z[label]) : Acc(0);
    if (belows != nullptr) belows[row] = below / static_cast<Acc>(v);
  });
}

template <class T>
opgen::Status cross_entropy_terms(const CrossEntropyTermsCudaView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, v = op.desc.v;
  const opgen::cuda::Path<Pack<T>::width, 4> path(v, opgen::cuda::most_threads);
  return opgen::cuda::launch(op.ctx, terms_rows<T>, path.grid(rows), path.block, rows, v,
                             op.desc.ignore_index, op.logits.data, Integers(op.labels), op.top.data,
                             op.first.data, op.total.data, op.missed.data, op.below.data);
}

template <class Acc>
__global__ void losses_of_rows(int64_t rows, int64_t ignore_index, Acc smoothing,
                               Integers labels,    // rows
                               const Acc* totals,  // rows
                               const Acc* missed,  // rows
                               const Acc* belows,  // rows, or null
                               Acc* rests,         // rows
                               Acc* losses) {      // rows
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; row < rows;
       row += step) {
    const Acc rest = totals[row] - 1;
    Acc loss = std::log1p(rest) + (1 - smoothing) * missed[row];
    if (belows != nullptr) loss += smoothing * belows[row];
    rests[row] = rest;
    losses[row] = labels[row] == ignore_index ? Acc(0) : loss;
  }
}

template <class T>
opgen::Status cross_entropy_loss(const CrossEntropyLossCudaView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.desc.batch;
  const bool reduced = op.losses.present();
  auto* const losses = reduced ? op.losses.data : op.loss.data;
  auto status = opgen::Status::ok;
  if (rows > 0) {
    status = opgen::cuda::launch(op.ctx, losses_of_rows<Acc>,
                                 opgen::cuda::blocks_for(rows, opgen::cuda::narrow_block),
                                 opgen::cuda::narrow_block, rows, op.desc.ignore_index,
                                 op.desc.label_smoothing, Integers(op.labels), op.total.data,
                                 op.missed.data, op.below.data, op.rest.data, losses);
  }
  if (status != opgen::Status::ok || !reduced) return status;
  return opgen::cuda::launch(op.ctx, opgen::cuda::reduce_losses<Acc>, 1, opgen::cuda::most_threads, rows,
                             op.desc.ignore_index, losses, Integers(op.labels), op.loss.data,
                             op.count.data);
}

/// dlogits = (softmax(logits) - target) * dloss, divided by `*count` if `count` is not null.
/// `packed` means that logits and dlogits have the same alignment modulo 16 bytes. They have `c` of
/// all `classes`, from `*first` on if `first` is not null.
template <class T, bool packed>
__global__ void cross_entropy_bwd_rows(int64_t rows, int64_t c, int64_t classes,
                                       const int64_t* first,  // scalar, or null
                                       int64_t ignore_index,
                                       opgen::accum_t<T> smoothing,
                                       const opgen::accum_t<T>* dloss,  // scalar, or rows
                                       int64_t dloss_step,              // 0, or 1
                                       const T* logits,                 // rows c
                                       Integers labels,                 // rows
                                       const opgen::accum_t<T>* tops,   // rows
                                       const opgen::accum_t<T>* rests,  // rows
                                       const opgen::accum_t<T>* count,  // scalar, or null
                                       T* dlogits) {                    // rows c
  using Acc = opgen::accum_t<T>;
  const Acc uniform = smoothing / static_cast<Acc>(classes);
  opgen::cuda::each_row(rows, [&](int64_t row) {
    if (row >= rows) return;
    const bool ignored = labels[row] == ignore_index;
    const int64_t label = labels[row] - (first == nullptr ? 0 : *first);
    const Acc top = tops[row], rest = rests[row], whole = 1 + rest;
    Acc g = dloss[row * dloss_step];
    if (count != nullptr) g /= *count;
    const Acc factor = g / whole, shift = g * uniform;
    T* dz = dlogits + row * c;
    const auto gradient = [&](int64_t column, const auto& pack) {
      std::decay_t<decltype(pack)> ds;
#pragma unroll
      for (int i = 0; i < ds.width; ++i) {
        const Acc value = static_cast<Acc>(pack.items[i]), e = quick_exp(value - top);
        Acc d = e * factor - shift;
        if (column + i == label) {  // p - 1, without cancellation if p is nearly 1
          d = g * ((value == top ? -rest / whole : e / whole - 1) + (smoothing - uniform));
        }
        ds.items[i] = ignored ? Acc(0) : d;
      }
      opgen::cuda::store(dz + column, 0, ds);
    };
    if constexpr (packed) {
      opgen::cuda::each_piece(logits + row * c, c, gradient);
    } else {
      opgen::cuda::each_pack<0>(c, [&](int, int64_t j) {
        gradient(j, opgen::cuda::load<1>(logits + row * c, j));
      });
    }
  });
}

template <class T, class View>
opgen::Status gradients(const View& op, int64_t c, const int64_t* first) noexcept {
  const int64_t rows = op.desc.batch;
  const bool packed = ((reinterpret_cast<uintptr_t>(op.logits.data) ^
                        reinterpret_cast<uintptr_t>(op.dlogits.data)) & 15) == 0;
  const opgen::cuda::Path<Pack<T>::width, 4> path(c, opgen::cuda::narrow_block);
  const int64_t dloss_step = op.dloss.rank > 0 ? 1 : 0;
  return opgen::cuda::launch(
      op.ctx, packed ? cross_entropy_bwd_rows<T, true> : cross_entropy_bwd_rows<T, false>,
      path.cut_grid(rows, c), path.block, rows, c, op.desc.c, first, op.desc.ignore_index,
      op.desc.label_smoothing, op.dloss.data, dloss_step, op.logits.data, Integers(op.labels),
      op.top.data, op.rest.data, op.count.data, op.dlogits.data);
}

template <class T>
opgen::Status cross_entropy_bwd(const CrossEntropyBwdCudaView<T>& op) noexcept {
  return gradients<T>(op, op.desc.c, nullptr);
}

template <class T>
opgen::Status cross_entropy_bwd_part(const CrossEntropyBwdPartCudaView<T>& op) noexcept {
  return gradients<T>(op, op.desc.v, op.first.data);
}

}  // namespace generated::cuda
