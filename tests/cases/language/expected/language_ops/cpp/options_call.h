// What the arguments of a call say about everything else.
// Rendered by opgen from options.toml.
#pragma once

#include <optional>
#include <string_view>

#include "opgen/call.h"
#include "options.h"

namespace language_ops {

/// A call of `squash`, checked: sizes, results, workspace, descriptor.
struct SquashCall {
  static constexpr const char* op = "squash";

  opgen::Argument x;     // T: *batch d
  opgen::Argument gain;  // T: scalar
  opgen::Argument bias;  // T: d
  std::string_view by;
  int64_t by_position;   // among its choices
  double scale;
  opgen::ElementType T;
  opgen::Sizes batch;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SquashCall(const opgen::Buffer& x_, const opgen::Buffer& gain_,
                      const opgen::Buffer& bias_, std::string_view by_,
                      std::optional<double> scale_)
      : x(op, "x", "*batch d", x_), gain(op, "gain", "", gain_), bias(op, "bias", "d", bias_),
        by(by_), scale(scale_.value_or(0)) {
    by_position = opgen::choice(op, "by", by, "tanh", "softsign");

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    gain.dtype_is(T, ", the dtype of x");
    if (bias.present()) bias.dtype_is(T, ", the dtype of x");

    x.rank_at_least(1);
    batch = x.take(0, 1);
    d = x.size(-1);
    gain.rank_is(0);
    if (bias.present()) bias.rank_is(1);

    if (bias.present()) bias.shape_is(opgen::Shape() << d, ", d of x");

    if (!scale_) scale = opgen::power(static_cast<double>(d), -0.5);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << batch << d};
  }

  SquashDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SquashDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.d, "d", d);
    fill(desc.by, "by", by_position);
    fill(desc.scale, "scale", scale);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `polynomial`, checked: sizes, results, workspace, descriptor.
struct PolynomialCall {
  static constexpr const char* op = "polynomial";

  opgen::Argument x;  // T: *s
  opgen::Floats coefficients;
  opgen::ElementType T;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit PolynomialCall(const opgen::Buffer& x_, opgen::Floats coefficients_)
      : x(op, "x", "*s", x_), coefficients(coefficients_) {
    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    s = x.take(0, 0);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s};
  }

  PolynomialDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<PolynomialDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.coefficients, "coefficients", coefficients);
    fill(desc.coefficients_rank, "coefficients_rank", opgen::len(coefficients));
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
