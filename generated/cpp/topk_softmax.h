// The common declarations for kernels and adapters of the topk_softmax family.
// Rendered by opgen from topk_softmax.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `topk_softmax`: 48 bytes, padding is zero.
struct TopkSoftmaxDescriptor {
  int64_t batch;        // prod(batch)
  int64_t batch_rank;   // len(batch)
  int64_t e;            // e
  int64_t k;            // k
  int64_t renormalize;  // renormalize
  int64_t T;            // T
};
static_assert(sizeof(TopkSoftmaxDescriptor) == 48);
static_assert(offsetof(TopkSoftmaxDescriptor, batch) == 0);
static_assert(offsetof(TopkSoftmaxDescriptor, batch_rank) == 8);
static_assert(offsetof(TopkSoftmaxDescriptor, e) == 16);
static_assert(offsetof(TopkSoftmaxDescriptor, k) == 24);
static_assert(offsetof(TopkSoftmaxDescriptor, renormalize) == 32);
static_assert(offsetof(TopkSoftmaxDescriptor, T) == 40);

/// The arguments of a kernel of `topk_softmax`: outputs, residuals, workspace, inputs.
struct TopkSoftmaxArgs {
  const TopkSoftmaxDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer weights;  // f32: *batch k
  opgen::Buffer ids;      // i64: *batch k
  opgen::Buffer top;      // f32: *batch
  opgen::Buffer total;    // f32: *batch
  opgen::Buffer logits;   // T: *batch e
};

/// `TopkSoftmaxArgs` with types, as a kernel of `topk_softmax` takes it.
template <class T>
struct TopkSoftmaxView {
  const TopkSoftmaxDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<float> weights;   // *batch k
  opgen::Tensor<int64_t> ids;     // *batch k
  opgen::Tensor<float> top;       // *batch
  opgen::Tensor<float> total;     // *batch
  opgen::Tensor<const T> logits;  // *batch e

  explicit TopkSoftmaxView(const TopkSoftmaxArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), weights(args.weights), ids(args.ids), top(args.top),
        total(args.total), logits(args.logits) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_topk_softmax_cpu(const TopkSoftmaxArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_topk_softmax_cuda(const TopkSoftmaxArgs*) noexcept;

/// The facts of a call for a kernel of `topk_softmax_bwd`: 48 bytes, padding is zero.
struct TopkSoftmaxBwdDescriptor {
  int64_t batch;        // prod(batch)
  int64_t batch_rank;   // len(batch)
  int64_t e;            // e
  int64_t k;            // k
  int64_t renormalize;  // renormalize
  int64_t T;            // T
};
static_assert(sizeof(TopkSoftmaxBwdDescriptor) == 48);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, batch) == 0);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, e) == 16);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, k) == 24);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, renormalize) == 32);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, T) == 40);

/// The arguments of a kernel of `topk_softmax_bwd`: outputs, residuals, workspace, inputs.
struct TopkSoftmaxBwdArgs {
  const TopkSoftmaxBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;   // T: *batch e
  opgen::Buffer dweights;  // f32: *batch k
  opgen::Buffer logits;    // T: *batch e
  opgen::Buffer weights;   // f32: *batch k
  opgen::Buffer ids;       // i64: *batch k
  opgen::Buffer top;       // f32: *batch
  opgen::Buffer total;     // f32: *batch
};

/// `TopkSoftmaxBwdArgs` with types, as a kernel of `topk_softmax_bwd` takes it.
template <class T>
struct TopkSoftmaxBwdView {
  const TopkSoftmaxBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;             // *batch e
  opgen::Tensor<const float> dweights;  // *batch k
  opgen::Tensor<const T> logits;        // *batch e
  opgen::Tensor<const float> weights;   // *batch k
  opgen::Tensor<const int64_t> ids;     // *batch k
  opgen::Tensor<const float> top;       // *batch
  opgen::Tensor<const float> total;     // *batch

  explicit TopkSoftmaxBwdView(const TopkSoftmaxBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dweights(args.dweights),
        logits(args.logits), weights(args.weights), ids(args.ids), top(args.top),
        total(args.total) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_topk_softmax_bwd_cpu(
    const TopkSoftmaxBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_topk_softmax_bwd_cuda(
    const TopkSoftmaxBwdArgs*) noexcept;

}  // namespace generated
