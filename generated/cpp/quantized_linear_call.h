// The checked calls of the quantized_linear family: dtypes, sizes and results from the arguments.
// Rendered by opgen from quantized_linear.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "quantized_linear.h"

namespace generated {

/// A call of `int8_linear`, checked: sizes, results, workspace, descriptor.
struct Int8LinearCall {
  static constexpr const char* op = "int8_linear";

  opgen::Argument x_;       // T: *batch k
  opgen::Argument weight_;  // i8: n k
  opgen::Argument scale_;   // S: n
  opgen::ElementType T_;
  opgen::ElementType S_;
  opgen::Sizes batch_;
  opgen::Int k_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Int8LinearCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                          const opgen::Buffer& scale_in)
      : x_(op, "x", "*batch k", x_in), weight_(op, "weight", "n k", weight_in),
        scale_(op, "scale", "n", scale_in) {
    T_ = x_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight_.dtype_is(opgen::ElementType::I8, "");
    S_ = scale_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    k_ = x_.size(-1);
    weight_.rank_is(2);
    n_ = weight_.size(0);
    scale_.rank_is(1);

    weight_.shape_is(opgen::Shape() << n_ << k_, ", k of x");
    scale_.shape_is(opgen::Shape() << n_, ", n of weight");

    opgen::require(S_ == T_ || S_ == opgen::ElementType::F32, op,
                   "scales in f32, or in the dtype of the other factor", "S", S_, "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << n_};
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform, const opgen::DeviceProperties& device) const {
    switch (platform) {
      case opgen::Platform::cuda:
        if (!(opgen::Int(device.arch) >= 80)) {
          return opgen::unmet("arch >= 80", "arch", opgen::Int(device.arch));
        }
        return {};
      default:
        return {};
    }
  }

  Int8LinearDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Int8LinearDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.k, "k", k_);
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    fill(desc.S, "S", S_);
    return desc;
  }
};

/// A call of `int8_linear_dgrad`, checked: sizes, results, workspace, descriptor.
struct Int8LinearDgradCall {
  static constexpr const char* op = "int8_linear_dgrad";

  opgen::Argument dy_;      // T: *batch n
  opgen::Argument weight_;  // i8: n k
  opgen::Argument scale_;   // S: n
  opgen::ElementType T_;
  opgen::ElementType S_;
  opgen::Sizes batch_;
  opgen::Int n_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Int8LinearDgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& weight_in,
                               const opgen::Buffer& scale_in)
      : dy_(op, "dy", "*batch n", dy_in), weight_(op, "weight", "n k", weight_in),
        scale_(op, "scale", "n", scale_in) {
    T_ = dy_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight_.dtype_is(opgen::ElementType::I8, "");
    S_ = scale_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    n_ = dy_.size(-1);
    weight_.rank_is(2);
    k_ = weight_.size(1);
    scale_.rank_is(1);

    weight_.shape_is(opgen::Shape() << n_ << k_, ", n of dy");
    scale_.shape_is(opgen::Shape() << n_, ", n of dy");

    opgen::require(S_ == T_ || S_ == opgen::ElementType::F32, op,
                   "scales in f32, or in the dtype of the other factor", "S", S_, "T", T_);
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << k_};
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform, const opgen::DeviceProperties& device) const {
    switch (platform) {
      case opgen::Platform::cuda:
        if (!(opgen::Int(device.arch) >= 80)) {
          return opgen::unmet("arch >= 80", "arch", opgen::Int(device.arch));
        }
        return {};
      default:
        return {};
    }
  }

  Int8LinearDgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Int8LinearDgradDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.n, "n", n_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    fill(desc.S, "S", S_);
    return desc;
  }
};

/// A call of `int4_linear`, checked: sizes, results, workspace, descriptor.
struct Int4LinearCall {
  static constexpr const char* op = "int4_linear";

  opgen::Argument x_;       // T: *batch g*h*2
  opgen::Argument weight_;  // u8: n g*h
  opgen::Argument scale_;   // S: n g
  opgen::Argument zero_;    // S: n g
  opgen::ElementType T_;
  opgen::ElementType S_;
  opgen::Sizes batch_;
  opgen::Int n_;
  opgen::Int g_;
  opgen::Int h_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Int4LinearCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                          const opgen::Buffer& scale_in, const opgen::Buffer& zero_in)
      : x_(op, "x", "*batch g*h*2", x_in), weight_(op, "weight", "n g*h", weight_in),
        scale_(op, "scale", "n g", scale_in), zero_(op, "zero", "n g", zero_in) {
    T_ = x_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight_.dtype_is(opgen::ElementType::U8, "");
    S_ = scale_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    if (zero_.present()) zero_.dtype_is(S_, ", the dtype of scale");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    weight_.rank_is(2);
    n_ = weight_.size(0);
    scale_.rank_is(2);
    g_ = scale_.size(1);
    if (zero_.present()) zero_.rank_is(2);
    h_ = x_.solve(x_.size(-1), g_ * 2, 0, "g * h * 2", "h");

    x_.shape_is(opgen::Shape() << batch_ << g_ * h_ * 2, ", g of scale");
    weight_.shape_is(opgen::Shape() << n_ << g_ * h_, ", g of scale, h of x");
    scale_.shape_is(opgen::Shape() << n_ << g_, ", n of weight");
    if (zero_.present()) zero_.shape_is(opgen::Shape() << n_ << g_, ", n of weight, g of scale");

    opgen::require(S_ == T_ || S_ == opgen::ElementType::F32, op,
                   "scales in f32, or in the dtype of the other factor", "S", S_, "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << n_};
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform, const opgen::DeviceProperties& device) const {
    switch (platform) {
      case opgen::Platform::cuda:
        if (!(opgen::Int(device.arch) >= 80)) {
          return opgen::unmet("arch >= 80", "arch", opgen::Int(device.arch));
        }
        return {};
      default:
        return {};
    }
  }

  Int4LinearDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Int4LinearDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.g, "g", g_);
    fill(desc.h, "h", h_);
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    fill(desc.S, "S", S_);
    return desc;
  }
};

/// A call of `int4_linear_dgrad`, checked: sizes, results, workspace, descriptor.
struct Int4LinearDgradCall {
  static constexpr const char* op = "int4_linear_dgrad";

  opgen::Argument dy_;      // T: *batch n
  opgen::Argument weight_;  // u8: n g*h
  opgen::Argument scale_;   // S: n g
  opgen::Argument zero_;    // S: n g
  opgen::ElementType T_;
  opgen::ElementType S_;
  opgen::Sizes batch_;
  opgen::Int n_;
  opgen::Int g_;
  opgen::Int h_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Int4LinearDgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& weight_in,
                               const opgen::Buffer& scale_in, const opgen::Buffer& zero_in)
      : dy_(op, "dy", "*batch n", dy_in), weight_(op, "weight", "n g*h", weight_in),
        scale_(op, "scale", "n g", scale_in), zero_(op, "zero", "n g", zero_in) {
    T_ = dy_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight_.dtype_is(opgen::ElementType::U8, "");
    S_ = scale_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    if (zero_.present()) zero_.dtype_is(S_, ", the dtype of scale");

    dy_.rank_at_least(1);
    batch_ = dy_.take(0, 1);
    n_ = dy_.size(-1);
    weight_.rank_is(2);
    scale_.rank_is(2);
    g_ = scale_.size(1);
    if (zero_.present()) zero_.rank_is(2);
    h_ = weight_.solve(weight_.size(1), g_, 0, "g * h", "h");

    weight_.shape_is(opgen::Shape() << n_ << g_ * h_, ", n of dy, g of scale");
    scale_.shape_is(opgen::Shape() << n_ << g_, ", n of dy");
    if (zero_.present()) zero_.shape_is(opgen::Shape() << n_ << g_, ", n of dy, g of scale");

    opgen::require(S_ == T_ || S_ == opgen::ElementType::F32, op,
                   "scales in f32, or in the dtype of the other factor", "S", S_, "T", T_);
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << batch_ << g_ * h_ * 2};
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform, const opgen::DeviceProperties& device) const {
    switch (platform) {
      case opgen::Platform::cuda:
        if (!(opgen::Int(device.arch) >= 80)) {
          return opgen::unmet("arch >= 80", "arch", opgen::Int(device.arch));
        }
        return {};
      default:
        return {};
    }
  }

  Int4LinearDgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Int4LinearDgradDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.n, "n", n_);
    fill(desc.g, "g", g_);
    fill(desc.h, "h", h_);
    fill(desc.T, "T", T_);
    fill(desc.S, "S", S_);
    return desc;
  }
};

}  // namespace generated
