// What the arguments of a call say about everything else.
// Rendered by opgen from bins.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "bins.h"

namespace language_ops {

/// A call of `bin_sums`, checked: sizes, results, workspace, descriptor.
struct BinSumsCall {
  static constexpr const char* op = "bin_sums";

  opgen::Argument x;       // T: m n
  opgen::Argument bin;     // i64: m
  opgen::Int bins;
  opgen::ElementType T;
  opgen::ElementType Acc;  // accum(T)
  opgen::Int m;
  opgen::Int n;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit BinSumsCall(const opgen::Buffer& x_, const opgen::Buffer& bin_, opgen::Int bins_)
      : x(op, "x", "m n", x_), bin(op, "bin", "m", bin_), bins(bins_) {
    opgen::at_least(op, "bins", bins, 1);

    T = x.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F16));
    bin.dtype_is(opgen::ElementType::I64, "");
    Acc = opgen::accum(T);

    x.rank_is(2);
    m = x.size(0);
    n = x.size(1);
    bin.rank_is(1);

    bin.shape_is(opgen::Shape() << m, ", m of x");
  }

  opgen::TensorSpec sums() const {
    return {Acc, opgen::Shape() << bins << n, opgen::Order{{1, 0}, 2, -1}};
  }

  opgen::TensorSpec counts() const {
    return {opgen::ElementType::I64, opgen::Shape() << bins};
  }

  opgen::Element counts_init() const {
    return opgen::element(op, "counts", opgen::ElementType::I64, 0);
  }

  /// Why the kernel for `platform` cannot take this call; empty: it can.
  std::string unmet(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        if (!(n <= 4096)) {
          return opgen::unmet("n <= 4096", "n", n);
        }
        if (!opgen::indexable(sums())) return opgen::too_large("sums");
        if (!opgen::indexable(counts())) return opgen::too_large("counts");
        if (!opgen::indexable(x)) return opgen::too_large(x.name);
        if (!opgen::indexable(bin)) return opgen::too_large(bin.name);
        return {};
      default:
        return {};
    }
  }

  BinSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<BinSumsDescriptor>();
    fill(desc.m, "m", m);
    fill(desc.n, "n", n);
    fill(desc.bins, "bins", bins);
    fill(desc.T, "T", T);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

}  // namespace language_ops
