// What the arguments of a call say about everything else.
// Rendered by opgen from relu.toml.
#pragma once

#include "opgen/call.h"
#include "relu.h"

namespace generated {

/// A call of `relu`, checked: sizes, results, workspace, descriptor.
struct ReluCall {
  static constexpr const char* op = "relu";

  opgen::Argument x;  // T: *s
  opgen::ElementType T;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ReluCall(const opgen::Buffer& x_)
      : x(op, "x", "*s", x_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64,
                                opgen::ElementType::I8));

    s = x.take(0, 0);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s};
  }

  ReluDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ReluDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `relu_bwd`, checked: sizes, results, workspace, descriptor.
struct ReluBwdCall {
  static constexpr const char* op = "relu_bwd";

  opgen::Argument dy;  // F: *s
  opgen::Argument y;   // F: *s
  opgen::ElementType F;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ReluBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& y_)
      : dy(op, "dy", "*s", dy_), y(op, "y", "*s", y_) {
    F = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    y.dtype_is(F, ", the dtype of dy");

    s = dy.take(0, 0);
    y.rank_is(len(s));

    y.shape_is(opgen::Shape() << s, ", s of dy");
  }

  opgen::TensorSpec dx() const {
    return {F, opgen::Shape() << s};
  }

  ReluBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ReluBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.F, "F", F);
    return desc;
  }
};

}  // namespace generated
