// The checked calls of the gelu_and_mul family: dtypes, sizes and results from the arguments.
// Rendered by opgen from gelu_and_mul.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "gelu_and_mul.h"

namespace generated {

/// A call of `gelu_and_mul`, checked: sizes, results, workspace, descriptor.
struct GeluAndMulCall {
  static constexpr const char* op = "gelu_and_mul";

  opgen::Argument x_;             // T: *batch 2*d
  std::string_view approximate_;  // As in `torch.nn.functional.gelu`.
  int64_t approximate_position;   // among its choices
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GeluAndMulCall(const opgen::Buffer& x_in, std::string_view approximate_in)
      : x_(op, "x", "*batch 2*d", x_in), approximate_(approximate_in) {
    approximate_position = opgen::choice(op, "approximate", approximate_, "none", "tanh");

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    d_ = x_.solve(x_.size(-1), 2, 0, "2 * d", "d");

    x_.shape_is(opgen::Shape() << batch_ << 2 * d_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << d_};
  }

  GeluAndMulDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GeluAndMulDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.approximate, "approximate", approximate_position);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `gelu_and_mul_bwd`, checked: sizes, results, workspace, descriptor.
struct GeluAndMulBwdCall {
  static constexpr const char* op = "gelu_and_mul_bwd";

  opgen::Argument dy_;            // T: *batch d
  opgen::Argument x_;             // T: *batch 2*d
  std::string_view approximate_;  // As in `torch.nn.functional.gelu`.
  int64_t approximate_position;   // among its choices
  opgen::ElementType T_;
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GeluAndMulBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in,
                             std::string_view approximate_in)
      : dy_(op, "dy", "*batch d", dy_in), x_(op, "x", "*batch 2*d", x_in),
        approximate_(approximate_in) {
    approximate_position = opgen::choice(op, "approximate", approximate_, "none", "tanh");

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    d_ = dy_.size(-1);
    x_.rank_is(opgen::len(batch_) + 1);

    x_.shape_is(opgen::Shape() << batch_ << 2 * d_, ", batch of dy, d of dy");
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << 2 * d_};
  }

  GeluAndMulBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GeluAndMulBwdDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.approximate, "approximate", approximate_position);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `geglu`, checked: sizes, results, workspace, descriptor.
struct GegluCall {
  static constexpr const char* op = "geglu";

  opgen::Argument gate_;          // T: *s
  opgen::Argument up_;            // T: *s
  std::string_view approximate_;  // As in `torch.nn.functional.gelu`.
  int64_t approximate_position;   // among its choices
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GegluCall(const opgen::Buffer& gate_in, const opgen::Buffer& up_in,
                     std::string_view approximate_in)
      : gate_(op, "gate", "*s", gate_in), up_(op, "up", "*s", up_in), approximate_(approximate_in) {
    approximate_position = opgen::choice(op, "approximate", approximate_, "none", "tanh");

    T_ = gate_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    up_.dtype_is(T_, ", the dtype of gate");

    s_ = gate_.take(0, 0);
    up_.rank_is(opgen::len(s_));

    up_.shape_is(opgen::Shape() << s_, ", s of gate");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_};
  }

  GegluDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GegluDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.approximate, "approximate", approximate_position);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `geglu_bwd`, checked: sizes, results, workspace, descriptor.
struct GegluBwdCall {
  static constexpr const char* op = "geglu_bwd";

  opgen::Argument dy_;            // T: *s
  opgen::Argument gate_;          // T: *s
  opgen::Argument up_;            // T: *s
  std::string_view approximate_;  // As in `torch.nn.functional.gelu`.
  int64_t approximate_position;   // among its choices
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GegluBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& gate_in,
                        const opgen::Buffer& up_in, std::string_view approximate_in)
      : dy_(op, "dy", "*s", dy_in), gate_(op, "gate", "*s", gate_in), up_(op, "up", "*s", up_in),
        approximate_(approximate_in) {
    approximate_position = opgen::choice(op, "approximate", approximate_, "none", "tanh");

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    gate_.dtype_is(T_, ", the dtype of dy");
    up_.dtype_is(T_, ", the dtype of dy");

    s_ = dy_.take(0, 0);
    gate_.rank_is(opgen::len(s_));
    up_.rank_is(opgen::len(s_));

    gate_.shape_is(opgen::Shape() << s_, ", s of dy");
    up_.shape_is(opgen::Shape() << s_, ", s of dy");
  }

  opgen::TensorSpec dgate_() const {
    return {T_, opgen::Shape() << s_};
  }

  opgen::TensorSpec dup_() const {
    return {T_, opgen::Shape() << s_};
  }

  GegluBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GegluBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.approximate, "approximate", approximate_position);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
