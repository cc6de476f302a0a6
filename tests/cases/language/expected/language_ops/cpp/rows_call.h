// The checked calls of the rows family: dtypes, sizes and results from the arguments.
// Rendered by opgen from rows.toml.
#pragma once

#include "opgen/call.h"
#include "rows.h"

namespace language_ops {

/// A call of `unit_rows`, checked: sizes, results, workspace, descriptor.
struct UnitRowsCall {
  static constexpr const char* op = "unit_rows";

  opgen::Argument x_;       // T: *batch d
  opgen::Argument weight_;  // T: d
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in)
      : x_(op, "x", "*batch d", x_in), weight_(op, "weight", "d", weight_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of x");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    d_ = x_.size(-1);
    weight_.rank_is(1);

    weight_.shape_is(opgen::Shape() << d_, ", d of x");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << d_};
  }

  opgen::TensorSpec length_() const {
    return {T_, opgen::Shape() << batch_};
  }

  UnitRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `unit_rows_dx`, checked: sizes, results, workspace, descriptor.
struct UnitRowsDxCall {
  static constexpr const char* op = "unit_rows_dx";

  opgen::Argument dy_;      // T: *batch d
  opgen::Argument x_;       // T: *batch d
  opgen::Argument weight_;  // T: d
  opgen::Argument length_;  // T: *batch
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsDxCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                          const opgen::Buffer& weight_in, const opgen::Buffer& length_in)
      : dy_(op, "dy", "*batch d", dy_in), x_(op, "x", "*batch d", x_in),
        weight_(op, "weight", "d", weight_in), length_(op, "length", "*batch", length_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    weight_.dtype_is(T_, ", the dtype of dy");
    length_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    d_ = dy_.size(-1);
    x_.rank_is(opgen::len(batch_) + 1);
    weight_.rank_is(1);
    length_.rank_is(opgen::len(batch_));

    x_.shape_is(opgen::Shape() << batch_ << d_, ", batch of dy, d of dy");
    weight_.shape_is(opgen::Shape() << d_, ", d of dy");
    length_.shape_is(opgen::Shape() << batch_, ", batch of dy");
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << d_};
  }

  UnitRowsDxDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDxDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `unit_rows_dw`, checked: sizes, results, workspace, descriptor.
struct UnitRowsDwCall {
  static constexpr const char* op = "unit_rows_dw";

  opgen::Argument dy_;      // T: *batch d
  opgen::Argument x_;       // T: *batch d
  opgen::Argument length_;  // T: *batch
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit UnitRowsDwCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                          const opgen::Buffer& length_in)
      : dy_(op, "dy", "*batch d", dy_in), x_(op, "x", "*batch d", x_in),
        length_(op, "length", "*batch", length_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");
    length_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    d_ = dy_.size(-1);
    x_.rank_is(opgen::len(batch_) + 1);
    length_.rank_is(opgen::len(batch_));

    x_.shape_is(opgen::Shape() << batch_ << d_, ", batch of dy, d of dy");
    length_.shape_is(opgen::Shape() << batch_, ", batch of dy");
  }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << d_};
  }

  UnitRowsDwDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<UnitRowsDwDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
