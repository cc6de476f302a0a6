// The checked calls of the relu family: dtypes, sizes and results from the arguments.
// Rendered by opgen from relu.toml.
#pragma once

#include "opgen/call.h"
#include "relu.h"

namespace generated {

/// A call of `relu`, checked: sizes, results, workspace, descriptor.
struct ReluCall {
  static constexpr const char* op = "relu";

  opgen::Argument x_;  // T: *s
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ReluCall(const opgen::Buffer& x_in)
      : x_(op, "x", "*s", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64,
                                  opgen::ElementType::I8, opgen::ElementType::I32));

    s_ = x_.take(0, 0);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  ReluDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ReluDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `relu_bwd`, checked: sizes, results, workspace, descriptor.
struct ReluBwdCall {
  static constexpr const char* op = "relu_bwd";

  opgen::Argument dy_;  // F: *s
  opgen::Argument y_;   // F: *s
  opgen::ElementType F_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ReluBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& y_in)
      : dy_(op, "dy", "*s", dy_in), y_(op, "y", "*s", y_in) {
    F_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    y_.dtype_is(F_, ", the dtype of dy");

    s_ = dy_.take(0, 0);
    y_.rank_is(opgen::len(s_));

    y_.shape_is(opgen::Shape() << s_, ", s of dy");
  }

  opgen::TensorSpec dx_() const {
    return {F_, opgen::Shape() << s_};
  }

  ReluBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ReluBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.F, "F", F_);
    return desc;
  }
};

}  // namespace generated
