// The checked calls of the stored family: dtypes, sizes and results from the arguments.
// Rendered by opgen from stored.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "stored.h"

namespace language_ops {

/// A call of `scaled`, checked: sizes, results, workspace, descriptor.
struct ScaledCall {
  static constexpr const char* op = "scaled";

  opgen::Argument x_;       // T: *batch n
  opgen::Argument weight_;  // Q: n
  opgen::Argument scale_;   // f32: scalar
  std::string_view mode_;
  int64_t mode_position;    // among its choices
  opgen::ElementType T_;
  opgen::ElementType Q_;    // i8 or f8e4m3 or T
  opgen::Sizes batch_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ScaledCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                      const opgen::Buffer& scale_in, std::string_view mode_in)
      : x_(op, "x", "*batch n", x_in), weight_(op, "weight", "n", weight_in),
        scale_(op, "scale", "", scale_in), mode_(mode_in) {
    mode_position = opgen::choice(op, "mode", mode_, "whole", "int8");

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    if (scale_.present()) scale_.dtype_is(opgen::ElementType::F32, "");
    Q_ = mode_ == "int8" ? opgen::ElementType::I8
                         : mode_ == "whole" && scale_.present() ? opgen::ElementType::F8E4M3
                         : T_;
    weight_.dtype_is(Q_, ", which is Q");

    x_.rank_at_least(1);
    batch_ = x_.take(0, 1);
    n_ = x_.size(-1);
    weight_.rank_is(1);
    if (scale_.present()) scale_.rank_is(0);

    weight_.shape_is(opgen::Shape() << n_, ", n of x");
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << batch_ << n_};
  }

  ScaledDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ScaledDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.n, "n", n_);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T_);
    fill(desc.Q, "Q", Q_);
    return desc;
  }
};

/// A call of `storable`, checked: sizes, results, workspace, descriptor.
struct StorableCall {
  static constexpr const char* op = "storable";

  opgen::Argument weight_;  // T: n
  opgen::Argument scale_;   // f32: scalar
  std::string_view mode_;
  int64_t mode_position;    // among its choices
  opgen::ElementType T_;
  opgen::ElementType Q_;    // i8 or f8e4m3 or T
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit StorableCall(const opgen::Buffer& weight_in, const opgen::Buffer& scale_in,
                        std::string_view mode_in)
      : weight_(op, "weight", "n", weight_in), scale_(op, "scale", "", scale_in), mode_(mode_in) {
    mode_position = opgen::choice(op, "mode", mode_, "whole", "int8");

    T_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    if (scale_.present()) scale_.dtype_is(opgen::ElementType::F32, "");
    Q_ = mode_ == "int8" ? opgen::ElementType::I8
                         : mode_ == "whole" && scale_.present() ? opgen::ElementType::F8E4M3
                         : T_;

    weight_.rank_is(1);
    n_ = weight_.size(0);
    if (scale_.present()) scale_.rank_is(0);
  }

  opgen::TensorSpec stored_() const {
    return {Q_, opgen::Shape() << n_};
  }

  StorableDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<StorableDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T_);
    fill(desc.Q, "Q", Q_);
    return desc;
  }
};

}  // namespace language_ops
