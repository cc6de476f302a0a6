// The checked calls of the layouts family: dtypes, sizes and results from the arguments.
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

/// A call of `last_token`, checked: sizes, results, workspace, descriptor.
struct LastTokenCall {
  static constexpr const char* op = "last_token";

  opgen::Argument x_;        // T: t d or b t d
  opgen::Argument offsets_;  // i32: b+1
  opgen::ElementType T_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int b_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LastTokenCall(const opgen::Buffer& x_in, const opgen::Buffer& offsets_in)
      : x_(op, "x", "t d or b t d", x_in), offsets_(op, "offsets", "b+1", offsets_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F16));
    if (offsets_.present()) offsets_.dtype_is(opgen::ElementType::I32, "");

    bool b_known = false;
    if (offsets_.present()) x_.rank_is(2);
    if (offsets_.present()) t_ = x_.size(0);
    if (offsets_.present()) d_ = x_.size(1);
    if (!offsets_.present()) x_.rank_is(3);
    if (!offsets_.present()) {
      b_ = x_.size(0);
      b_known = true;
    }
    if (!offsets_.present()) t_ = x_.size(1);
    if (!offsets_.present()) d_ = x_.size(2);
    if (offsets_.present()) offsets_.rank_is(1);
    if (offsets_.present() && !b_known) {
      b_ = offsets_.solve(offsets_.size(0), 1, 1, "b + 1", "b");
      b_known = true;
    }

    if (offsets_.present()) x_.shape_is(opgen::Shape() << t_ << d_);
    if (!offsets_.present()) x_.shape_is(opgen::Shape() << b_ << t_ << d_, ", b of offsets");
    if (offsets_.present()) offsets_.shape_is(opgen::Shape() << b_ + 1, ", b of x");

    opgen::require(offsets_.present() || t_ > 0, op, "a token in each sequence", "t", t_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << b_ << d_};
  }

  LastTokenDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LastTokenDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.d, "d", d_);
    fill(desc.b, "b", b_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
