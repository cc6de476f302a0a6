// The checked calls of the choices family: dtypes, sizes and results from the arguments.
// Rendered by opgen from choices.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "choices.h"

namespace language_ops {

/// A call of `row_sums`, checked: sizes, results, workspace, descriptor.
struct RowSumsCall {
  static constexpr const char* op = "row_sums";

  opgen::Argument x_;  // T: m n
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RowSumsCall(const opgen::Buffer& x_in)
      : x_(op, "x", "m n", x_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    m_ = x_.size(0);
    n_ = x_.size(1);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << m_};
  }

  /// The position of the first kernel for `platform` that takes this call; -1: none does.
  int32_t kernel(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        if (n_ % 4 == 0) return 0;
        return 1;
      default:
        return -1;
    }
  }

  /// Why a kernel for `platform` cannot take this call, or (-1, -5) none of them; empty: it can.
  std::string unmet(opgen::Platform platform, int32_t kernel) const {
    switch (platform) {
      case opgen::Platform::cpu:
        switch (kernel) {
          case -5:
          case -1:
            return opgen::unmet_by_all({"by_fours", "row_sums"},
                                       [&](int32_t each) { return unmet(platform, each); });
          case 0:
            if (!(n_ % 4 == 0)) {
              return opgen::unmet("n % 4 == 0", "n", n_);
            }
            return {};
          default:
            return {};
        }
      default:
        return {};
    }
  }

  RowSumsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RowSumsDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
