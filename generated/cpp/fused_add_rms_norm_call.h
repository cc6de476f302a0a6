// What the arguments of a call say about everything else.
// Rendered by opgen from fused_add_rms_norm.toml.
#pragma once

#include "opgen/call.h"
#include "fused_add_rms_norm.h"

namespace generated {

/// A call of `fused_add_rms_norm`, checked: sizes, results, workspace, descriptor.
struct FusedAddRmsNormCall {
  static constexpr const char* op = "fused_add_rms_norm";

  opgen::Argument x;         // T: *batch d
  opgen::Argument residual;  // T: *batch d
  opgen::Argument weight;    // T: d
  double eps;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit FusedAddRmsNormCall(const opgen::Buffer& x_, const opgen::Buffer& residual_,
                               const opgen::Buffer& weight_, double eps_)
      : x(op, "x", "*batch d", x_), residual(op, "residual", "*batch d", residual_),
        weight(op, "weight", "d", weight_), eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = x.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                opgen::ElementType::F32, opgen::ElementType::F64));
    residual.dtype_is(T, ", the dtype of x");
    weight.dtype_is(T, ", the dtype of x");

    x.rank_at_least(1);
    batch = x.take(0, 1);
    d = x.size(-1);
    residual.rank_is(len(batch) + 1);
    weight.rank_is(1);

    residual.shape_is(opgen::Shape() << batch << d, ", batch of x, d of x");
    weight.shape_is(opgen::Shape() << d, ", d of x");
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << d};
  }

  FusedAddRmsNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<FusedAddRmsNormDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.x_stride_d, "x_stride_d", opgen::stride(x, -1));
    fill(desc.eps, "eps", eps);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `fused_add_rms_norm_quant`, checked: sizes, results, workspace, descriptor.
struct FusedAddRmsNormQuantCall {
  static constexpr const char* op = "fused_add_rms_norm_quant";

  opgen::Argument x;         // T: *batch d
  opgen::Argument residual;  // T: *batch d
  opgen::Argument weight;    // T: d
  opgen::Argument scale;     // f32: scalar
  opgen::Argument scale_ub;  // f32: scalar
  double eps;
  bool dynamic;
  opgen::ElementType out_dtype;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit FusedAddRmsNormQuantCall(const opgen::Buffer& x_, const opgen::Buffer& residual_,
                                    const opgen::Buffer& weight_, const opgen::Buffer& scale_,
                                    const opgen::Buffer& scale_ub_, double eps_, bool dynamic_,
                                    opgen::ElementType out_dtype_)
      : x(op, "x", "*batch d", x_), residual(op, "residual", "*batch d", residual_),
        weight(op, "weight", "d", weight_), scale(op, "scale", "", scale_),
        scale_ub(op, "scale_ub", "", scale_ub_), eps(eps_), dynamic(dynamic_),
        out_dtype(out_dtype_) {
    opgen::at_least(op, "eps", eps, 0.0);
    opgen::choice(op, "out_dtype", out_dtype, opgen::ElementType::F8E4M3,
                  opgen::ElementType::F8E5M2);

    scale.present_when(!dynamic, "not dynamic");

    T = x.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                opgen::ElementType::F32, opgen::ElementType::F64));
    residual.dtype_is(T, ", the dtype of x");
    weight.dtype_is(T, ", the dtype of x");
    if (scale.present()) scale.dtype_is(opgen::ElementType::F32, "");
    if (scale_ub.present()) scale_ub.dtype_is(opgen::ElementType::F32, "");

    x.rank_at_least(1);
    batch = x.take(0, 1);
    d = x.size(-1);
    residual.rank_is(len(batch) + 1);
    weight.rank_is(1);
    if (scale.present()) scale.rank_is(0);
    if (scale_ub.present()) scale_ub.rank_is(0);

    residual.shape_is(opgen::Shape() << batch << d, ", batch of x, d of x");
    weight.shape_is(opgen::Shape() << d, ", d of x");

    opgen::require(d % 8 == 0, op, "d % 8 == 0", "d", d);
    opgen::require(dynamic || !scale_ub.present(), op, "scale_ub bounds a dynamic scale only",
                   "dynamic", dynamic);
  }

  opgen::TensorSpec y() const {
    return {out_dtype, opgen::Shape() << batch << d};
  }

  opgen::TensorSpec y_scale() const {
    return {opgen::ElementType::F32, dynamic ? opgen::Shape() << batch << opgen::Int(1)
                                             : opgen::Shape() << batch << opgen::Int(0)};
  }

  FusedAddRmsNormQuantDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<FusedAddRmsNormQuantDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.x_stride_d, "x_stride_d", opgen::stride(x, -1));
    fill(desc.eps, "eps", eps);
    fill(desc.dynamic, "dynamic", dynamic);
    fill(desc.out_dtype, "out_dtype", out_dtype);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
