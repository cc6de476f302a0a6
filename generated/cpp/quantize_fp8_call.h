// The checked calls of the quantize_fp8 family: dtypes, sizes and results from the arguments.
// Rendered by opgen from quantize_fp8.toml.
#pragma once

#include "opgen/call.h"
#include "quantize_fp8.h"

namespace generated {

/// A call of `quantize_fp8`, checked: sizes, results, workspace, descriptor.
struct QuantizeFp8Call {
  static constexpr const char* op = "quantize_fp8";

  opgen::Argument x_;  // T: m kb*block
  opgen::ElementType out_dtype_;
  opgen::Int block_;
  bool column_major_;
  double floor_;
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int kb_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit QuantizeFp8Call(const opgen::Buffer& x_in, opgen::ElementType out_dtype_in,
                           opgen::Int block_in, bool column_major_in, double floor_in)
      : x_(op, "x", "m kb*block", x_in), out_dtype_(out_dtype_in), block_(block_in),
        column_major_(column_major_in), floor_(floor_in) {
    opgen::choice(op, "out_dtype", out_dtype_, opgen::ElementType::F8E4M3,
                  opgen::ElementType::F8E5M2);
    opgen::choice(op, "block", block_, 64, 128);

    T_ = x_.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));

    x_.rank_is(2);
    m_ = x_.size(0);
    kb_ = x_.solve(x_.size(1), block_, 0, "kb * block", "kb");

    x_.shape_is(opgen::Shape() << m_ << kb_ * block_);
  }

  opgen::TensorSpec q_() const {
    return {out_dtype_, opgen::Shape() << m_ << kb_ * block_};
  }

  opgen::TensorSpec scale_() const {
    return {opgen::ElementType::F32, opgen::Shape() << m_ << kb_,
            column_major_ ? opgen::Order{{1, 0}, 2, -1} : opgen::Order()};
  }

  QuantizeFp8Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<QuantizeFp8Descriptor>();
    fill(desc.m, "m", m_);
    fill(desc.kb, "kb", kb_);
    fill(desc.block, "block", block_);
    fill(desc.out_dtype, "out_dtype", out_dtype_);
    fill(desc.column_major, "column_major", column_major_);
    fill(desc.floor, "floor", floor_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
