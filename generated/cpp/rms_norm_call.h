// The checked calls of the rms_norm family: dtypes, sizes and results from the arguments.
// Rendered by opgen from rms_norm.toml.
#pragma once

#include "opgen/call.h"
#include "rms_norm.h"

namespace generated {

/// A call of `rms_norm`, checked: sizes, results, workspace, descriptor.
struct RmsNormCall {
  static constexpr const char* op = "rms_norm";

  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument weight_;  // W: *norm
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes norm_;
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in, double eps_in)
      : x_(op, "x", "*batch *norm", x_in), weight_(op, "weight", "*norm", weight_in), eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);

    norm_ = weight_.take(0, 0);
    x_.rank_at_least(opgen::len(norm_));
    batch_ = x_.take(0, opgen::len(norm_));

    x_.shape_is(opgen::Shape() << batch_ << norm_, ", norm of weight");
  }

  opgen::TensorSpec y_() const {
    return {W_, opgen::Shape() << batch_ << norm_};
  }

  opgen::TensorSpec invvar_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  RmsNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormDescriptor>();
    fill(desc.n1, "n1", opgen::prod(batch_));
    fill(desc.n2, "n2", opgen::prod(norm_));
    fill(desc.eps, "eps", eps_);
    fill(desc.x_type, "x_type", T_);
    fill(desc.w_type, "w_type", W_);
    fill(desc.part_grad_size, "part_grad_size", 0);
    return desc;
  }
};

/// A call of `rms_norm_bwd`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdCall {
  static constexpr const char* op = "rms_norm_bwd";

  opgen::Argument dy_;      // W: *batch *norm
  opgen::Argument invvar_;  // Acc: *batch
  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument weight_;  // W: *norm
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::ElementType Sum_;  // accum(promote(T, W))
  opgen::Sizes batch_;
  opgen::Sizes norm_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& invvar_in,
                          const opgen::Buffer& x_in, const opgen::Buffer& weight_in, double eps_in)
      : dy_(op, "dy", "*batch *norm", dy_in), invvar_(op, "invvar", "*batch", invvar_in),
        x_(op, "x", "*batch *norm", x_in), weight_(op, "weight", "*norm", weight_in), eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    W_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(W_, ", the dtype of dy");
    Acc_ = opgen::accum(T_);
    Sum_ = opgen::accum(opgen::promote(T_, W_));
    invvar_.dtype_is(Acc_, ", accum(x.dtype)");

    batch_ = invvar_.take(0, 0);
    x_.rank_at_least(opgen::len(batch_));
    norm_ = x_.take(opgen::len(batch_), 0);
    weight_.rank_is(opgen::len(norm_));
    dy_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar, norm of x");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar");
    weight_.shape_is(opgen::Shape() << norm_, ", norm of x");
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << norm_};
  }

  opgen::TensorSpec dweight_() const {
    return {Sum_, opgen::Shape() << norm_};
  }

  opgen::TensorSpec part_grad_() const {
    return {Acc_, opgen::Shape() << opgen::max(opgen::Int(16),
                                               opgen::min(opgen::Int(256), opgen::prod(batch_)))
                                 << opgen::prod(norm_)};
  }

  RmsNormBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdDescriptor>();
    fill(desc.n1, "n1", opgen::prod(batch_));
    fill(desc.n2, "n2", opgen::prod(norm_));
    fill(desc.eps, "eps", eps_);
    fill(desc.x_type, "x_type", T_);
    fill(desc.w_type, "w_type", W_);
    fill(desc.part_grad_size, "part_grad_size", 16);
    return desc;
  }
};

/// A call of `rms_norm_squares`, checked: sizes, results, workspace, descriptor.
struct RmsNormSquaresCall {
  static constexpr const char* op = "rms_norm_squares";

  opgen::Argument x_;       // T: *batch *norm
  opgen::Sizes norm_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormSquaresCall(const opgen::Buffer& x_in, opgen::Sizes norm_in)
      : x_(op, "x", "*batch *norm", x_in), norm_(norm_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);

    x_.rank_at_least(opgen::len(norm_));
    batch_ = x_.take(0, opgen::len(norm_));

    x_.shape_is(opgen::Shape() << batch_ << norm_);
  }

  opgen::TensorSpec squares_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  RmsNormSquaresDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormSquaresDescriptor>();
    fill(desc.rows, "rows", opgen::prod(batch_));
    fill(desc.columns, "columns", opgen::prod(norm_));
    return desc;
  }
};

/// A call of `rms_norm_scale`, checked: sizes, results, workspace, descriptor.
struct RmsNormScaleCall {
  static constexpr const char* op = "rms_norm_scale";

  opgen::Argument x_;        // T: *batch *norm
  opgen::Argument weight_;   // W: *norm
  opgen::Argument squares_;  // Acc: *batch
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;   // accum(T)
  opgen::Sizes norm_;
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormScaleCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                            const opgen::Buffer& squares_in, double eps_in)
      : x_(op, "x", "*batch *norm", x_in), weight_(op, "weight", "*norm", weight_in),
        squares_(op, "squares", "*batch", squares_in), eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);
    squares_.dtype_is(Acc_, ", accum(x.dtype)");

    norm_ = weight_.take(0, 0);
    batch_ = squares_.take(0, 0);
    x_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of squares, norm of weight");
  }

  opgen::TensorSpec y_() const {
    return {W_, opgen::Shape() << batch_ << norm_};
  }

  opgen::TensorSpec invvar_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  RmsNormScaleDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormScaleDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.eps, "eps", eps_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `rms_norm_bwd_products`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdProductsCall {
  static constexpr const char* op = "rms_norm_bwd_products";

  opgen::Argument dy_;      // W: *batch *norm
  opgen::Argument invvar_;  // Acc: *batch
  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument weight_;  // W: *norm
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::ElementType Sum_;  // accum(promote(T, W))
  opgen::Sizes batch_;
  opgen::Sizes norm_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdProductsCall(const opgen::Buffer& dy_in, const opgen::Buffer& invvar_in,
                                  const opgen::Buffer& x_in, const opgen::Buffer& weight_in)
      : dy_(op, "dy", "*batch *norm", dy_in), invvar_(op, "invvar", "*batch", invvar_in),
        x_(op, "x", "*batch *norm", x_in), weight_(op, "weight", "*norm", weight_in) {
    W_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(W_, ", the dtype of dy");
    Acc_ = opgen::accum(T_);
    Sum_ = opgen::accum(opgen::promote(T_, W_));
    invvar_.dtype_is(Acc_, ", accum(x.dtype)");

    batch_ = invvar_.take(0, 0);
    x_.rank_at_least(opgen::len(batch_));
    norm_ = x_.take(opgen::len(batch_), 0);
    weight_.rank_is(opgen::len(norm_));
    dy_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar, norm of x");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar");
    weight_.shape_is(opgen::Shape() << norm_, ", norm of x");
  }

  opgen::TensorSpec products_() const {
    return {Sum_, opgen::Shape() << batch_};
  }

  RmsNormBwdProductsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdProductsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    fill(desc.Sum, "Sum", Sum_);
    return desc;
  }
};

/// A call of `rms_norm_bwd_apply`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdApplyCall {
  static constexpr const char* op = "rms_norm_bwd_apply";

  opgen::Argument dy_;        // W: *batch *norm
  opgen::Argument invvar_;    // Acc: *batch
  opgen::Argument x_;         // T: *batch *norm
  opgen::Argument weight_;    // W: *norm
  opgen::Argument products_;  // Sum: *batch
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;    // accum(T)
  opgen::ElementType Sum_;    // accum(promote(T, W))
  opgen::Sizes batch_;
  opgen::Sizes norm_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdApplyCall(const opgen::Buffer& dy_in, const opgen::Buffer& invvar_in,
                               const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                               const opgen::Buffer& products_in)
      : dy_(op, "dy", "*batch *norm", dy_in), invvar_(op, "invvar", "*batch", invvar_in),
        x_(op, "x", "*batch *norm", x_in), weight_(op, "weight", "*norm", weight_in),
        products_(op, "products", "*batch", products_in) {
    W_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(W_, ", the dtype of dy");
    Acc_ = opgen::accum(T_);
    Sum_ = opgen::accum(opgen::promote(T_, W_));
    invvar_.dtype_is(Acc_, ", accum(x.dtype)");
    products_.dtype_is(Sum_, ", accum(promote(x.dtype, dy.dtype))");

    batch_ = invvar_.take(0, 0);
    x_.rank_at_least(opgen::len(batch_));
    norm_ = x_.take(opgen::len(batch_), 0);
    weight_.rank_is(opgen::len(norm_));
    products_.rank_is(opgen::len(batch_));
    dy_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar, norm of x");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of invvar");
    weight_.shape_is(opgen::Shape() << norm_, ", norm of x");
    products_.shape_is(opgen::Shape() << batch_, ", batch of invvar");
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << norm_};
  }

  opgen::TensorSpec dweight_() const {
    return {Sum_, opgen::Shape() << norm_};
  }

  opgen::TensorSpec part_grad_() const {
    return {Acc_, opgen::Shape() << opgen::max(opgen::Int(16),
                                               opgen::min(opgen::Int(256), opgen::prod(batch_)))
                                 << opgen::prod(norm_)};
  }

  RmsNormBwdApplyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdApplyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    fill(desc.Sum, "Sum", Sum_);
    return desc;
  }
};

}  // namespace generated
