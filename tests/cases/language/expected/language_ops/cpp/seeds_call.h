// The checked calls of the seeds family: dtypes, sizes and results from the arguments.
// Rendered by opgen from seeds.toml.
#pragma once

#include "opgen/call.h"
#include "seeds.h"

namespace language_ops {

/// A call of `masked`, checked: sizes, results, workspace, descriptor.
struct MaskedCall {
  static constexpr const char* op = "masked";

  opgen::Argument x_;     // T: *s
  opgen::Argument seed_;  // i64: scalar
  double p_;
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MaskedCall(const opgen::Buffer& x_in, const opgen::Buffer& seed_in, double p_in)
      : x_(op, "x", "*s", x_in), seed_(op, "seed", "", seed_in), p_(p_in) {
    opgen::at_least(op, "p", p_, 0.0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16));
    seed_.dtype_is(opgen::ElementType::I64, "");

    s_ = x_.take(0, 0);
    seed_.rank_is(0);

    opgen::require(p_ < 1.0, op, "p < 1.0", "p", p_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  MaskedDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MaskedDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.p, "p", p_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
