// What the arguments of a call say about everything else.
// Rendered by opgen from layouts.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "layouts.h"

namespace language_ops {

/// A call of `heads_first`, checked: sizes, results, workspace, descriptor.
struct HeadsFirstCall {
  static constexpr const char* op = "heads_first";

  opgen::Argument x;       // T: t h d or h t d
  std::string_view order;
  int64_t order_position;  // among its choices
  bool wide;
  opgen::ElementType T;
  opgen::Int t;
  opgen::Int h;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit HeadsFirstCall(const opgen::Buffer& x_, std::string_view order_, bool wide_)
      : x(op, "x", "t h d or h t d", x_), order(order_), wide(wide_) {
    order_position = opgen::choice(op, "order", order, "THD", "HTD");

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F16));

    if ((order == "THD")) x.rank_is(3);
    if ((order == "THD")) t = x.size(0);
    if ((order == "THD")) h = x.size(1);
    if ((order == "THD")) d = x.size(2);
    if (!(order == "THD")) x.rank_is(3);
    if (!(order == "THD")) h = x.size(0);
    if (!(order == "THD")) t = x.size(1);
    if (!(order == "THD")) d = x.size(2);

    if ((order == "THD")) x.shape_is(opgen::Shape() << t << h << d);
    if (!(order == "THD")) x.shape_is(opgen::Shape() << h << t << d);
  }

  opgen::TensorSpec y() const {
    return {wide ? opgen::ElementType::F32 : T, opgen::Shape() << h << t << d};
  }

  HeadsFirstDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<HeadsFirstDescriptor>();
    fill(desc.t, "t", t);
    fill(desc.h, "h", h);
    fill(desc.d, "d", d);
    fill(desc.order, "order", order_position);
    fill(desc.wide, "wide", wide);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
