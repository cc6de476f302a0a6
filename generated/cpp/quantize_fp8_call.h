// What the arguments of a call say about everything else.
// Rendered by opgen from quantize_fp8.toml.
#pragma once

#include "opgen/call.h"
#include "quantize_fp8.h"

namespace generated {

/// A call of `quantize_fp8`, checked: sizes, results, workspace, descriptor.
struct QuantizeFp8Call {
  static constexpr const char* op = "quantize_fp8";

  opgen::Argument x;  // T: m kb*block
  opgen::Int block;
  opgen::ElementType out_dtype;
  bool column_major;
  double floor;
  opgen::ElementType T;
  opgen::Int m;
  opgen::Int kb;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit QuantizeFp8Call(const opgen::Buffer& x_, opgen::Int block_,
                           opgen::ElementType out_dtype_, bool column_major_, double floor_)
      : x(op, "x", "m kb*block", x_), block(block_), out_dtype(out_dtype_),
        column_major(column_major_), floor(floor_) {
    opgen::choice(op, "block", block, 64, 128);
    opgen::choice(op, "out_dtype", out_dtype, opgen::ElementType::F8E4M3,
                  opgen::ElementType::F8E5M2);

    T = x.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));

    x.rank_is(2);
    m = x.size(0);
    kb = x.solve(x.size(1), block, 0, "kb * block", "kb");

    x.shape_is(opgen::Shape() << m << kb * block);
  }

  opgen::TensorSpec q() const {
    return {out_dtype, opgen::Shape() << m << kb * block};
  }

  opgen::TensorSpec scale() const {
    return {opgen::ElementType::F32, opgen::Shape() << m << kb,
            column_major ? opgen::Order{{1, 0}, 2, -1} : opgen::Order()};
  }

  QuantizeFp8Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<QuantizeFp8Descriptor>();
    fill(desc.m, "m", m);
    fill(desc.kb, "kb", kb);
    fill(desc.block, "block", block);
    fill(desc.out_dtype, "out_dtype", out_dtype);
    fill(desc.column_major, "column_major", column_major);
    fill(desc.floor, "floor", floor);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
