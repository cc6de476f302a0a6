// What kernels and adapters of the topk_softmax family share. Rendered by opgen from topk_softmax.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// What a kernel of `topk_softmax` is told of a call: 48 bytes, padding is zero.
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
  opgen::Buffer lse;      // f32: *batch
  opgen::Buffer logits;   // T: *batch e
};

/// What a kernel of `topk_softmax_bwd` is told of a call: 48 bytes, padding is zero.
struct TopkSoftmaxBwdDescriptor {
  int64_t batch;        // prod(batch)
  int64_t batch_rank;   // len(batch)
  int64_t k;            // k
  int64_t e;            // e
  int64_t renormalize;  // renormalize
  int64_t T;            // T
};
static_assert(sizeof(TopkSoftmaxBwdDescriptor) == 48);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, batch) == 0);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, k) == 16);
static_assert(offsetof(TopkSoftmaxBwdDescriptor, e) == 24);
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
  opgen::Buffer lse;       // f32: *batch
};

}  // namespace generated
