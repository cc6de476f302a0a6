// The checked calls of the bins family: dtypes, sizes and results from the arguments.
// Rendered by opgen from bins.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "bins.h"

namespace language_ops {

/// A call of `bin_sums`, checked: sizes, results, workspace, descriptor.
struct BinSumsCall {
  static constexpr const char* op = "bin_sums";

  opgen::Argument x_;       // T: m n
  opgen::Argument bin_;     // i64: m
  opgen::Int bins_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Int m_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit BinSumsCall(const opgen::Buffer& x_in, const opgen::Buffer& bin_in, opgen::Int bins_in)
      : x_(op, "x", "m n", x_in), bin_(op, "bin", "m", bin_in), bins_(bins_in) {
    opgen::at_least(op, "bins", bins_, 1);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F16));
    bin_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);

    x_.rank_is(2);
    m_ = x_.size(0);
    n_ = x_.size(1);
    bin_.rank_is(1);

    bin_.shape_is(opgen::Shape() << m_, ", m of x");
  }

  opgen::TensorSpec sums_() const {
    return {Acc_, opgen::Shape() << bins_ << n_, opgen::Order{{1, 0}, 2, -1}};
  }

  opgen::TensorSpec counts_() const {
    return {opgen::ElementType::I64, opgen::Shape() << bins_};
  }

  opgen::Element counts_init() const {
    return opgen::element(op, "counts", opgen::ElementType::I64, 0);
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        if (!(n_ <= 4096)) {
          return opgen::unmet("n <= 4096", "n", n_);
        }
        if (!opgen::indexable(sums_())) return opgen::too_large("sums");
        if (!opgen::indexable(counts_())) return opgen::too_large("counts");
        if (!opgen::indexable(x_)) return opgen::too_large(x_.name);
        if (!opgen::indexable(bin_)) return opgen::too_large(bin_.name);
        return {};
      default:
        return {};
    }
  }

  BinSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<BinSumsDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.n, "n", n_);
    fill(desc.bins, "bins", bins_);
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace language_ops
