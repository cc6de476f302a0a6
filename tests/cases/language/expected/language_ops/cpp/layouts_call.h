// What the arguments of a call say about everything else.
// Rendered by opgen from layouts.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "layouts.h"

namespace language_ops {

/// A call of `heads_first`, checked: sizes, results, workspace, descriptor.
struct HeadsFirstCall {
  static constexpr const char* op = "heads_first";

  opgen::Argument x_;      // T: t h d or h t d
  std::string_view order_;
  int64_t order_position;  // among its choices
  bool wide_;
  opgen::ElementType T_;
  opgen::Int t_;
  opgen::Int h_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit HeadsFirstCall(const opgen::Buffer& x_in, std::string_view order_in, bool wide_in)
      : x_(op, "x", "t h d or h t d", x_in), order_(order_in), wide_(wide_in) {
    order_position = opgen::choice(op, "order", order_, "THD", "HTD");

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F16));

    if ((order_ == "THD")) x_.rank_is(3);
    if ((order_ == "THD")) t_ = x_.size(0);
    if ((order_ == "THD")) h_ = x_.size(1);
    if ((order_ == "THD")) d_ = x_.size(2);
    if (!(order_ == "THD")) x_.rank_is(3);
    if (!(order_ == "THD")) h_ = x_.size(0);
    if (!(order_ == "THD")) t_ = x_.size(1);
    if (!(order_ == "THD")) d_ = x_.size(2);

    if ((order_ == "THD")) x_.shape_is(opgen::Shape() << t_ << h_ << d_);
    if (!(order_ == "THD")) x_.shape_is(opgen::Shape() << h_ << t_ << d_);
  }

  opgen::TensorSpec y_() const {
    return {wide_ ? opgen::ElementType::F32 : T_, opgen::Shape() << h_ << t_ << d_};
  }

  HeadsFirstDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<HeadsFirstDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.h, "h", h_);
    fill(desc.d, "d", d_);
    fill(desc.order, "order", order_position);
    fill(desc.wide, "wide", wide_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
