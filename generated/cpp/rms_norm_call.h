// What the arguments of a call say about everything else.
// Rendered by opgen from rms_norm.toml.
#pragma once

#include "opgen/call.h"
#include "rms_norm.h"

namespace generated {

/// A call of `rms_norm`, checked: sizes, results, workspace, descriptor.
struct RmsNormCall {
  static constexpr const char* op = "rms_norm";

  opgen::Argument x;       // T: *batch *norm
  opgen::Argument weight;  // W: *norm
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes norm;
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormCall(const opgen::Buffer& x_, const opgen::Buffer& weight_, double eps_)
      : x(op, "x", "*batch *norm", x_), weight(op, "weight", "*norm", weight_), eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);

    norm = weight.take(0, 0);
    x.rank_at_least(len(norm));
    batch = x.take(0, len(norm));

    x.shape_is(opgen::Shape() << batch << norm, ", norm of weight");
  }

  opgen::TensorSpec y() const {
    return {W, opgen::Shape() << batch << norm};
  }

  opgen::TensorSpec invvar() const {
    return {Acc, opgen::Shape() << batch};
  }

  RmsNormDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormDescriptor>();
    fill(desc.n1, "n1", opgen::prod(batch));
    fill(desc.n2, "n2", opgen::prod(norm));
    fill(desc.eps, "eps", eps);
    fill(desc.x_type, "x_type", T);
    fill(desc.w_type, "w_type", W);
    fill(desc.part_grad_size, "part_grad_size", 0);
    return desc;
  }
};

/// A call of `rms_norm_bwd`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdCall {
  static constexpr const char* op = "rms_norm_bwd";

  opgen::Argument dy;      // W: *batch *norm
  opgen::Argument invvar;  // Acc: *batch
  opgen::Argument x;       // T: *batch *norm
  opgen::Argument weight;  // W: *norm
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::ElementType Sum;  // accum(promote(T, W))
  opgen::Sizes batch;
  opgen::Sizes norm;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& invvar_,
                          const opgen::Buffer& x_, const opgen::Buffer& weight_, double eps_)
      : dy(op, "dy", "*batch *norm", dy_), invvar(op, "invvar", "*batch", invvar_),
        x(op, "x", "*batch *norm", x_), weight(op, "weight", "*norm", weight_), eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    W = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    weight.dtype_is(W, ", the dtype of dy");
    Acc = opgen::accum(T);
    Sum = opgen::accum(opgen::promote(T, W));
    invvar.dtype_is(Acc, ", accum(x.dtype)");

    batch = invvar.take(0, 0);
    x.rank_at_least(len(batch));
    norm = x.take(len(batch), 0);
    weight.rank_is(len(norm));
    dy.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of invvar, norm of x");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of invvar");
    weight.shape_is(opgen::Shape() << norm, ", norm of x");
  }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << norm};
  }

  opgen::TensorSpec dweight() const {
    return {Sum, opgen::Shape() << norm};
  }

  opgen::TensorSpec part_grad() const {
    return {Acc, opgen::Shape() << opgen::max(opgen::Int(16),
                                              opgen::min(opgen::Int(256), opgen::prod(batch)))
                                << opgen::prod(norm)};
  }

  RmsNormBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdDescriptor>();
    fill(desc.n1, "n1", opgen::prod(batch));
    fill(desc.n2, "n2", opgen::prod(norm));
    fill(desc.eps, "eps", eps);
    fill(desc.x_type, "x_type", T);
    fill(desc.w_type, "w_type", W);
    fill(desc.part_grad_size, "part_grad_size", 16);
    return desc;
  }
};

/// A call of `rms_norm_squares`, checked: sizes, results, workspace, descriptor.
struct RmsNormSquaresCall {
  static constexpr const char* op = "rms_norm_squares";

  opgen::Argument x;       // T: *batch *norm
  opgen::Sizes norm;
  opgen::ElementType T;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormSquaresCall(const opgen::Buffer& x_, opgen::Sizes norm_)
      : x(op, "x", "*batch *norm", x_), norm(norm_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);

    x.rank_at_least(len(norm));
    batch = x.take(0, len(norm));

    x.shape_is(opgen::Shape() << batch << norm);
  }

  opgen::TensorSpec squares() const {
    return {Acc, opgen::Shape() << batch};
  }

  RmsNormSquaresDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormSquaresDescriptor>();
    fill(desc.rows, "rows", opgen::prod(batch));
    fill(desc.columns, "columns", opgen::prod(norm));
    return desc;
  }
};

/// A call of `rms_norm_scale`, checked: sizes, results, workspace, descriptor.
struct RmsNormScaleCall {
  static constexpr const char* op = "rms_norm_scale";

  opgen::Argument x;        // T: *batch *norm
  opgen::Argument weight;   // W: *norm
  opgen::Argument squares;  // Acc: *batch
  double eps;
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;   // accum(T)
  opgen::Sizes norm;
  opgen::Sizes batch;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormScaleCall(const opgen::Buffer& x_, const opgen::Buffer& weight_,
                            const opgen::Buffer& squares_, double eps_)
      : x(op, "x", "*batch *norm", x_), weight(op, "weight", "*norm", weight_),
        squares(op, "squares", "*batch", squares_), eps(eps_) {
    opgen::at_least(op, "eps", eps, 0.0);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    W = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);
    squares.dtype_is(Acc, ", accum(x.dtype)");

    norm = weight.take(0, 0);
    batch = squares.take(0, 0);
    x.rank_is(len(batch) + len(norm));

    x.shape_is(opgen::Shape() << batch << norm, ", batch of squares, norm of weight");
  }

  opgen::TensorSpec y() const {
    return {W, opgen::Shape() << batch << norm};
  }

  opgen::TensorSpec invvar() const {
    return {Acc, opgen::Shape() << batch};
  }

  RmsNormScaleDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormScaleDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.eps, "eps", eps);
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `rms_norm_bwd_products`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdProductsCall {
  static constexpr const char* op = "rms_norm_bwd_products";

  opgen::Argument dy;      // W: *batch *norm
  opgen::Argument invvar;  // Acc: *batch
  opgen::Argument x;       // T: *batch *norm
  opgen::Argument weight;  // W: *norm
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;  // accum(T)
  opgen::ElementType Sum;  // accum(promote(T, W))
  opgen::Sizes batch;
  opgen::Sizes norm;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdProductsCall(const opgen::Buffer& dy_, const opgen::Buffer& invvar_,
                                  const opgen::Buffer& x_, const opgen::Buffer& weight_)
      : dy(op, "dy", "*batch *norm", dy_), invvar(op, "invvar", "*batch", invvar_),
        x(op, "x", "*batch *norm", x_), weight(op, "weight", "*norm", weight_) {
    W = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    weight.dtype_is(W, ", the dtype of dy");
    Acc = opgen::accum(T);
    Sum = opgen::accum(opgen::promote(T, W));
    invvar.dtype_is(Acc, ", accum(x.dtype)");

    batch = invvar.take(0, 0);
    x.rank_at_least(len(batch));
    norm = x.take(len(batch), 0);
    weight.rank_is(len(norm));
    dy.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of invvar, norm of x");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of invvar");
    weight.shape_is(opgen::Shape() << norm, ", norm of x");
  }

  opgen::TensorSpec products() const {
    return {Sum, opgen::Shape() << batch};
  }

  RmsNormBwdProductsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdProductsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    fill(desc.Sum, "Sum", Sum);
    return desc;
  }
};

/// A call of `rms_norm_bwd_apply`, checked: sizes, results, workspace, descriptor.
struct RmsNormBwdApplyCall {
  static constexpr const char* op = "rms_norm_bwd_apply";

  opgen::Argument dy;        // W: *batch *norm
  opgen::Argument invvar;    // Acc: *batch
  opgen::Argument x;         // T: *batch *norm
  opgen::Argument weight;    // W: *norm
  opgen::Argument products;  // Sum: *batch
  opgen::ElementType T;
  opgen::ElementType W;
  opgen::ElementType Acc;    // accum(T)
  opgen::ElementType Sum;    // accum(promote(T, W))
  opgen::Sizes batch;
  opgen::Sizes norm;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RmsNormBwdApplyCall(const opgen::Buffer& dy_, const opgen::Buffer& invvar_,
                               const opgen::Buffer& x_, const opgen::Buffer& weight_,
                               const opgen::Buffer& products_)
      : dy(op, "dy", "*batch *norm", dy_), invvar(op, "invvar", "*batch", invvar_),
        x(op, "x", "*batch *norm", x_), weight(op, "weight", "*norm", weight_),
        products(op, "products", "*batch", products_) {
    W = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    weight.dtype_is(W, ", the dtype of dy");
    Acc = opgen::accum(T);
    Sum = opgen::accum(opgen::promote(T, W));
    invvar.dtype_is(Acc, ", accum(x.dtype)");
    products.dtype_is(Sum, ", accum(promote(x.dtype, dy.dtype))");

    batch = invvar.take(0, 0);
    x.rank_at_least(len(batch));
    norm = x.take(len(batch), 0);
    weight.rank_is(len(norm));
    products.rank_is(len(batch));
    dy.rank_is(len(batch) + len(norm));

    dy.shape_is(opgen::Shape() << batch << norm, ", batch of invvar, norm of x");
    x.shape_is(opgen::Shape() << batch << norm, ", batch of invvar");
    weight.shape_is(opgen::Shape() << norm, ", norm of x");
    products.shape_is(opgen::Shape() << batch, ", batch of invvar");
  }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << norm};
  }

  opgen::TensorSpec dweight() const {
    return {Sum, opgen::Shape() << norm};
  }

  opgen::TensorSpec part_grad() const {
    return {Acc, opgen::Shape() << opgen::max(opgen::Int(16),
                                              opgen::min(opgen::Int(256), opgen::prod(batch)))
                                << opgen::prod(norm)};
  }

  RmsNormBwdApplyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RmsNormBwdApplyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.norm, "norm", opgen::prod(norm));
    fill(desc.norm_rank, "norm_rank", opgen::len(norm));
    fill(desc.T, "T", T);
    fill(desc.W, "W", W);
    fill(desc.Acc, "Acc", Acc);
    fill(desc.Sum, "Sum", Sum);
    return desc;
  }
};

}  // namespace generated
