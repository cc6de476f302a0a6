// The checked calls of the rms_layer_norm family: dtypes, sizes and results from the arguments.
// Rendered by opgen from rms_layer_norm.toml.
#pragma once

#include <optional>

#include "opgen/call.h"
#include "rms_layer_norm.h"

namespace generated {

/// A call of `rms_layer_norm`, checked: sizes, results, workspace, descriptor.
struct RmsLayerNormCall {
  static constexpr const char* op = "rms_layer_norm";

  opgen::Argument x_;       // T: *batch *normalized_shape
  opgen::Argument weight_;  // W: *normalized_shape
  opgen::Sizes normalized_shape_;
  // Default: the epsilon of f32, or of f64 for f64, as in `torch.nn.functional.rms_norm`.
  double eps_;
  double offset_;           // Added to the weight: 1.0 in Gemma.
  bool cast_first_;         // Round to x's dtype before the product by the weight, as Llama does.
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::ElementType Y_;    // promote(T, W) or T
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsLayerNormCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                            opgen::Sizes normalized_shape_in, std::optional<double> eps_in,
                            double offset_in, bool cast_first_in)
      : x_(op, "x", "*batch *normalized_shape", x_in),
        weight_(op, "weight", "*normalized_shape", weight_in),
        normalized_shape_(normalized_shape_in), eps_(eps_in.value_or(0)), offset_(offset_in),
        cast_first_(cast_first_in) {
    if (eps_in) opgen::at_least(op, "eps", *eps_in, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc_ = opgen::accum(T_);
    Y_ = cast_first_ && weight_.present() ? opgen::promote(T_, W_) : T_;

    x_.rank_at_least(opgen::len(normalized_shape_));
    batch_ = x_.take(0, opgen::len(normalized_shape_));
    if (weight_.present()) weight_.rank_is(opgen::len(normalized_shape_));

    x_.shape_is(opgen::Shape() << batch_ << normalized_shape_);
    if (weight_.present()) weight_.shape_is(opgen::Shape() << normalized_shape_);

    if (!eps_in) {
      eps_ = T_ == opgen::ElementType::F64 ? opgen::power(2.0, -52.0) : opgen::power(2.0, -23.0);
    }

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {Y_, opgen::Shape() << batch_ << normalized_shape_};
  }

  opgen::TensorSpec rstd_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  RmsLayerNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsLayerNormDescriptor>();
    fill(desc.rows, "rows", opgen::prod(batch_));
    fill(desc.columns, "columns", opgen::prod(normalized_shape_));
    fill(desc.offset, "offset", offset_);
    fill(desc.cast_first, "cast_first", cast_first_);
    fill(desc.eps, "eps", eps_);
    return desc;
  }
};

/// A call of `rms_layer_norm_bwd`, checked: sizes, results, workspace, descriptor.
struct RmsLayerNormBwdCall {
  static constexpr const char* op = "rms_layer_norm_bwd";

  opgen::Argument dy_;      // Y: *batch *norm
  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument rstd_;    // Acc: *batch
  opgen::Argument weight_;  // W: *norm
  double eps_;
  double offset_;
  bool cast_first_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::ElementType Y_;    // promote(T, W) or T
  opgen::Sizes batch_;
  opgen::Sizes norm_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsLayerNormBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                               const opgen::Buffer& rstd_in, const opgen::Buffer& weight_in,
                               double eps_in, double offset_in, bool cast_first_in)
      : dy_(op, "dy", "*batch *norm", dy_in), x_(op, "x", "*batch *norm", x_in),
        rstd_(op, "rstd", "*batch", rstd_in), weight_(op, "weight", "*norm", weight_in),
        eps_(eps_in), offset_(offset_in), cast_first_(cast_first_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc_ = opgen::accum(T_);
    Y_ = cast_first_ && weight_.present() ? opgen::promote(T_, W_) : T_;
    dy_.dtype_is(Y_, ", which is Y");
    rstd_.dtype_is(Acc_, ", accum(x.dtype)");

    bool norm_known = false;
    batch_ = rstd_.take(0, 0);
    if (weight_.present()) {
      norm_ = weight_.take(0, 0);
      norm_known = true;
    }
    if (norm_known) dy_.rank_is(opgen::len(batch_) + opgen::len(norm_));
    if (!norm_known) dy_.rank_at_least(opgen::len(batch_));
    if (!norm_known) {
      norm_ = dy_.take(opgen::len(batch_), 0);
      norm_known = true;
    }
    x_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of rstd, norm of weight");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of rstd, norm of weight or dy");

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << norm_};
  }

  bool dweight_present() const { return weight_.present(); }

  opgen::TensorSpec dweight_() const {
    return {Acc_, opgen::Shape() << norm_};
  }

  bool part_grad_present() const { return weight_.present(); }

  opgen::TensorSpec part_grad_() const {
    return {Acc_, opgen::Shape() << opgen::max(opgen::Int(16),
                                               opgen::min(opgen::Int(256), opgen::prod(batch_)))
                                 << opgen::prod(norm_)};
  }

  RmsLayerNormBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsLayerNormBwdDescriptor>();
    fill(desc.rows, "rows", opgen::prod(batch_));
    fill(desc.columns, "columns", opgen::prod(norm_));
    fill(desc.offset, "offset", offset_);
    fill(desc.cast_first, "cast_first", cast_first_);
    return desc;
  }
};

}  // namespace generated
