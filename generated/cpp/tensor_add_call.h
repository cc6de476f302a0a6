// The checked calls of the tensor_add family: dtypes, sizes and results from the arguments.
// Rendered by opgen from tensor_add.toml.
#pragma once

#include "opgen/call.h"
#include "tensor_add.h"

namespace generated {

/// A call of `tensor_add`, checked: sizes, results, workspace, descriptor.
struct TensorAddCall {
  static constexpr const char* op = "tensor_add";

  opgen::Argument a_;  // T: m n
  opgen::Argument b_;  // T: m n
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit TensorAddCall(const opgen::Buffer& a_in, const opgen::Buffer& b_in)
      : a_(op, "a", "m n", a_in), b_(op, "b", "m n", b_in) {
    T_ = a_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    b_.dtype_is(T_, ", the dtype of a");

    a_.rank_is(2);
    m_ = a_.size(0);
    n_ = a_.size(1);
    b_.rank_is(2);

    b_.shape_is(opgen::Shape() << m_ << n_, ", m of a, n of a");
  }

  opgen::TensorSpec c_() const {
    return {T_, opgen::Shape() << m_ << n_};
  }

  /// The grid and block of the kernel for `platform`.
  opgen::Launch launch(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        return opgen::launch({opgen::ceildiv(m_ * n_, opgen::Int(128) * 512), 1, 1}, {1, 1, 1});
      default:
        return {};
    }
  }

  TensorAddDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<TensorAddDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
