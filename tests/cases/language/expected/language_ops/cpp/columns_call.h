// What the arguments of a call say about everything else.
// Rendered by opgen from columns.toml.
#pragma once

#include "opgen/call.h"
#include "columns.h"

namespace language_ops {

/// A call of `column_sums`, checked: sizes, results, workspace, descriptor.
struct ColumnSumsCall {
  static constexpr const char* op = "column_sums";

  opgen::Argument x;  // T: n d
  opgen::ElementType T;
  opgen::Int n;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ColumnSumsCall(const opgen::Buffer& x_)
      : x(op, "x", "n d", x_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x.rank_is(2);
    n = x.size(0);
    d = x.size(1);
  }

  opgen::TensorSpec sums() const {
    return {T, opgen::Shape() << d};
  }

  ColumnSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ColumnSumsDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
