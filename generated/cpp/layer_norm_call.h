// What the arguments of a call say about everything else.
// Rendered by opgen from layer_norm.toml.
#pragma once

#include "opgen/call.h"
#include "layer_norm.h"

namespace generated {

/// A call of `layer_norm`, checked: sizes, results, workspace, descriptor.
struct LayerNormCall {
  static constexpr const char* op = "layer_norm";

  opgen::Argument x;       // T: *batch *normalized_shape
  opgen::Argument weight;  // W: *normalized_shape
  opgen::Argument bias;    // W: *normalized_shape
  opgen::Sizes normalized_shape;
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormCall(const opgen::Buffer& x_, const opgen::Buffer& weight_,
                         const opgen::Buffer& bias_, opgen::Sizes normalized_shape_, double eps_)
      : x(op, "x", "*batch *normalized_shape", x_),
        weight(op, "weight", "*normalized_shape", weight_),
        bias(op, "bias", "*normalized_shape", bias_), normalized_shape(normalized_shape_),
        eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    W = opgen::ElementType::F32;
    if (weight.present()) {
      W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias.present() && !weight.present()) {
      W = bias.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias.present()) bias.dtype_is(W, "");
    Acc = opgen::accum(T);

    x.rank_at_least(len(normalized_shape));
    batch = x.take(0, len(normalized_shape));
    if (weight.present()) weight.rank_is(len(normalized_shape));
    if (bias.present()) bias.rank_is(len(normalized_shape));

    x.shape_is(opgen::Shape() << batch << normalized_shape);
    if (weight.present()) weight.shape_is(opgen::Shape() << normalized_shape);
    if (bias.present()) bias.shape_is(opgen::Shape() << normalized_shape);

    opgen::require(W == T || W == opgen::ElementType::F32, op, "W == T or W == f32", "W", W, "T",
                   T);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << normalized_shape};
  }

  opgen::TensorSpec mean() const {
    return {Acc, opgen::Shape() << batch};
  }

  opgen::TensorSpec rstd() const {
    return {Acc, opgen::Shape() << batch};
  }

  LayerNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape));
    fill(desc.eps, "eps", eps);
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_bwd`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdCall {
  static constexpr const char* op = "layer_norm_bwd";

  opgen::Argument dy;      // T: *batch *norm
  opgen::Argument x;       // T: *batch *norm
  opgen::Argument mean;    // Acc: *batch
  opgen::Argument rstd;    // Acc: *batch
  opgen::Argument weight;  // W: *norm
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;
  opgen::Sizes norm;
  int64_t wanted;          // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& x_,
                            const opgen::Buffer& mean_, const opgen::Buffer& rstd_,
                            const opgen::Buffer& weight_, double eps_, int64_t wanted_ = -1)
      : dy(op, "dy", "*batch *norm", dy_), x(op, "x", "*batch *norm", x_),
        mean(op, "mean", "*batch", mean_), rstd(op, "rstd", "*batch", rstd_),
        weight(op, "weight", "*norm", weight_), eps(eps_), wanted(wanted_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");
    W = opgen::ElementType::F32;
    if (weight.present()) {
      W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc = opgen::accum(T);
    mean.dtype_is(Acc, ", accum(dy.dtype)");
    rstd.dtype_is(Acc, ", accum(dy.dtype)");

    bool norm_is_known = false;
    batch = mean.take(0, 0);
    rstd.rank_is(len(batch));
    if (weight.present()) {
      norm = weight.take(0, 0);
      norm_is_known = true;
    }
    if (norm_is_known) dy.rank_is(len(batch) + len(norm));
    if (!norm_is_known) dy.rank_at_least(len(batch));
    if (!norm_is_known) {
      norm = dy.take(len(batch), 0);
      norm_is_known = true;
    }
    x.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    rstd.shape_is(opgen::Shape() << batch, ", batch of mean");

    opgen::require(W == T || W == opgen::ElementType::F32, op, "W == T or W == f32", "W", W, "T",
                   T);
  }

  bool has_dx() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << norm};
  }

  bool has_dweight() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight() const {
    return {Acc, opgen::Shape() << norm};
  }

  bool has_dbias() const { return (wanted >> 2 & 1) != 0; }

  opgen::TensorSpec dbias() const {
    return {Acc, opgen::Shape() << norm};
  }

  bool has_parts() const { return has_dweight() || has_dbias(); }

  opgen::TensorSpec parts() const {
    return {Acc, opgen::Shape() << opgen::Int(2)
                     << opgen::max(opgen::Int(32), opgen::min(opgen::Int(256), opgen::prod(batch)))
                     << opgen::prod(norm)};
  }

  LayerNormBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    if (norm.bound()) fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.eps, "eps", eps);
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_mean`, checked: sizes, results, workspace, descriptor.
struct LayerNormMeanCall {
  static constexpr const char* op = "layer_norm_mean";

  opgen::Argument x;       // T: *batch *normalized_shape
  opgen::Sizes normalized_shape;
  opgen::ElementType T;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormMeanCall(const opgen::Buffer& x_, opgen::Sizes normalized_shape_)
      : x(op, "x", "*batch *normalized_shape", x_), normalized_shape(normalized_shape_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);

    x.rank_at_least(len(normalized_shape));
    batch = x.take(0, len(normalized_shape));

    x.shape_is(opgen::Shape() << batch << normalized_shape);
  }

  opgen::TensorSpec mean() const {
    return {Acc, opgen::Shape() << batch};
  }

  LayerNormMeanDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormMeanDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape));
    fill(desc.T, "T", T);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_variance`, checked: sizes, results, workspace, descriptor.
struct LayerNormVarianceCall {
  static constexpr const char* op = "layer_norm_variance";

  opgen::Argument x;       // T: *batch *normalized_shape
  opgen::Argument mean;    // Acc: *batch
  opgen::Sizes normalized_shape;
  opgen::ElementType T;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormVarianceCall(const opgen::Buffer& x_, const opgen::Buffer& mean_,
                                 opgen::Sizes normalized_shape_)
      : x(op, "x", "*batch *normalized_shape", x_), mean(op, "mean", "*batch", mean_),
        normalized_shape(normalized_shape_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);
    mean.dtype_is(Acc, ", accum(x.dtype)");

    x.rank_at_least(len(normalized_shape));
    batch = x.take(0, len(normalized_shape));
    mean.rank_is(len(batch));

    x.shape_is(opgen::Shape() << batch << normalized_shape);
    mean.shape_is(opgen::Shape() << batch, ", batch of x");
  }

  opgen::TensorSpec variance() const {
    return {Acc, opgen::Shape() << batch};
  }

  LayerNormVarianceDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormVarianceDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape));
    fill(desc.T, "T", T);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_scale`, checked: sizes, results, workspace, descriptor.
struct LayerNormScaleCall {
  static constexpr const char* op = "layer_norm_scale";

  opgen::Argument x;         // T: *batch *normalized_shape
  opgen::Argument mean;      // Acc: *batch
  opgen::Argument variance;  // Acc: *batch
  opgen::Argument weight;    // W: *normalized_shape
  opgen::Argument bias;      // W: *normalized_shape
  opgen::Sizes normalized_shape;
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;    // accum(T)
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormScaleCall(const opgen::Buffer& x_, const opgen::Buffer& mean_,
                              const opgen::Buffer& variance_, const opgen::Buffer& weight_,
                              const opgen::Buffer& bias_, opgen::Sizes normalized_shape_,
                              double eps_)
      : x(op, "x", "*batch *normalized_shape", x_), mean(op, "mean", "*batch", mean_),
        variance(op, "variance", "*batch", variance_),
        weight(op, "weight", "*normalized_shape", weight_),
        bias(op, "bias", "*normalized_shape", bias_), normalized_shape(normalized_shape_),
        eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    W = opgen::ElementType::F32;
    if (weight.present()) {
      W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias.present() && !weight.present()) {
      W = bias.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    }
    if (bias.present()) bias.dtype_is(W, "");
    Acc = opgen::accum(T);
    mean.dtype_is(Acc, ", accum(x.dtype)");
    variance.dtype_is(Acc, ", accum(x.dtype)");

    x.rank_at_least(len(normalized_shape));
    batch = x.take(0, len(normalized_shape));
    mean.rank_is(len(batch));
    variance.rank_is(len(batch));
    if (weight.present()) weight.rank_is(len(normalized_shape));
    if (bias.present()) bias.rank_is(len(normalized_shape));

    x.shape_is(opgen::Shape() << batch << normalized_shape);
    mean.shape_is(opgen::Shape() << batch, ", batch of x");
    variance.shape_is(opgen::Shape() << batch, ", batch of x");
    if (weight.present()) weight.shape_is(opgen::Shape() << normalized_shape);
    if (bias.present()) bias.shape_is(opgen::Shape() << normalized_shape);

    opgen::require(W == T || W == opgen::ElementType::F32, op, "W == T or W == f32", "W", W, "T",
                   T);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << normalized_shape};
  }

  opgen::TensorSpec rstd() const {
    return {Acc, opgen::Shape() << batch};
  }

  LayerNormScaleDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormScaleDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.normalized_shape, "normalized_shape", normalized_shape);
    fill(desc.normalized_shape_rank, "normalized_shape_rank", opgen::len(normalized_shape));
    fill(desc.eps, "eps", eps);
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_bwd_means`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdMeansCall {
  static constexpr const char* op = "layer_norm_bwd_means";

  opgen::Argument dy;      // T: *batch *norm
  opgen::Argument x;       // T: *batch *norm
  opgen::Argument mean;    // Acc: *batch
  opgen::Argument rstd;    // Acc: *batch
  opgen::Argument weight;  // W: *norm
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;
  opgen::Sizes norm;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdMeansCall(const opgen::Buffer& dy_, const opgen::Buffer& x_,
                                 const opgen::Buffer& mean_, const opgen::Buffer& rstd_,
                                 const opgen::Buffer& weight_)
      : dy(op, "dy", "*batch *norm", dy_), x(op, "x", "*batch *norm", x_),
        mean(op, "mean", "*batch", mean_), rstd(op, "rstd", "*batch", rstd_),
        weight(op, "weight", "*norm", weight_) {
    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");
    W = opgen::ElementType::F32;
    if (weight.present()) {
      W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc = opgen::accum(T);
    mean.dtype_is(Acc, ", accum(dy.dtype)");
    rstd.dtype_is(Acc, ", accum(dy.dtype)");

    bool norm_is_known = false;
    batch = mean.take(0, 0);
    rstd.rank_is(len(batch));
    if (weight.present()) {
      norm = weight.take(0, 0);
      norm_is_known = true;
    }
    if (norm_is_known) dy.rank_is(len(batch) + len(norm));
    if (!norm_is_known) dy.rank_at_least(len(batch));
    if (!norm_is_known) {
      norm = dy.take(len(batch), 0);
      norm_is_known = true;
    }
    x.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    rstd.shape_is(opgen::Shape() << batch, ", batch of mean");

    opgen::require(W == T || W == opgen::ElementType::F32, op, "W == T or W == f32", "W", W, "T",
                   T);
  }

  opgen::TensorSpec g_mean() const {
    return {Acc, opgen::Shape() << batch};
  }

  opgen::TensorSpec gh_mean() const {
    return {Acc, opgen::Shape() << batch};
  }

  LayerNormBwdMeansDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdMeansDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    if (norm.bound()) fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `layer_norm_bwd_apply`, checked: sizes, results, workspace, descriptor.
struct LayerNormBwdApplyCall {
  static constexpr const char* op = "layer_norm_bwd_apply";

  opgen::Argument dy;       // T: *batch *norm
  opgen::Argument x;        // T: *batch *norm
  opgen::Argument mean;     // Acc: *batch
  opgen::Argument rstd;     // Acc: *batch
  opgen::Argument weight;   // W: *norm
  opgen::Argument g_mean;   // Acc: *batch
  opgen::Argument gh_mean;  // Acc: *batch
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;   // accum(T)
  opgen::Sizes batch;
  opgen::Sizes norm;
  int64_t wanted;           // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LayerNormBwdApplyCall(const opgen::Buffer& dy_, const opgen::Buffer& x_,
                                 const opgen::Buffer& mean_, const opgen::Buffer& rstd_,
                                 const opgen::Buffer& weight_, const opgen::Buffer& g_mean_,
                                 const opgen::Buffer& gh_mean_, int64_t wanted_ = -1)
      : dy(op, "dy", "*batch *norm", dy_), x(op, "x", "*batch *norm", x_),
        mean(op, "mean", "*batch", mean_), rstd(op, "rstd", "*batch", rstd_),
        weight(op, "weight", "*norm", weight_), g_mean(op, "g_mean", "*batch", g_mean_),
        gh_mean(op, "gh_mean", "*batch", gh_mean_), wanted(wanted_) {
    g_mean.present_when(has_dx(), "present(dx)");
    gh_mean.present_when(has_dx(), "present(dx)");

    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");
    W = opgen::ElementType::F32;
    if (weight.present()) {
      W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    }
    Acc = opgen::accum(T);
    mean.dtype_is(Acc, ", accum(dy.dtype)");
    rstd.dtype_is(Acc, ", accum(dy.dtype)");
    if (g_mean.present()) g_mean.dtype_is(Acc, ", accum(dy.dtype)");
    if (gh_mean.present()) gh_mean.dtype_is(Acc, ", accum(dy.dtype)");

    bool norm_is_known = false;
    batch = mean.take(0, 0);
    rstd.rank_is(len(batch));
    if (weight.present()) {
      norm = weight.take(0, 0);
      norm_is_known = true;
    }
    if (g_mean.present()) g_mean.rank_is(len(batch));
    if (gh_mean.present()) gh_mean.rank_is(len(batch));
    if (norm_is_known) dy.rank_is(len(batch) + len(norm));
    if (!norm_is_known) dy.rank_at_least(len(batch));
    if (!norm_is_known) {
      norm = dy.take(len(batch), 0);
      norm_is_known = true;
    }
    x.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of mean, norm of weight");
    rstd.shape_is(opgen::Shape() << batch, ", batch of mean");
    if (g_mean.present()) g_mean.shape_is(opgen::Shape() << batch, ", batch of mean");
    if (gh_mean.present()) gh_mean.shape_is(opgen::Shape() << batch, ", batch of mean");

    opgen::require(W == T || W == opgen::ElementType::F32, op, "W == T or W == f32", "W", W, "T",
                   T);
  }

  bool has_dx() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << norm};
  }

  bool has_dweight() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight() const {
    return {Acc, opgen::Shape() << norm};
  }

  bool has_dbias() const { return (wanted >> 2 & 1) != 0; }

  opgen::TensorSpec dbias() const {
    return {Acc, opgen::Shape() << norm};
  }

  bool has_parts() const { return has_dweight() || has_dbias(); }

  opgen::TensorSpec parts() const {
    return {Acc, opgen::Shape() << opgen::Int(2)
                     << opgen::max(opgen::Int(32), opgen::min(opgen::Int(256), opgen::prod(batch)))
                     << opgen::prod(norm)};
  }

  LayerNormBwdApplyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LayerNormBwdApplyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    if (norm.bound()) fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

}  // namespace generated
