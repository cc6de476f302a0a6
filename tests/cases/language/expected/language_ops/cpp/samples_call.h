// The checked calls of the samples family: dtypes, sizes and results from the arguments.
// Rendered by opgen from samples.toml.
#pragma once

#include "opgen/call.h"
#include "samples.h"

namespace language_ops {

/// A call of `swap_bytes`, checked: sizes, results, workspace, descriptor.
struct SwapBytesCall {
  static constexpr const char* op = "swap_bytes";

  opgen::Argument x_;  // i16: *s
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SwapBytesCall(const opgen::Buffer& x_in)
      : x_(op, "x", "*s", x_in) {
    x_.dtype_is(opgen::ElementType::I16, "");

    s_ = x_.take(0, 0);
  }

  opgen::TensorSpec y_() const {
    return {opgen::ElementType::I16, opgen::Shape() << s_};
  }

  SwapBytesDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SwapBytesDescriptor>();
    fill(desc.count, "count", 2 * opgen::numel(x_));
    return desc;
  }
};

}  // namespace language_ops
