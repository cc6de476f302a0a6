// What the arguments of a call say about everything else.
// Rendered by opgen from windows.toml.
#pragma once

#include "opgen/call.h"
#include "windows.h"

namespace language_ops {

/// A call of `window_sums`, checked: sizes, results, workspace, descriptor.
struct WindowSumsCall {
  static constexpr const char* op = "window_sums";

  opgen::Argument x;  // T: *batch n
  opgen::Int width;
  opgen::Int step;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int n;
  opgen::Int m;       // (n - width) // step + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WindowSumsCall(const opgen::Buffer& x_, opgen::Int width_, opgen::Int step_)
      : x(op, "x", "*batch n", x_), width(width_), step(step_) {
    opgen::at_least(op, "width", width, 1);
    opgen::at_least(op, "step", step, 1);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x.rank_at_least(1);
    batch = x.take(0, 1);
    n = x.size(-1);

    m = (n - width) / step + 1;

    opgen::require(width <= n, op, "a window that fits", "width", width, "n", n);
    opgen::require(m >= 0, op, "m >= 0", "m", m);
  }

  opgen::TensorSpec sums() const {
    return {T, opgen::Shape() << batch << m};
  }

  WindowSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WindowSumsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.n, "n", n);
    fill(desc.m, "m", m);
    fill(desc.width, "width", width);
    fill(desc.step, "step", step);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
