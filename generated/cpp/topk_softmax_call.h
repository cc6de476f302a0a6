// What the arguments of a call say about everything else.
// Rendered by opgen from topk_softmax.toml.
#pragma once

#include "opgen/call.h"
#include "topk_softmax.h"

namespace generated {

/// A call of `topk_softmax`, checked: sizes, results, workspace, descriptor.
struct TopkSoftmaxCall {
  static constexpr const char* op = "topk_softmax";

  opgen::Argument logits;  // T: *batch e
  opgen::Int k;
  bool renormalize;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int e;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TopkSoftmaxCall(const opgen::Buffer& logits_, opgen::Int k_, bool renormalize_)
      : logits(op, "logits", "*batch e", logits_), k(k_), renormalize(renormalize_) {
    opgen::at_least(op, "k", k, 1);

    T = logits.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));

    logits.rank_at_least(1);
    batch = logits.take(0, 1);
    e = logits.size(-1);

    opgen::require(k <= e, op, "k <= e", "k", k, "e", e);
  }

  opgen::TensorSpec weights() const {
    return {opgen::ElementType::F32, opgen::Shape() << batch << k};
  }

  opgen::TensorSpec ids() const {
    return {opgen::ElementType::I64, opgen::Shape() << batch << k};
  }

  opgen::TensorSpec lse() const {
    return {opgen::ElementType::F32, opgen::Shape() << batch};
  }

  TopkSoftmaxDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TopkSoftmaxDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.e, "e", e);
    fill(desc.k, "k", k);
    fill(desc.renormalize, "renormalize", renormalize);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `topk_softmax_bwd`, checked: sizes, results, workspace, descriptor.
struct TopkSoftmaxBwdCall {
  static constexpr const char* op = "topk_softmax_bwd";

  opgen::Argument dweights;  // f32: *batch k
  opgen::Argument logits;    // T: *batch e
  opgen::Argument weights;   // f32: *batch k
  opgen::Argument ids;       // i64: *batch k
  opgen::Argument lse;       // f32: *batch
  opgen::Int k;
  bool renormalize;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int e;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TopkSoftmaxBwdCall(const opgen::Buffer& dweights_, const opgen::Buffer& logits_,
                              const opgen::Buffer& weights_, const opgen::Buffer& ids_,
                              const opgen::Buffer& lse_, opgen::Int k_, bool renormalize_)
      : dweights(op, "dweights", "*batch k", dweights_), logits(op, "logits", "*batch e", logits_),
        weights(op, "weights", "*batch k", weights_), ids(op, "ids", "*batch k", ids_),
        lse(op, "lse", "*batch", lse_), k(k_), renormalize(renormalize_) {
    opgen::at_least(op, "k", k, 1);

    dweights.dtype_is(opgen::ElementType::F32, "");
    T = logits.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weights.dtype_is(opgen::ElementType::F32, "");
    ids.dtype_is(opgen::ElementType::I64, "");
    lse.dtype_is(opgen::ElementType::F32, "");

    dweights.rank_at_least(1);
    batch = dweights.take(0, 1);
    logits.rank_is(len(batch) + 1);
    e = logits.size(-1);
    weights.rank_is(len(batch) + 1);
    ids.rank_is(len(batch) + 1);
    lse.rank_is(len(batch));

    dweights.shape_is(opgen::Shape() << batch << k);
    logits.shape_is(opgen::Shape() << batch << e, ", batch of dweights");
    weights.shape_is(opgen::Shape() << batch << k, ", batch of dweights");
    ids.shape_is(opgen::Shape() << batch << k, ", batch of dweights");
    lse.shape_is(opgen::Shape() << batch, ", batch of dweights");
  }

  opgen::TensorSpec dlogits() const {
    return {T, opgen::Shape() << batch << e};
  }

  TopkSoftmaxBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TopkSoftmaxBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.e, "e", e);
    fill(desc.k, "k", k);
    fill(desc.renormalize, "renormalize", renormalize);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
