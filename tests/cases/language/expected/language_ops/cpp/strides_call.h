// The checked calls of the strides family: dtypes, sizes and results from the arguments.
// Rendered by opgen from strides.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "strides.h"

namespace language_ops {

/// A call of `square`, checked: sizes, results, workspace, descriptor.
struct SquareCall {
  static constexpr const char* op = "square";

  opgen::Argument x_;  // T: *s
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SquareCall(const opgen::Buffer& x_in)
      : x_(op, "x", "*s", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    s_ = x_.take(0, 0);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_, opgen::order_of(x_)};
  }

  SquareDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SquareDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `head_norms`, checked: sizes, results, workspace, descriptor.
struct HeadNormsCall {
  static constexpr const char* op = "head_norms";

  opgen::Argument x_;  // T: t h d
  opgen::ElementType T_;
  opgen::Int t_;
  opgen::Int h_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit HeadNormsCall(const opgen::Buffer& x_in)
      : x_(op, "x", "t h d", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(3);
    t_ = x_.size(0);
    h_ = x_.size(1);
    d_ = x_.size(2);
  }

  opgen::TensorSpec norms_() const {
    return {T_, opgen::Shape() << t_ << h_, opgen::Order{{1, 0}, 2, -1}};
  }

  HeadNormsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<HeadNormsDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.h, "h", h_);
    fill(desc.d, "d", d_);
    fill(desc.x_stride_t, "x_stride_t", opgen::stride(x_, 0));
    fill(desc.x_stride_h, "x_stride_h", opgen::stride(x_, 1));
    fill(desc.x_stride_d, "x_stride_d", opgen::stride(x_, 2));
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `scale_all`, checked: sizes, results, workspace, descriptor.
struct ScaleAllCall {
  static constexpr const char* op = "scale_all";

  opgen::ArgumentList xs_;  // T: *s[i]
  opgen::Argument factor_;  // T: scalar
  opgen::ElementType T_;
  opgen::Int n_;
  std::vector<opgen::Sizes> s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ScaleAllCall(const opgen::BufferList& xs_in, const opgen::Buffer& factor_in)
      : xs_(op, "xs", "*s[i]", xs_in), factor_(op, "factor", "", factor_in) {
    T_ = xs_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    factor_.dtype_is(T_, ", the dtype of xs");

    n_ = xs_.count;
    for (int64_t i = 0; i < xs_.count; ++i) s_.push_back(xs_[i].take(0, 0));
    factor_.rank_is(0);
  }

  std::vector<opgen::TensorSpec> ys_() const {
    std::vector<opgen::TensorSpec> specs;
    for (int64_t i = 0; i < n_.value(); ++i) {
      specs.push_back({T_, opgen::Shape() << s_[i], opgen::order_of(xs_[i])});
    }
    return specs;
  }

  ScaleAllDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ScaleAllDescriptor>();
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
