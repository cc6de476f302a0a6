// What the arguments of a call say about everything else.
// Rendered by opgen from silu_and_mul.toml.
#pragma once

#include "opgen/call.h"
#include "silu_and_mul.h"

namespace generated {

/// A call of `silu_and_mul`, checked: sizes, results, workspace, descriptor.
struct SiluAndMulCall {
  static constexpr const char* op = "silu_and_mul";

  opgen::Argument x;  // T: *batch 2*d
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SiluAndMulCall(const opgen::Buffer& x_)
      : x(op, "x", "*batch 2*d", x_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));

    x.rank_at_least(1);
    batch = x.take(0, 1);
    d = x.solve(x.size(-1), 2, 0, "2 * d", "d");

    x.shape_is(opgen::Shape() << batch << 2 * d);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << d};
  }

  SiluAndMulDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SiluAndMulDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `silu_and_mul_bwd`, checked: sizes, results, workspace, descriptor.
struct SiluAndMulBwdCall {
  static constexpr const char* op = "silu_and_mul_bwd";

  opgen::Argument dy;  // T: *batch d
  opgen::Argument x;   // T: *batch 2*d
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SiluAndMulBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& x_)
      : dy(op, "dy", "*batch d", dy_), x(op, "x", "*batch 2*d", x_) {
    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");

    dy.rank_at_least(1);
    batch = dy.take(0, 1);
    d = dy.size(-1);
    x.rank_is(len(batch) + 1);

    x.shape_is(opgen::Shape() << batch << 2 * d, ", batch of dy, d of dy");
  }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << 2 * d};
  }

  SiluAndMulBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SiluAndMulBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
