// The checked calls of the topk_softmax family: dtypes, sizes and results from the arguments.
// Rendered by opgen from topk_softmax.toml.
#pragma once

#include "opgen/call.h"
#include "topk_softmax.h"

namespace generated {

/// A call of `topk_softmax`, checked: sizes, results, workspace, descriptor.
struct TopkSoftmaxCall {
  static constexpr const char* op = "topk_softmax";

  opgen::Argument logits_;  // T: *batch e
  opgen::Int k_;
  bool renormalize_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int e_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TopkSoftmaxCall(const opgen::Buffer& logits_in, opgen::Int k_in, bool renormalize_in)
      : logits_(op, "logits", "*batch e", logits_in), k_(k_in), renormalize_(renormalize_in) {
    opgen::at_least(op, "k", k_, 1);

    T_ = logits_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));

    logits_.rank_at_least(1);
    batch_ = logits_.take(0, 1);
    e_ = logits_.size(-1);

    opgen::require(k_ <= e_, op, "k <= e", "k", k_, "e", e_);
  }

  opgen::TensorSpec weights_() const {
    return {opgen::ElementType::F32, opgen::Shape() << batch_ << k_};
  }

  opgen::TensorSpec ids_() const {
    return {opgen::ElementType::I64, opgen::Shape() << batch_ << k_};
  }

  opgen::TensorSpec top_() const {
    return {opgen::ElementType::F32, opgen::Shape() << batch_};
  }

  opgen::TensorSpec total_() const {
    return {opgen::ElementType::F32, opgen::Shape() << batch_};
  }

  TopkSoftmaxDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TopkSoftmaxDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.e, "e", e_);
    fill(desc.k, "k", k_);
    fill(desc.renormalize, "renormalize", renormalize_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `topk_softmax_bwd`, checked: sizes, results, workspace, descriptor.
struct TopkSoftmaxBwdCall {
  static constexpr const char* op = "topk_softmax_bwd";

  opgen::Argument dweights_;  // f32: *batch k
  opgen::Argument logits_;    // T: *batch e
  opgen::Argument weights_;   // f32: *batch k
  opgen::Argument ids_;       // i64: *batch k
  opgen::Argument top_;       // f32: *batch
  opgen::Argument total_;     // f32: *batch
  opgen::Int k_;
  bool renormalize_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int e_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TopkSoftmaxBwdCall(const opgen::Buffer& dweights_in, const opgen::Buffer& logits_in,
                              const opgen::Buffer& weights_in, const opgen::Buffer& ids_in,
                              const opgen::Buffer& top_in, const opgen::Buffer& total_in,
                              opgen::Int k_in, bool renormalize_in)
      : dweights_(op, "dweights", "*batch k", dweights_in),
        logits_(op, "logits", "*batch e", logits_in),
        weights_(op, "weights", "*batch k", weights_in), ids_(op, "ids", "*batch k", ids_in),
        top_(op, "top", "*batch", top_in), total_(op, "total", "*batch", total_in), k_(k_in),
        renormalize_(renormalize_in) {
    opgen::at_least(op, "k", k_, 1);

    dweights_.dtype_is(opgen::ElementType::F32, "");
    T_ = logits_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weights_.dtype_is(opgen::ElementType::F32, "");
    ids_.dtype_is(opgen::ElementType::I64, "");
    top_.dtype_is(opgen::ElementType::F32, "");
    total_.dtype_is(opgen::ElementType::F32, "");

    dweights_.rank_at_least(1);
    batch_ = dweights_.take(0, 1);
    logits_.rank_is(opgen::len(batch_) + 1);
    e_ = logits_.size(-1);
    weights_.rank_is(opgen::len(batch_) + 1);
    ids_.rank_is(opgen::len(batch_) + 1);
    top_.rank_is(opgen::len(batch_));
    total_.rank_is(opgen::len(batch_));

    dweights_.shape_is(opgen::Shape() << batch_ << k_);
    logits_.shape_is(opgen::Shape() << batch_ << e_, ", batch of dweights");
    weights_.shape_is(opgen::Shape() << batch_ << k_, ", batch of dweights");
    ids_.shape_is(opgen::Shape() << batch_ << k_, ", batch of dweights");
    top_.shape_is(opgen::Shape() << batch_, ", batch of dweights");
    total_.shape_is(opgen::Shape() << batch_, ", batch of dweights");

    opgen::require(k_ <= e_, op, "k <= e", "k", k_, "e", e_);
  }

  opgen::TensorSpec dlogits_() const {
    return {T_, opgen::Shape() << batch_ << e_};
  }

  TopkSoftmaxBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TopkSoftmaxBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.e, "e", e_);
    fill(desc.k, "k", k_);
    fill(desc.renormalize, "renormalize", renormalize_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
