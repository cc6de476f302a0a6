// The checked calls of the results family: dtypes, sizes and results from the arguments.
// Rendered by opgen from results.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "results.h"

namespace language_ops {

/// A call of `moments`, checked: sizes, results, workspace, descriptor.
struct MomentsCall {
  static constexpr const char* op = "moments";

  opgen::Argument x_;  // T: m n
  bool spread_;
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MomentsCall(const opgen::Buffer& x_in, bool spread_in)
      : x_(op, "x", "m n", x_in), spread_(spread_in) {
    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    m_ = x_.size(0);
    n_ = x_.size(1);

    opgen::require(n_ > 0, op, "n > 0", "n", n_);
  }

  opgen::TensorSpec mean_() const {
    return {T_, opgen::Shape() << m_};
  }

  bool variance_present() const { return spread_; }

  opgen::TensorSpec variance_() const {
    return {T_, opgen::Shape() << m_};
  }

  /// The case of the kernel for `platform` in this call, which selects its function.
  int32_t symbol(opgen::Platform platform) const {
    switch (platform) {
      case opgen::Platform::cpu:
        return spread_ ? 0 : 1;
      default:
        return 0;
    }
  }

  MomentsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MomentsDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.n, "n", n_);
    fill(desc.spread, "spread", spread_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `split_rows`, checked: sizes, results, workspace, descriptor.
struct SplitRowsCall {
  static constexpr const char* op = "split_rows";

  opgen::Argument x_;  // T: sum(sizes) n
  opgen::Sizes sizes_;
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int pieces_;  // len(sizes)

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SplitRowsCall(const opgen::Buffer& x_in, opgen::Sizes sizes_in)
      : x_(op, "x", "sum(sizes) n", x_in), sizes_(sizes_in) {
    for (auto each : sizes_) opgen::at_least(op, "sizes", each, 0);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));

    x_.rank_is(2);
    n_ = x_.size(1);

    x_.shape_is(opgen::Shape() << opgen::sum(sizes_) << n_);

    pieces_ = opgen::len(sizes_);

    opgen::require(pieces_ > 0, op, "pieces > 0", "pieces", pieces_);
  }

  std::vector<opgen::TensorSpec> parts_() const {
    std::vector<opgen::TensorSpec> specs;
    for (int64_t i = 0; i < pieces_.value(); ++i) {
      specs.push_back({T_, opgen::Shape() << sizes_[i] << n_});
    }
    return specs;
  }

  SplitRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SplitRowsDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `accumulate`, checked: sizes, results, workspace, descriptor.
struct AccumulateCall {
  static constexpr const char* op = "accumulate";

  opgen::Argument total_;  // T: *s
  opgen::Argument x_;      // T: *s
  bool in_place_;
  opgen::ElementType T_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit AccumulateCall(const opgen::Buffer& total_in, const opgen::Buffer& x_in,
                          bool in_place_in)
      : total_(op, "total", "*s", total_in), x_(op, "x", "*s", x_in), in_place_(in_place_in) {
    T_ = total_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of total");

    s_ = total_.take(0, 0);
    x_.rank_is(opgen::len(s_));

    x_.shape_is(opgen::Shape() << s_, ", s of total");
  }

  opgen::TensorSpec sum_() const {
    return {T_, opgen::Shape() << s_};
  }

  opgen::Wish total_layout() const {
    return opgen::Wish(opgen::Layout::contiguous);
  }
  bool total_written() const {
    return in_place_;
  }

  AccumulateDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<AccumulateDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.in_place, "in_place", in_place_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
