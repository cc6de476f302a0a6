// The checked calls of the layer_norm family: dtypes, sizes and results from the arguments.
// Rendered by opgen from layer_norm.toml.
#pragma once

#include "opgen/call.h"
#include "layer_norm.h"

namespace generated {

/// A call of `layer_norm`, checked: sizes, results, workspace, descriptor.
struct LayerNormCall {
  static constexpr const char* op = "layer_norm";

  opgen::Argument x_;       // T: *batch *normalized_shape
  opgen::Argument weight_;  // W: *normalized_shape
  opgen::Argument bias_;    // W: *normalized_shape
  opgen::Sizes normalized_shape_;
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                         const opgen::Buffer& bias_in, opgen::Sizes normalized_shape_in,
                         double eps_in)
      : x_(op, "x", "*batch *normalized_shape", x_in),
        weight_(op, "weight", "*normalized_shape", weight_in),
        bias_(op, "bias", "*normalized_shape", bias_in), normalized_shape_(normalized_shape_in),
        eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias_.present() && !weight_.present()) {
      W_ = bias_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias_.present()) bias_.dtype_is(W_, "");
    Acc_ = opgen::accum(T_);

    x_.rank_at_least(opgen::len(normalized_shape_));
    batch_ = x_.take(0, opgen::len(normalized_shape_));
    if (weight_.present()) weight_.rank_is(opgen::len(normalized_shape_));
    if (bias_.present()) bias_.rank_is(opgen::len(normalized_shape_));

    x_.shape_is(opgen::Shape() << batch_ << normalized_shape_);
    if (weight_.present()) weight_.shape_is(opgen::Shape() << normalized_shape_);
    if (bias_.present()) bias_.shape_is(opgen::Shape() << normalized_shape_);

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << normalized_shape_};
  }

  opgen::TensorSpec mean_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec rstd_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LayerNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape_));
    fill(desc.eps, "eps", eps_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_bwd`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdCall {
  static constexpr const char* op = "layer_norm_bwd";

  opgen::Argument dy_;      // T: *batch *norm
  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument mean_;    // Acc: *batch
  opgen::Argument rstd_;    // Acc: *batch
  opgen::Argument weight_;  // W: *norm
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes norm_;
  int64_t wanted;           // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                            const opgen::Buffer& mean_in, const opgen::Buffer& rstd_in,
                            const opgen::Buffer& weight_in, double eps_in, int64_t asked = -1)
      : dy_(op, "dy", "*batch *norm", dy_in), x_(op, "x", "*batch *norm", x_in),
        mean_(op, "mean", "*batch", mean_in), rstd_(op, "rstd", "*batch", rstd_in),
        weight_(op, "weight", "*norm", weight_in), eps_(eps_in), wanted(asked) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc_ = opgen::accum(T_);
    mean_.dtype_is(Acc_, ", accum(dy.dtype)");
    rstd_.dtype_is(Acc_, ", accum(dy.dtype)");

    bool norm_known = false;
    batch_ = mean_.take(0, 0);
    rstd_.rank_is(opgen::len(batch_));
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

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight or dy");
    rstd_.shape_is(opgen::Shape() << batch_, ", batch of mean");

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  bool dx_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << norm_};
  }

  bool dweight_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {Acc_, opgen::Shape() << norm_};
  }

  bool dbias_present() const { return (wanted >> 2 & 1) != 0; }

  opgen::TensorSpec dbias_() const {
    return {Acc_, opgen::Shape() << norm_};
  }

  bool parts_present() const { return dweight_present() || dbias_present(); }

  opgen::TensorSpec parts_() const {
    return {Acc_, opgen::Shape() << opgen::Int(2)
                                 << opgen::max(opgen::Int(32),
                                               opgen::min(opgen::Int(256), opgen::prod(batch_)))
                                 << opgen::prod(norm_)};
  }

  LayerNormBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    if (norm_.bound()) fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.eps, "eps", eps_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_mean`, checked: sizes, results, workspace, descriptor.
struct LayerNormMeanCall {
  static constexpr const char* op = "layer_norm_mean";

  opgen::Argument x_;       // T: *batch *normalized_shape
  opgen::Sizes normalized_shape_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormMeanCall(const opgen::Buffer& x_in, opgen::Sizes normalized_shape_in)
      : x_(op, "x", "*batch *normalized_shape", x_in), normalized_shape_(normalized_shape_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);

    x_.rank_at_least(opgen::len(normalized_shape_));
    batch_ = x_.take(0, opgen::len(normalized_shape_));

    x_.shape_is(opgen::Shape() << batch_ << normalized_shape_);
  }

  opgen::TensorSpec mean_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LayerNormMeanDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormMeanDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape_));
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_variance`, checked: sizes, results, workspace, descriptor.
struct LayerNormVarianceCall {
  static constexpr const char* op = "layer_norm_variance";

  opgen::Argument x_;       // T: *batch *normalized_shape
  opgen::Argument mean_;    // Acc: *batch
  opgen::Sizes normalized_shape_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormVarianceCall(const opgen::Buffer& x_in, const opgen::Buffer& mean_in,
                                 opgen::Sizes normalized_shape_in)
      : x_(op, "x", "*batch *normalized_shape", x_in), mean_(op, "mean", "*batch", mean_in),
        normalized_shape_(normalized_shape_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);
    mean_.dtype_is(Acc_, ", accum(x.dtype)");

    x_.rank_at_least(opgen::len(normalized_shape_));
    batch_ = x_.take(0, opgen::len(normalized_shape_));
    mean_.rank_is(opgen::len(batch_));

    x_.shape_is(opgen::Shape() << batch_ << normalized_shape_);
    mean_.shape_is(opgen::Shape() << batch_, ", batch of x");
  }

  opgen::TensorSpec variance_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LayerNormVarianceDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormVarianceDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape_));
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_scale`, checked: sizes, results, workspace, descriptor.
struct LayerNormScaleCall {
  static constexpr const char* op = "layer_norm_scale";

  opgen::Argument x_;         // T: *batch *normalized_shape
  opgen::Argument mean_;      // Acc: *batch
  opgen::Argument variance_;  // Acc: *batch
  opgen::Argument weight_;    // W: *normalized_shape
  opgen::Argument bias_;      // W: *normalized_shape
  opgen::Sizes normalized_shape_;
  double eps_;
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;    // accum(T)
  opgen::Sizes batch_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormScaleCall(const opgen::Buffer& x_in, const opgen::Buffer& mean_in,
                              const opgen::Buffer& variance_in, const opgen::Buffer& weight_in,
                              const opgen::Buffer& bias_in, opgen::Sizes normalized_shape_in,
                              double eps_in)
      : x_(op, "x", "*batch *normalized_shape", x_in), mean_(op, "mean", "*batch", mean_in),
        variance_(op, "variance", "*batch", variance_in),
        weight_(op, "weight", "*normalized_shape", weight_in),
        bias_(op, "bias", "*normalized_shape", bias_in), normalized_shape_(normalized_shape_in),
        eps_(eps_in) {
    opgen::at_least(op, "eps", eps_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias_.present() && !weight_.present()) {
      W_ = bias_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias_.present()) bias_.dtype_is(W_, "");
    Acc_ = opgen::accum(T_);
    mean_.dtype_is(Acc_, ", accum(x.dtype)");
    variance_.dtype_is(Acc_, ", accum(x.dtype)");

    x_.rank_at_least(opgen::len(normalized_shape_));
    batch_ = x_.take(0, opgen::len(normalized_shape_));
    mean_.rank_is(opgen::len(batch_));
    variance_.rank_is(opgen::len(batch_));
    if (weight_.present()) weight_.rank_is(opgen::len(normalized_shape_));
    if (bias_.present()) bias_.rank_is(opgen::len(normalized_shape_));

    x_.shape_is(opgen::Shape() << batch_ << normalized_shape_);
    mean_.shape_is(opgen::Shape() << batch_, ", batch of x");
    variance_.shape_is(opgen::Shape() << batch_, ", batch of x");
    if (weight_.present()) weight_.shape_is(opgen::Shape() << normalized_shape_);
    if (bias_.present()) bias_.shape_is(opgen::Shape() << normalized_shape_);

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << normalized_shape_};
  }

  opgen::TensorSpec rstd_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LayerNormScaleDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormScaleDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape_));
    fill(desc.eps, "eps", eps_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_bwd_means`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdMeansCall {
  static constexpr const char* op = "layer_norm_bwd_means";

  opgen::Argument dy_;      // T: *batch *norm
  opgen::Argument x_;       // T: *batch *norm
  opgen::Argument mean_;    // Acc: *batch
  opgen::Argument rstd_;    // Acc: *batch
  opgen::Argument weight_;  // W: *norm
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes norm_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdMeansCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                                 const opgen::Buffer& mean_in, const opgen::Buffer& rstd_in,
                                 const opgen::Buffer& weight_in)
      : dy_(op, "dy", "*batch *norm", dy_in), x_(op, "x", "*batch *norm", x_in),
        mean_(op, "mean", "*batch", mean_in), rstd_(op, "rstd", "*batch", rstd_in),
        weight_(op, "weight", "*norm", weight_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc_ = opgen::accum(T_);
    mean_.dtype_is(Acc_, ", accum(dy.dtype)");
    rstd_.dtype_is(Acc_, ", accum(dy.dtype)");

    bool norm_known = false;
    batch_ = mean_.take(0, 0);
    rstd_.rank_is(opgen::len(batch_));
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

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight or dy");
    rstd_.shape_is(opgen::Shape() << batch_, ", batch of mean");

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec g_mean_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec gh_mean_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LayerNormBwdMeansDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdMeansDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    if (norm_.bound()) fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `layer_norm_bwd_apply`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdApplyCall {
  static constexpr const char* op = "layer_norm_bwd_apply";

  opgen::Argument dy_;       // T: *batch *norm
  opgen::Argument x_;        // T: *batch *norm
  opgen::Argument mean_;     // Acc: *batch
  opgen::Argument rstd_;     // Acc: *batch
  opgen::Argument weight_;   // W: *norm
  opgen::Argument g_mean_;   // Acc: *batch
  opgen::Argument gh_mean_;  // Acc: *batch
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::ElementType Acc_;   // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes norm_;
  int64_t wanted;            // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdApplyCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                                 const opgen::Buffer& mean_in, const opgen::Buffer& rstd_in,
                                 const opgen::Buffer& weight_in, const opgen::Buffer& g_mean_in,
                                 const opgen::Buffer& gh_mean_in, int64_t asked = -1)
      : dy_(op, "dy", "*batch *norm", dy_in), x_(op, "x", "*batch *norm", x_in),
        mean_(op, "mean", "*batch", mean_in), rstd_(op, "rstd", "*batch", rstd_in),
        weight_(op, "weight", "*norm", weight_in), g_mean_(op, "g_mean", "*batch", g_mean_in),
        gh_mean_(op, "gh_mean", "*batch", gh_mean_in), wanted(asked) {
    g_mean_.present_when(dx_present(), "present(dx)");
    gh_mean_.present_when(dx_present(), "present(dx)");

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    W_ = opgen::ElementType::F32;
    if (weight_.present()) {
      W_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc_ = opgen::accum(T_);
    mean_.dtype_is(Acc_, ", accum(dy.dtype)");
    rstd_.dtype_is(Acc_, ", accum(dy.dtype)");
    if (g_mean_.present()) g_mean_.dtype_is(Acc_, ", accum(dy.dtype)");
    if (gh_mean_.present()) gh_mean_.dtype_is(Acc_, ", accum(dy.dtype)");

    bool norm_known = false;
    batch_ = mean_.take(0, 0);
    rstd_.rank_is(opgen::len(batch_));
    if (weight_.present()) {
      norm_ = weight_.take(0, 0);
      norm_known = true;
    }
    if (g_mean_.present()) g_mean_.rank_is(opgen::len(batch_));
    if (gh_mean_.present()) gh_mean_.rank_is(opgen::len(batch_));
    if (norm_known) dy_.rank_is(opgen::len(batch_) + opgen::len(norm_));
    if (!norm_known) dy_.rank_at_least(opgen::len(batch_));
    if (!norm_known) {
      norm_ = dy_.take(opgen::len(batch_), 0);
      norm_known = true;
    }
    x_.rank_is(opgen::len(batch_) + opgen::len(norm_));

    dy_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight");
    x_.shape_is(opgen::Shape() << batch_ << norm_, ", batch of mean, norm of weight or dy");
    rstd_.shape_is(opgen::Shape() << batch_, ", batch of mean");
    if (g_mean_.present()) g_mean_.shape_is(opgen::Shape() << batch_, ", batch of mean");
    if (gh_mean_.present()) gh_mean_.shape_is(opgen::Shape() << batch_, ", batch of mean");

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  bool dx_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << norm_};
  }

  bool dweight_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {Acc_, opgen::Shape() << norm_};
  }

  bool dbias_present() const { return (wanted >> 2 & 1) != 0; }

  opgen::TensorSpec dbias_() const {
    return {Acc_, opgen::Shape() << norm_};
  }

  bool parts_present() const { return dweight_present() || dbias_present(); }

  opgen::TensorSpec parts_() const {
    return {Acc_, opgen::Shape() << opgen::Int(2)
                                 << opgen::max(opgen::Int(32),
                                               opgen::min(opgen::Int(256), opgen::prod(batch_)))
                                 << opgen::prod(norm_)};
  }

  LayerNormBwdApplyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdApplyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    if (norm_.bound()) fill(desc.norm, "norm", opgen::prod(norm_));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm_));
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
