// The checked calls of the fused_add_rms_norm family: dtypes, sizes and results from the arguments.
// Rendered by opgen from fused_add_rms_norm.toml.
#pragma once

#include "opgen/call.h"
#include "fused_add_rms_norm.h"

namespace generated {

/// A call of `fused_add_rms_norm`, checked: sizes, results, workspace, descriptor.
struct FusedAddRmsNormCall {
  static constexpr const char* op = "fused_add_rms_norm";

  opgen::Argument x_;         // T: *batch d
  opgen::Argument residual_;  // T: *batch d
  opgen::Argument weight_;    // T: d
  double eps_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit FusedAddRmsNormCall(const opgen::Buffer& x_in, const opgen::Buffer& residual_in,
                               const opgen::Buffer& weight_in, double eps_in)
      : x_(op, "x", "*batch d", x_in), residual_(op, "residual", "*batch d", residual_in),
        weight_(op, "weight", "d", weight_in), eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                  opgen::ElementType::F32, opgen::ElementType::F64));
    residual_.dtype_is(T_, ", the dtype of x");
    weight_.dtype_is(T_, ", the dtype of x");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    d_ = x_.size(-1);
    residual_.rank_is(opgen::len(batch_) + 1);
    weight_.rank_is(1);

    residual_.shape_is(opgen::Shape() << batch_ << d_, ", batch of x, d of x");
    weight_.shape_is(opgen::Shape() << d_, ", d of x");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << d_};
  }

  FusedAddRmsNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<FusedAddRmsNormDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.x_stride_d, "x_stride_d", opgen::stride(x_, -1));
    fill(desc.eps, "eps", eps_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `fused_add_rms_norm_quant`, checked: sizes, results, workspace, descriptor.
struct FusedAddRmsNormQuantCall {
  static constexpr const char* op = "fused_add_rms_norm_quant";

  opgen::Argument x_;         // T: *batch d
  opgen::Argument residual_;  // T: *batch d
  opgen::Argument weight_;    // T: d
  opgen::Argument scale_;     // f32: scalar
  opgen::Argument scale_ub_;  // f32: scalar
  opgen::ElementType out_dtype_;
  double eps_;
  bool dynamic_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit FusedAddRmsNormQuantCall(const opgen::Buffer& x_in, const opgen::Buffer& residual_in,
                                    const opgen::Buffer& weight_in, const opgen::Buffer& scale_in,
                                    const opgen::Buffer& scale_ub_in,
                                    opgen::ElementType out_dtype_in, double eps_in, bool dynamic_in)
      : x_(op, "x", "*batch d", x_in), residual_(op, "residual", "*batch d", residual_in),
        weight_(op, "weight", "d", weight_in), scale_(op, "scale", "", scale_in),
        scale_ub_(op, "scale_ub", "", scale_ub_in), out_dtype_(out_dtype_in), eps_(eps_in),
        dynamic_(dynamic_in) {
    opgen::choice(op, "out_dtype", out_dtype_, opgen::ElementType::F8E4M3,
                  opgen::ElementType::F8E5M2);
    opgen::at_least(op, "eps", eps_, 0.0);

    scale_.present_when(!dynamic_, "not dynamic");

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                  opgen::ElementType::F32, opgen::ElementType::F64));
    residual_.dtype_is(T_, ", the dtype of x");
    weight_.dtype_is(T_, ", the dtype of x");
    if (scale_.present()) scale_.dtype_is(opgen::ElementType::F32, "");
    if (scale_ub_.present()) scale_ub_.dtype_is(opgen::ElementType::F32, "");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    d_ = x_.size(-1);
    residual_.rank_is(opgen::len(batch_) + 1);
    weight_.rank_is(1);
    if (scale_.present()) scale_.rank_is(0);
    if (scale_ub_.present()) scale_ub_.rank_is(0);

    residual_.shape_is(opgen::Shape() << batch_ << d_, ", batch of x, d of x");
    weight_.shape_is(opgen::Shape() << d_, ", d of x");

    opgen::require(d_ % 8 == 0, op, "d % 8 == 0", "d", d_);
    opgen::require(dynamic_ || !scale_ub_.present(), op, "scale_ub bounds a dynamic scale only",
                   "dynamic", dynamic_);
  }

  opgen::TensorSpec y_() const {
    return {out_dtype_, opgen::Shape() << batch_ << d_};
  }

  opgen::TensorSpec y_scale_() const {
    return {opgen::ElementType::F32, dynamic_ ? opgen::Shape() << batch_ << opgen::Int(1)
                                              : opgen::Shape() << batch_ << opgen::Int(0)};
  }

  FusedAddRmsNormQuantDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<FusedAddRmsNormQuantDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.x_stride_d, "x_stride_d", opgen::stride(x_, -1));
    fill(desc.eps, "eps", eps_);
    fill(desc.dynamic, "dynamic", dynamic_);
    fill(desc.out_dtype, "out_dtype", out_dtype_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
