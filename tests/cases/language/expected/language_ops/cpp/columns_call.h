// The checked calls of the columns family: dtypes, sizes and results from the arguments.
// Rendered by opgen from columns.toml.
#pragma once

#include "opgen/call.h"
#include "columns.h"

namespace language_ops {

/// A call of `column_sums`, checked: sizes, results, workspace, descriptor.
struct ColumnSumsCall {
  static constexpr const char* op = "column_sums";

  opgen::Argument x_;  // T: n d
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ColumnSumsCall(const opgen::Buffer& x_in)
      : x_(op, "x", "n d", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    n_ = x_.size(0);
    d_ = x_.size(1);
  }

  opgen::TensorSpec sums_() const {
    return {T_, opgen::Shape() << d_};
  }

  ColumnSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ColumnSumsDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.d, "d", d_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
