// What the arguments of a call say about everything else.
// Rendered by opgen from dropout.toml.
#pragma once

#include "opgen/call.h"
#include "dropout.h"

namespace generated {

/// A call of `dropout`, checked: sizes, results, workspace, descriptor.
struct DropoutCall {
  static constexpr const char* op = "dropout";

  opgen::Argument x;       // T: *s
  opgen::Argument seed;    // i64: scalar
  opgen::Argument offset;  // i64: scalar
  double p;
  opgen::ElementType T;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit DropoutCall(const opgen::Buffer& x_, const opgen::Buffer& seed_,
                       const opgen::Buffer& offset_, double p_)
      : x(op, "x", "*s", x_), seed(op, "seed", "", seed_), offset(op, "offset", "", offset_),
        p(p_) {
    opgen::at_least(op, "p", p, 0.0);

    T = x.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    seed.dtype_is(opgen::ElementType::I64, "");
    offset.dtype_is(opgen::ElementType::I64, "");

    s = x.take(0, 0);
    seed.rank_is(0);
    offset.rank_is(0);

    opgen::require(p < 1.0, op, "p < 1.0", "p", p);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s};
  }

  DropoutDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<DropoutDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.p, "p", p);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
