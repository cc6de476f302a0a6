// The checked calls of the weights family: dtypes, sizes and results from the arguments.
// Rendered by opgen from weights.toml.
#pragma once

#include "opgen/call.h"
#include "weights.h"

namespace language_ops {

/// A call of `linear`, checked: sizes, results, workspace, descriptor.
struct LinearCall {
  static constexpr const char* op = "linear";

  opgen::Argument x_;        // T: *batch k
  opgen::Argument w_data_;   // i8: n k
  opgen::Argument w_scale_;  // f32: n
  opgen::Argument w_zero_;   // f32: n
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int k_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCall(const opgen::Buffer& x_in, const opgen::Buffer& w_data_in,
                      const opgen::Buffer& w_scale_in, const opgen::Buffer& w_zero_in)
      : x_(op, "x", "*batch k", x_in), w_data_(op, "w_data", "n k", w_data_in),
        w_scale_(op, "w_scale", "n", w_scale_in), w_zero_(op, "w_zero", "n", w_zero_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    w_data_.dtype_is(opgen::ElementType::I8, "");
    w_scale_.dtype_is(opgen::ElementType::F32, "");
    if (w_zero_.present()) w_zero_.dtype_is(opgen::ElementType::F32, "");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    k_ = x_.size(-1);
    w_data_.rank_is(2);
    n_ = w_data_.size(0);
    w_scale_.rank_is(1);
    if (w_zero_.present()) w_zero_.rank_is(1);

    w_data_.shape_is(opgen::Shape() << n_ << k_, ", k of x");
    w_scale_.shape_is(opgen::Shape() << n_, ", n of w_data");
    if (w_zero_.present()) w_zero_.shape_is(opgen::Shape() << n_, ", n of w_data");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << n_};
  }

  LinearDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.k, "k", k_);
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `linear_bwd`, checked: sizes, results, workspace, descriptor.
struct LinearBwdCall {
  static constexpr const char* op = "linear_bwd";

  opgen::Argument dy_;       // T: *batch n
  opgen::Argument x_;        // T: *batch k
  opgen::Argument w_data_;   // i8: n k
  opgen::Argument w_scale_;  // f32: n
  opgen::Argument w_zero_;   // f32: n
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int n_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                         const opgen::Buffer& w_data_in, const opgen::Buffer& w_scale_in,
                         const opgen::Buffer& w_zero_in)
      : dy_(op, "dy", "*batch n", dy_in), x_(op, "x", "*batch k", x_in),
        w_data_(op, "w_data", "n k", w_data_in), w_scale_(op, "w_scale", "n", w_scale_in),
        w_zero_(op, "w_zero", "n", w_zero_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    w_data_.dtype_is(opgen::ElementType::I8, "");
    w_scale_.dtype_is(opgen::ElementType::F32, "");
    if (w_zero_.present()) w_zero_.dtype_is(opgen::ElementType::F32, "");

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    n_ = dy_.size(-1);
    x_.rank_is(opgen::len(batch_) + 1);
    k_ = x_.size(-1);
    w_data_.rank_is(2);
    w_scale_.rank_is(1);
    if (w_zero_.present()) w_zero_.rank_is(1);

    x_.shape_is(opgen::Shape() << batch_ << k_, ", batch of dy");
    w_data_.shape_is(opgen::Shape() << n_ << k_, ", n of dy, k of x");
    w_scale_.shape_is(opgen::Shape() << n_, ", n of dy");
    if (w_zero_.present()) w_zero_.shape_is(opgen::Shape() << n_, ", n of dy");
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << k_};
  }

  opgen::TensorSpec dw_scale_() const {
    return {opgen::ElementType::F32, opgen::Shape() << n_};
  }

  LinearBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.n, "n", n_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `transposed_quantize`, checked: sizes, results, workspace, descriptor.
struct TransposedQuantizeCall {
  static constexpr const char* op = "transposed_quantize";

  opgen::Argument x_;  // T: m k
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TransposedQuantizeCall(const opgen::Buffer& x_in)
      : x_(op, "x", "m k", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    m_ = x_.size(0);
    k_ = x_.size(1);
  }

  opgen::TensorSpec q_data_() const {
    return {opgen::ElementType::I8, opgen::Shape() << k_ << m_};
  }

  opgen::TensorSpec q_scale_() const {
    return {opgen::ElementType::F32, opgen::Shape() << k_};
  }

  TransposedQuantizeDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TransposedQuantizeDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
