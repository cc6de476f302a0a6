// The checked calls of the parts family: dtypes, sizes and results from the arguments.
// Rendered by opgen from parts.toml.
#pragma once

#include "opgen/call.h"
#include "parts.h"

namespace language_ops {

/// A call of `column_totals`, checked: sizes, results, workspace, descriptor.
struct ColumnTotalsCall {
  static constexpr const char* op = "column_totals";

  opgen::Argument x_;  // T: m n
  opgen::Int parts_;
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ColumnTotalsCall(const opgen::Buffer& x_in, opgen::Int parts_in)
      : x_(op, "x", "m n", x_in), parts_(parts_in) {
    opgen::at_least(op, "parts", parts_, 0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    m_ = x_.size(0);
    n_ = x_.size(1);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << n_};
  }

  opgen::TensorSpec sums_() const {
    return {T_, opgen::Shape() << parts_ << n_};
  }

  ColumnTotalsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ColumnTotalsDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.n, "n", n_);
    fill(desc.parts, "parts", parts_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
