// The checked calls of the dropout family: dtypes, sizes and results from the arguments.
// Rendered by opgen from dropout.toml.
#pragma once

#include "opgen/call.h"
#include "dropout.h"

namespace generated {

/// A call of `dropout`, checked: sizes, results, workspace, descriptor.
struct DropoutCall {
  static constexpr const char* op = "dropout";

  opgen::Argument x_;       // T: *s
  opgen::Argument seed_;    // i64: scalar
  opgen::Argument offset_;  // i64: scalar
  double p_;
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit DropoutCall(const opgen::Buffer& x_in, const opgen::Buffer& seed_in,
                       const opgen::Buffer& offset_in, double p_in)
      : x_(op, "x", "*s", x_in), seed_(op, "seed", "", seed_in),
        offset_(op, "offset", "", offset_in), p_(p_in) {
    opgen::at_least(op, "p", p_, 0.0);
    opgen::at_most(op, "p", p_, 1.0);

    T_ = x_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    seed_.dtype_is(opgen::ElementType::I64, "");
    if (offset_.present()) offset_.dtype_is(opgen::ElementType::I64, "");

    s_ = x_.take(0, 0);
    seed_.rank_is(0);
    if (offset_.present()) offset_.rank_is(0);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  DropoutDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<DropoutDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.p, "p", p_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
