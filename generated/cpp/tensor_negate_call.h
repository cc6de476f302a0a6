// What the arguments of a call say about everything else.
// Rendered by opgen from tensor_negate.toml.
#pragma once

#include "opgen/call.h"
#include "tensor_negate.h"

namespace generated {

/// A call of `tensor_negate`, checked: sizes, results, workspace, descriptor.
struct TensorNegateCall {
  static constexpr const char* op = "tensor_negate";

  opgen::Argument x;  // T: *s
  opgen::ElementType T;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TensorNegateCall(const opgen::Buffer& x_)
      : x(op, "x", "*s", x_) {
    T = x.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::F64, opgen::ElementType::I8));

    s = x.take(0, 0);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s};
  }

  TensorNegateDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TensorNegateDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
