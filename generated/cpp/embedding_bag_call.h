// The checked calls of the embedding_bag family: dtypes, sizes and results from the arguments.
// Rendered by opgen from embedding_bag.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "embedding_bag.h"

namespace generated {

/// A call of `embedding_bag`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBagCall {
  static constexpr const char* op = "embedding_bag";

  opgen::Argument weight_;          // T: rows d
  opgen::Argument indices_;         // I: n
  opgen::Argument offsets_;         // I: b+1
  opgen::Argument sample_weights_;  // T: n
  std::string_view mode_;
  int64_t mode_position;            // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int rows_;
  opgen::Int d_;
  opgen::Int n_;
  opgen::Int b_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBagCall(const opgen::Buffer& weight_in, const opgen::Buffer& indices_in,
                            const opgen::Buffer& offsets_in, const opgen::Buffer& sample_weights_in,
                            std::string_view mode_in)
      : weight_(op, "weight", "rows d", weight_in), indices_(op, "indices", "n", indices_in),
        offsets_(op, "offsets", "b+1", offsets_in),
        sample_weights_(op, "sample_weights", "n", sample_weights_in), mode_(mode_in) {
    mode_position = opgen::choice(op, "mode", mode_, "sum", "mean", "max");

    T_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    offsets_.dtype_is(I_, ", the dtype of indices");
    if (sample_weights_.present()) sample_weights_.dtype_is(T_, ", the dtype of weight");

    weight_.rank_is(2);
    rows_ = weight_.size(0);
    d_ = weight_.size(1);
    indices_.rank_is(1);
    n_ = indices_.size(0);
    offsets_.rank_is(1);
    b_ = offsets_.solve(offsets_.size(0), 1, 1, "b + 1", "b");
    if (sample_weights_.present()) sample_weights_.rank_is(1);

    offsets_.shape_is(opgen::Shape() << b_ + 1);
    if (sample_weights_.present()) sample_weights_.shape_is(opgen::Shape() << n_, ", n of indices");

    opgen::require(mode_ == "sum" || !sample_weights_.present(), op,
                   "sample_weights need mode 'sum'", "mode", mode_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << b_ << d_};
  }

  bool argmax_present() const { return mode_ == "max"; }

  opgen::TensorSpec argmax_() const {
    return {I_, opgen::Shape() << b_ << d_};
  }

  EmbeddingBagDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBagDescriptor>();
    fill(desc.rows, "rows", rows_);
    fill(desc.d, "d", d_);
    fill(desc.n, "n", n_);
    fill(desc.b, "b", b_);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

/// A call of `embedding_bag_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBagBwdCall {
  static constexpr const char* op = "embedding_bag_bwd";

  opgen::Argument dy_;              // T: b d
  opgen::Argument indices_;         // I: n
  opgen::Argument offsets_;         // I: b+1
  opgen::Argument sample_weights_;  // T: n
  opgen::Argument argmax_;          // I: b d
  opgen::Argument weight_;          // T: rows d
  opgen::Int rows_;
  std::string_view mode_;
  int64_t mode_position;            // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int b_;
  opgen::Int d_;
  opgen::Int n_;
  int64_t wanted;                   // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBagBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& indices_in,
                               const opgen::Buffer& offsets_in,
                               const opgen::Buffer& sample_weights_in,
                               const opgen::Buffer& argmax_in, const opgen::Buffer& weight_in,
                               opgen::Int rows_in, std::string_view mode_in, int64_t asked = -1)
      : dy_(op, "dy", "b d", dy_in), indices_(op, "indices", "n", indices_in),
        offsets_(op, "offsets", "b+1", offsets_in),
        sample_weights_(op, "sample_weights", "n", sample_weights_in),
        argmax_(op, "argmax", "b d", argmax_in), weight_(op, "weight", "rows d", weight_in),
        rows_(rows_in), mode_(mode_in), wanted(asked) {
    mode_position = opgen::choice(op, "mode", mode_, "sum", "mean", "max");

    argmax_.present_when(mode_ == "max", "mode == 'max'");
    weight_.present_when(dsample_weights_present(), "present(dsample_weights)");

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    offsets_.dtype_is(I_, ", the dtype of indices");
    if (sample_weights_.present()) sample_weights_.dtype_is(T_, ", the dtype of dy");
    if (argmax_.present()) argmax_.dtype_is(I_, ", the dtype of indices");
    if (weight_.present()) weight_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_is(2);
    b_ = dy_.size(0);
    d_ = dy_.size(1);
    indices_.rank_is(1);
    n_ = indices_.size(0);
    offsets_.rank_is(1);
    if (sample_weights_.present()) sample_weights_.rank_is(1);
    if (argmax_.present()) argmax_.rank_is(2);
    if (weight_.present()) weight_.rank_is(2);

    offsets_.shape_is(opgen::Shape() << b_ + 1, ", b of dy");
    if (sample_weights_.present()) sample_weights_.shape_is(opgen::Shape() << n_, ", n of indices");
    if (argmax_.present()) argmax_.shape_is(opgen::Shape() << b_ << d_, ", b of dy, d of dy");
    if (weight_.present()) weight_.shape_is(opgen::Shape() << rows_ << d_, ", d of dy");

    opgen::require(rows_ >= 0, op, "rows >= 0", "rows", rows_);
  }

  bool dweight_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << rows_ << d_};
  }

  bool dsample_weights_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dsample_weights_() const {
    return {T_, opgen::Shape() << n_};
  }

  opgen::TensorSpec ends_() const {
    return {opgen::ElementType::I64, opgen::Shape() << rows_};
  }

  opgen::TensorSpec order_() const {
    return {opgen::ElementType::I64, opgen::Shape() << n_};
  }

  opgen::TensorSpec bags_() const {
    return {opgen::ElementType::I64, opgen::Shape() << n_};
  }

  EmbeddingBagBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBagBwdDescriptor>();
    fill(desc.b, "b", b_);
    fill(desc.d, "d", d_);
    fill(desc.n, "n", n_);
    fill(desc.rows, "rows", rows_);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

}  // namespace generated
