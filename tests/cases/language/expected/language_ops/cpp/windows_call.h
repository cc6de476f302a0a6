// The checked calls of the windows family: dtypes, sizes and results from the arguments.
// Rendered by opgen from windows.toml.
#pragma once

#include "opgen/call.h"
#include "windows.h"

namespace language_ops {

/// A call of `window_sums`, checked: sizes, results, workspace, descriptor.
struct WindowSumsCall {
  static constexpr const char* op = "window_sums";

  opgen::Argument x_;  // T: *batch n
  opgen::Int width_;
  opgen::Int step_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int n_;
  opgen::Int m_;       // (n - width) // step + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WindowSumsCall(const opgen::Buffer& x_in, opgen::Int width_in, opgen::Int step_in)
      : x_(op, "x", "*batch n", x_in), width_(width_in), step_(step_in) {
    opgen::at_least(op, "width", width_, 1);
    opgen::at_least(op, "step", step_, 1);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    n_ = x_.size(-1);

    m_ = (n_ - width_) / step_ + 1;

    opgen::require(width_ <= n_, op, "a window that fits", "width", width_, "n", n_);
    opgen::require(m_ >= 0, op, "m >= 0", "m", m_);
  }

  opgen::TensorSpec sums_() const {
    return {T_, opgen::Shape() << batch_ << m_};
  }

  WindowSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WindowSumsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.n, "n", n_);
    fill(desc.m, "m", m_);
    fill(desc.width, "width", width_);
    fill(desc.step, "step", step_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
