// The checked calls of the options family: dtypes, sizes and results from the arguments.
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

  opgen::Argument x_;     // T: *batch d
  opgen::Argument gain_;  // T: scalar
  opgen::Argument bias_;  // T: d
  std::string_view by_;
  int64_t by_position;    // among its choices
  double scale_;
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SquashCall(const opgen::Buffer& x_in, const opgen::Buffer& gain_in,
                      const opgen::Buffer& bias_in, std::string_view by_in,
                      std::optional<double> scale_in)
      : x_(op, "x", "*batch d", x_in), gain_(op, "gain", "", gain_in),
        bias_(op, "bias", "d", bias_in), by_(by_in), scale_(scale_in.value_or(0)) {
    by_position = opgen::choice(op, "by", by_, "tanh", "softsign");

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    gain_.dtype_is(T_, ", the dtype of x");
    if (bias_.present()) bias_.dtype_is(T_, ", the dtype of x");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    d_ = x_.size(-1);
    gain_.rank_is(0);
    if (bias_.present()) bias_.rank_is(1);

    if (bias_.present()) bias_.shape_is(opgen::Shape() << d_, ", d of x");

    if (!scale_in) scale_ = opgen::power(static_cast<double>(d_), -0.5);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << d_};
  }

  SquashDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SquashDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.by, "by", by_position);
    fill(desc.scale, "scale", scale_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `polynomial`, checked: sizes, results, workspace, descriptor.
struct PolynomialCall {
  static constexpr const char* op = "polynomial";

  opgen::Argument x_;  // T: *s
  opgen::Floats coefficients_;
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit PolynomialCall(const opgen::Buffer& x_in, opgen::Floats coefficients_in)
      : x_(op, "x", "*s", x_in), coefficients_(coefficients_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    s_ = x_.take(0, 0);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  PolynomialDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<PolynomialDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.coefficients, "coefficients", coefficients_);
    fill(desc.coefficients_rank, "coefficients_rank", opgen::len(coefficients_));
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `moved`, checked: sizes, results, workspace, descriptor.
struct MovedCall {
  static constexpr const char* op = "moved";

  opgen::Argument x_;   // T: *s
  opgen::Argument by_;  // i64: *s
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MovedCall(const opgen::Buffer& x_in, const opgen::Buffer& by_in)
      : x_(op, "x", "*s", x_in), by_(op, "by", "*s", by_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    if (by_.present()) by_.dtype_is(opgen::ElementType::I64, "");

    s_ = x_.take(0, 0);
    if (by_.present()) by_.rank_is(opgen::len(s_));

    if (by_.present()) by_.shape_is(opgen::Shape() << s_, ", s of x");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  MovedDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MovedDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
