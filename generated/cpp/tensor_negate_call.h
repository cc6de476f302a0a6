// The checked calls of the tensor_negate family: dtypes, sizes and results from the arguments.
// Rendered by opgen from tensor_negate.toml.
#pragma once

#include "opgen/call.h"
#include "tensor_negate.h"

namespace generated {

/// A call of `tensor_negate`, checked: sizes, results, workspace, descriptor.
struct TensorNegateCall {
  static constexpr const char* op = "tensor_negate";

  opgen::Argument x_;  // T: *s
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TensorNegateCall(const opgen::Buffer& x_in)
      : x_(op, "x", "*s", x_in) {
    T_ = x_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::F64, opgen::ElementType::I8));

    s_ = x_.take(0, 0);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  TensorNegateDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TensorNegateDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
