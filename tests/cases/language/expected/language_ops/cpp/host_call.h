// The checked calls of the host family: dtypes, sizes and results from the arguments.
// Rendered by opgen from host.toml.
#pragma once

#include "opgen/call.h"
#include "host.h"

namespace language_ops {

/// A call of `segment_sums`, checked: sizes, results, workspace, descriptor.
struct SegmentSumsCall {
  static constexpr const char* op = "segment_sums";

  opgen::Argument x_;       // T: n
  opgen::Argument bounds_;  // i64: k+1
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SegmentSumsCall(const opgen::Buffer& x_in, const opgen::Buffer& bounds_in)
      : x_(op, "x", "n", x_in), bounds_(op, "bounds", "k+1", bounds_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    bounds_.dtype_is(opgen::ElementType::I64, "");

    x_.rank_is(1);
    n_ = x_.size(0);
    bounds_.rank_is(1);
    k_ = bounds_.solve(bounds_.size(0), 1, 1, "k + 1", "k");

    bounds_.shape_is(opgen::Shape() << k_ + 1);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << k_};
  }

  SegmentSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SegmentSumsDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
