// What the arguments of a call say about everything else.
// Rendered by opgen from rows.toml.
#pragma once

#include "opgen/call.h"
#include "rows.h"

namespace language_ops {

/// A call of `unit_rows`, checked: sizes, results, workspace, descriptor.
struct UnitRowsCall {
  static constexpr const char* op = "unit_rows";

  opgen::Argument x;       // T: *batch d
  opgen::Argument weight;  // T: d
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsCall(const opgen::Buffer& x_, const opgen::Buffer& weight_)
      : x(op, "x", "*batch d", x_), weight(op, "weight", "d", weight_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    weight.dtype_is(T, ", the dtype of x");

    x.rank_at_least(1);
    batch = x.take(0, 1);
    d = x.size(-1);
    weight.rank_is(1);

    weight.shape_is(opgen::Shape() << d, ", d of x");
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << d};
  }

  opgen::TensorSpec length() const {
    return {T, opgen::Shape() << batch};
  }

  UnitRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `unit_rows_dx`, checked: sizes, results, workspace, descriptor.
struct UnitRowsDxCall {
  static constexpr const char* op = "unit_rows_dx";

  opgen::Argument dy;      // T: *batch d
  opgen::Argument x;       // T: *batch d
  opgen::Argument weight;  // T: d
  opgen::Argument length;  // T: *batch
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsDxCall(const opgen::Buffer& dy_, const opgen::Buffer& x_,
                          const opgen::Buffer& weight_, const opgen::Buffer& length_)
      : dy(op, "dy", "*batch d", dy_), x(op, "x", "*batch d", x_),
        weight(op, "weight", "d", weight_), length(op, "length", "*batch", length_) {
    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");
    weight.dtype_is(T, ", the dtype of dy");
    length.dtype_is(T, ", the dtype of dy");

    dy.rank_at_least(1);
    batch = dy.take(0, 1);
    d = dy.size(-1);
    x.rank_is(len(batch) + 1);
    weight.rank_is(1);
    length.rank_is(len(batch));

    x.shape_is(opgen::Shape() << batch << d, ", batch of dy, d of dy");
    weight.shape_is(opgen::Shape() << d, ", d of dy");
    length.shape_is(opgen::Shape() << batch, ", batch of dy");
  }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << batch << d};
  }

  UnitRowsDxDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDxDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `unit_rows_dw`, checked: sizes, results, workspace, descriptor.
struct UnitRowsDwCall {
  static constexpr const char* op = "unit_rows_dw";

  opgen::Argument dy;      // T: *batch d
  opgen::Argument x;       // T: *batch d
  opgen::Argument length;  // T: *batch
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsDwCall(const opgen::Buffer& dy_, const opgen::Buffer& x_,
                          const opgen::Buffer& length_)
      : dy(op, "dy", "*batch d", dy_), x(op, "x", "*batch d", x_),
        length(op, "length", "*batch", length_) {
    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x.dtype_is(T, ", the dtype of dy");
    length.dtype_is(T, ", the dtype of dy");

    dy.rank_at_least(1);
    batch = dy.take(0, 1);
    d = dy.size(-1);
    x.rank_is(len(batch) + 1);
    length.rank_is(len(batch));

    x.shape_is(opgen::Shape() << batch << d, ", batch of dy, d of dy");
    length.shape_is(opgen::Shape() << batch, ", batch of dy");
  }

  opgen::TensorSpec dweight() const {
    return {T, opgen::Shape() << d};
  }

  UnitRowsDwDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDwDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
