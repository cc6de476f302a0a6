// What the arguments of a call say about everything else.
// Rendered by opgen from samples.toml.
#pragma once

#include "opgen/call.h"
#include "samples.h"

namespace language_ops {

/// A call of `swap_bytes`, checked: sizes, results, workspace, descriptor.
struct SwapBytesCall {
  static constexpr const char* op = "swap_bytes";

  opgen::Argument x;  // i16: *s
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SwapBytesCall(const opgen::Buffer& x_)
      : x(op, "x", "*s", x_) {
    x.dtype_is(opgen::ElementType::I16, "");

    s = x.take(0, 0);
  }

  opgen::TensorSpec y() const {
    return {opgen::ElementType::I16, opgen::Shape() << s};
  }

  SwapBytesDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SwapBytesDescriptor>();
    fill(desc.count, "count", 2 * opgen::numel(x));
    return desc;
  }
};

}  // namespace language_ops
