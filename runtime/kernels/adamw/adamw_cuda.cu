// One AdamW step on lists of tensors, on CUDA: many tensors with each launch.
//
// Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019, algorithm 2; Reddi, Kale and
// Kumar, On the Convergence of Adam and Beyond, 2018, algorithm 2. The kernel computes in f32 (f64
// for f64). The tensors' addresses are arguments of the kernel, so nothing is copied or allocated.
#include "adamw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "opgen/cuda_pack.h"

namespace generated::cuda {

using opgen::cuda::Pack;

constexpr int adamw_threads = 256;
constexpr int64_t elements_of_block = 8192;

/// Some of the tensors, and the first block of each. Their number is limited by the 4 KB of kernel
/// arguments.
template <class T, class G, class M>
struct TensorChunk {
  static constexpr int most = 56;

  T* params[most];
  const G* grads[most];
  M* exp_avgs[most];
  M* exp_avg_sqs[most];
  M* maxima[most];  // null without amsgrad
  int64_t sizes[most];
  int64_t first_block[most];  // ascending
  int count = 0;
  int64_t blocks = 0;
};

template <class A>
struct AdamwConstants {
  A beta1, beta2, log_beta1, log_beta2, eps, weight_decay;
  A one_minus_beta1, one_minus_beta2;
  bool maximize;
};

static __global__ void next_step(float* step) { *step += 1; }

/// The values that all elements share.
template <class A>
struct AdamwStep {
  A bias1, root2, rate, keep;  // root2: the square root of 1 - beta2^step

  /// `step` is the number of steps before this one.
  __device__ AdamwStep(const AdamwConstants<A>& constants, float step, A lr)
      : bias1(-std::expm1((static_cast<A>(step) + 1) * constants.log_beta1)),
        root2(std::sqrt(-std::expm1((static_cast<A>(step) + 1) * constants.log_beta2))),
        rate(lr),
        keep(1 - lr * constants.weight_decay) {}
};

/// Computes the step for pack number `at` of tensor `n`.
template <int width, class A, class T, class G, class M>
__device__ void adamw_pack(const TensorChunk<T, G, M>& chunk, int n, int64_t at,
                           const AdamwConstants<A>& constants, const AdamwStep<A>& step) {
  Pack<T, width> params = opgen::cuda::load<width>(chunk.params[n], at);
  const Pack<G, width> grads = opgen::cuda::load<width>(chunk.grads[n], at);
  Pack<M, width> avgs = opgen::cuda::load<width>(chunk.exp_avgs[n], at);
  Pack<M, width> sqs = opgen::cuda::load<width>(chunk.exp_avg_sqs[n], at);
  const bool amsgrad = chunk.maxima[n] != nullptr;
  Pack<M, width> maxima{};
  if (amsgrad) maxima = opgen::cuda::load<width>(chunk.maxima[n], at);
#pragma unroll
  for (int i = 0; i < width; ++i) {
    A g = static_cast<A>(grads.items[i]);
    if (constants.maximize) g = -g;
    const A m = constants.beta1 * static_cast<A>(avgs.items[i]) + constants.one_minus_beta1 * g;
    A v = constants.beta2 * static_cast<A>(sqs.items[i]) + constants.one_minus_beta2 * g * g;
    avgs.items[i] = m;
    sqs.items[i] = v;
    if (amsgrad) {
      const A before = static_cast<A>(maxima.items[i]);
      v = before > v || before != before ? before : v;
      maxima.items[i] = v;
    }
    const A change = m / step.bias1 / (std::sqrt(v) / step.root2 + constants.eps);
    params.items[i] = static_cast<A>(params.items[i]) * step.keep - step.rate * change;
  }
  opgen::cuda::store(chunk.params[n], at, params);
  opgen::cuda::store(chunk.exp_avgs[n], at, avgs);
  opgen::cuda::store(chunk.exp_avg_sqs[n], at, sqs);
  if (amsgrad) opgen::cuda::store(chunk.maxima[n], at, maxima);
}

template <class A, class T, class G, class M>
__global__ void
__launch_bounds__(adamw_threads)
adamw_chunk(TensorChunk<T, G, M> chunk, AdamwConstants<A> constants, const float* step,
            const A* lr) {
  constexpr int width = opgen::cuda::pack_width<T, G, M>();
  const AdamwStep<A> now(constants, *step, *lr);
  for (int64_t block = blockIdx.x; block < chunk.blocks; block += gridDim.x) {
    int n = 0, after = chunk.count;
    while (after - n > 1) {
      const int middle = (n + after) / 2;
      (chunk.first_block[middle] <= block ? n : after) = middle;
    }
    const int64_t begin = (block - chunk.first_block[n]) * elements_of_block;
    const int64_t end = begin + elements_of_block < chunk.sizes[n] ? begin + elements_of_block
                                                                   : chunk.sizes[n];
    const bool packed =
        ((reinterpret_cast<uintptr_t>(chunk.params[n]) |
          reinterpret_cast<uintptr_t>(chunk.grads[n]) |
          reinterpret_cast<uintptr_t>(chunk.exp_avgs[n]) |
          reinterpret_cast<uintptr_t>(chunk.exp_avg_sqs[n]) |
          reinterpret_cast<uintptr_t>(chunk.maxima[n])) & 15) == 0;
    const int64_t packs = packed ? (end - begin) / width : 0;
    for (int64_t i = threadIdx.x; i < packs; i += blockDim.x) {
      adamw_pack<width>(chunk, n, begin / width + i, constants, now);
    }
    for (int64_t i = begin + packs * width + threadIdx.x; i < end; i += blockDim.x) {
      adamw_pack<1>(chunk, n, i, constants, now);
    }
  }
}

template <class T, class G, class M>
opgen::Status adamw_(const Adamw_View<T, G, M>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const double beta1 = op.desc.beta1, beta2 = op.desc.beta2;
  AdamwConstants<Acc> constants;
  constants.beta1 = static_cast<Acc>(beta1);
  constants.beta2 = static_cast<Acc>(beta2);
  constants.log_beta1 = static_cast<Acc>(std::log(beta1));  // log(0) is -inf: no correction
  constants.log_beta2 = static_cast<Acc>(std::log(beta2));
  constants.eps = static_cast<Acc>(op.desc.eps);
  constants.weight_decay = static_cast<Acc>(op.desc.weight_decay);
  constants.one_minus_beta1 = static_cast<Acc>(1 - beta1);
  constants.one_minus_beta2 = static_cast<Acc>(1 - beta2);
  constants.maximize = op.desc.maximize != 0;

  auto status = opgen::Status::ok;
  TensorChunk<T, G, M> chunk;
  for (int64_t i = 0; i < op.params.count && status == opgen::Status::ok; ++i) {
    const int64_t size = op.params[i].numel();
    if (size > 0) {
      const int n = chunk.count++;
      chunk.params[n] = op.params[i].data;
      chunk.grads[n] = op.grads[i].data;
      chunk.exp_avgs[n] = op.exp_avgs[i].data;
      chunk.exp_avg_sqs[n] = op.exp_avg_sqs[i].data;
      chunk.maxima[n] = op.desc.amsgrad != 0 ? op.max_exp_avg_sqs[i].data : nullptr;
      chunk.sizes[n] = size;
      chunk.first_block[n] = chunk.blocks;
      chunk.blocks += (size + elements_of_block - 1) / elements_of_block;
    }
    const bool full = chunk.count == chunk.most, last = i + 1 == op.params.count;
    if (chunk.count > 0 && (full || last)) {
      status = opgen::cuda::launch(op.ctx, adamw_chunk<Acc, T, G, M>,
                                   opgen::cuda::blocks_for(chunk.blocks, 1), adamw_threads, chunk,
                                   constants, op.step.data, op.lr.data);
      chunk.count = 0;
      chunk.blocks = 0;
    }
  }
  if (status != opgen::Status::ok) return status;
  return opgen::cuda::launch(op.ctx, next_step, 1, 1, op.step.data);
}

}  // namespace generated::cuda
