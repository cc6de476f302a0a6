// What the arguments of a call say about everything else.
// Rendered by opgen from tensor_add.toml.
#pragma once

#include "opgen/call.h"
#include "tensor_add.h"

namespace generated {

/// A call of `tensor_add`, checked: sizes, results, workspace, descriptor.
struct TensorAddCall {
  static constexpr const char* op = "tensor_add";

  opgen::Argument a;  // T: m n
  opgen::Argument b;  // T: m n
  opgen::ElementType T;
  opgen::Int m;
  opgen::Int n;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TensorAddCall(const opgen::Buffer& a_, const opgen::Buffer& b_)
      : a(op, "a", "m n", a_), b(op, "b", "m n", b_) {
    T = a.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    b.dtype_is(T, ", the dtype of a");

    a.rank_is(2);
    m = a.size(0);
    n = a.size(1);
    b.rank_is(2);

    b.shape_is(opgen::Shape() << m << n, ", m of a, n of a");
  }

  opgen::TensorSpec c() const {
    return {T, opgen::Shape() << m << n};
  }

  /// The grid and block of the kernel for `platform`.
  opgen::Launch launch(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        return opgen::launch({opgen::ceildiv(m * n, opgen::Int(128) * 512), 1, 1}, {1, 1, 1});
      default:
        return {};
    }
  }

  TensorAddDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TensorAddDescriptor>();
    fill(desc.m, "m", m);
    fill(desc.n, "n", n);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
