// The checked calls of the conv2d family: dtypes, sizes and results from the arguments.
// Rendered by opgen from conv2d.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "conv2d.h"

namespace generated {

/// A call of `conv2d`, checked: sizes, results, workspace, descriptor.
struct Conv2dCall {
  static constexpr const char* op = "conv2d";

  opgen::Argument x_;       // T: n groups*cg h w
  opgen::Argument weight_;  // T: k cg r s
  opgen::Argument bias_;    // T: k
  opgen::Sizes stride_;
  opgen::Sizes padding_;
  opgen::Sizes dilation_;
  opgen::Int groups_;
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int cg_;
  opgen::Int h_;
  opgen::Int w_;
  opgen::Int k_;
  opgen::Int r_;
  opgen::Int s_;
  opgen::Int p_;            // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q_;            // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dCall(const opgen::Buffer& x_in, const opgen::Buffer& weight_in,
                      const opgen::Buffer& bias_in, opgen::Sizes stride_in, opgen::Sizes padding_in,
                      opgen::Sizes dilation_in, opgen::Int groups_in)
      : x_(op, "x", "n groups*cg h w", x_in), weight_(op, "weight", "k cg r s", weight_in),
        bias_(op, "bias", "k", bias_in), stride_(stride_in), padding_(padding_in),
        dilation_(dilation_in), groups_(groups_in) {
    opgen::count_is(op, "stride", stride_, 2);
    for (auto each : stride_) opgen::at_least(op, "stride", each, 1);
    opgen::count_is(op, "padding", padding_, 2);
    for (auto each : padding_) opgen::at_least(op, "padding", each, 0);
    opgen::count_is(op, "dilation", dilation_, 2);
    for (auto each : dilation_) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups_, 1);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of x");
    if (bias_.present()) bias_.dtype_is(T_, ", the dtype of x");

    x_.rank_is(4);
    n_ = x_.size(0);
    cg_ = x_.solve(x_.size(1), groups_, 0, "groups * cg", "cg");
    h_ = x_.size(2);
    w_ = x_.size(3);
    weight_.rank_is(4);
    k_ = weight_.size(0);
    r_ = weight_.size(2);
    s_ = weight_.size(3);
    if (bias_.present()) bias_.rank_is(1);

    x_.shape_is(opgen::Shape() << n_ << groups_ * cg_ << h_ << w_);
    weight_.shape_is(opgen::Shape() << k_ << cg_ << r_ << s_, ", cg of x");
    if (bias_.present()) bias_.shape_is(opgen::Shape() << k_, ", k of weight");

    p_ = (h_ + 2 * padding_[0] - dilation_[0] * (r_ - 1) - 1) / stride_[0] + 1;
    q_ = (w_ + 2 * padding_[1] - dilation_[1] * (s_ - 1) - 1) / stride_[1] + 1;

    opgen::require(r_ >= 1, op, "r >= 1", "r", r_);
    opgen::require(s_ >= 1, op, "s >= 1", "s", s_);
    opgen::require(p_ >= 1, op, "p >= 1", "p", p_);
    opgen::require(q_ >= 1, op, "q >= 1", "q", q_);
    opgen::require(k_ % groups_ == 0, op, "output channels must divide into groups", "k", k_,
                   "groups", groups_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << n_ << k_ << p_ << q_};
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

  Conv2dDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.cg, "cg", cg_);
    fill(desc.h, "h", h_);
    fill(desc.w, "w", w_);
    fill(desc.k, "k", k_);
    fill(desc.r, "r", r_);
    fill(desc.s, "s", s_);
    fill(desc.p, "p", p_);
    fill(desc.q, "q", q_);
    fill(desc.stride, "stride", stride_);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride_));
    fill(desc.padding, "padding", padding_);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding_));
    fill(desc.dilation, "dilation", dilation_);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation_));
    fill(desc.groups, "groups", groups_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `conv2d_dgrad`, checked: sizes, results, workspace, descriptor.
struct Conv2dDgradCall {
  static constexpr const char* op = "conv2d_dgrad";

  opgen::Argument dy_;      // T: n k p q
  opgen::Argument weight_;  // T: k cg r s
  opgen::Int h_;
  opgen::Int w_;
  opgen::Sizes stride_;
  opgen::Sizes padding_;
  opgen::Sizes dilation_;
  opgen::Int groups_;
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int k_;
  opgen::Int cg_;
  opgen::Int r_;
  opgen::Int s_;
  opgen::Int p_;            // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q_;            // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dDgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& weight_in,
                           opgen::Int h_in, opgen::Int w_in, opgen::Sizes stride_in,
                           opgen::Sizes padding_in, opgen::Sizes dilation_in, opgen::Int groups_in)
      : dy_(op, "dy", "n k p q", dy_in), weight_(op, "weight", "k cg r s", weight_in), h_(h_in),
        w_(w_in), stride_(stride_in), padding_(padding_in), dilation_(dilation_in),
        groups_(groups_in) {
    opgen::count_is(op, "stride", stride_, 2);
    for (auto each : stride_) opgen::at_least(op, "stride", each, 1);
    opgen::count_is(op, "padding", padding_, 2);
    for (auto each : padding_) opgen::at_least(op, "padding", each, 0);
    opgen::count_is(op, "dilation", dilation_, 2);
    for (auto each : dilation_) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups_, 1);

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_is(4);
    n_ = dy_.size(0);
    k_ = dy_.size(1);
    weight_.rank_is(4);
    cg_ = weight_.size(1);
    r_ = weight_.size(2);
    s_ = weight_.size(3);

    dy_.shape_is(opgen::Shape() << n_ << k_
                     << (h_ + 2 * padding_[0] - dilation_[0] * (r_ - 1) - 1) / stride_[0] + 1
                     << (w_ + 2 * padding_[1] - dilation_[1] * (s_ - 1) - 1) / stride_[1] + 1,
                 ", r of weight, s of weight");
    weight_.shape_is(opgen::Shape() << k_ << cg_ << r_ << s_, ", k of dy");

    p_ = (h_ + 2 * padding_[0] - dilation_[0] * (r_ - 1) - 1) / stride_[0] + 1;
    q_ = (w_ + 2 * padding_[1] - dilation_[1] * (s_ - 1) - 1) / stride_[1] + 1;

    opgen::require(r_ >= 1, op, "r >= 1", "r", r_);
    opgen::require(s_ >= 1, op, "s >= 1", "s", s_);
    opgen::require(p_ >= 1, op, "p >= 1", "p", p_);
    opgen::require(q_ >= 1, op, "q >= 1", "q", q_);
    opgen::require(k_ % groups_ == 0, op, "output channels must divide into groups", "k", k_,
                   "groups", groups_);
    opgen::require(h_ >= 0, op, "h >= 0", "h", h_);
    opgen::require(w_ >= 0, op, "w >= 0", "w", w_);
  }

  opgen::TensorSpec dx_() const {
    return {T_, opgen::Shape() << n_ << groups_ * cg_ << h_ << w_};
  }

  bool sums_present() const {
       return T_ == opgen::ElementType::BF16 || T_ == opgen::ElementType::F16; }

  opgen::TensorSpec sums_() const {
    return {opgen::ElementType::F32, opgen::Shape() << n_ << groups_ * cg_ << h_ << w_};
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

  Conv2dDgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dDgradDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.k, "k", k_);
    fill(desc.p, "p", p_);
    fill(desc.q, "q", q_);
    fill(desc.cg, "cg", cg_);
    fill(desc.r, "r", r_);
    fill(desc.s, "s", s_);
    fill(desc.stride, "stride", stride_);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride_));
    fill(desc.padding, "padding", padding_);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding_));
    fill(desc.dilation, "dilation", dilation_);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation_));
    fill(desc.groups, "groups", groups_);
    fill(desc.h, "h", h_);
    fill(desc.w, "w", w_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `conv2d_wgrad`, checked: sizes, results, workspace, descriptor.
struct Conv2dWgradCall {
  static constexpr const char* op = "conv2d_wgrad";

  opgen::Argument dy_;  // T: n k p q
  opgen::Argument x_;   // T: n groups*cg h w
  opgen::Int r_;
  opgen::Int s_;
  opgen::Sizes stride_;
  opgen::Sizes padding_;
  opgen::Sizes dilation_;
  opgen::Int groups_;
  opgen::ElementType T_;
  opgen::Int n_;
  opgen::Int k_;
  opgen::Int cg_;
  opgen::Int h_;
  opgen::Int w_;
  opgen::Int p_;        // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q_;        // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
  int64_t wanted;       // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dWgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& x_in, opgen::Int r_in,
                           opgen::Int s_in, opgen::Sizes stride_in, opgen::Sizes padding_in,
                           opgen::Sizes dilation_in, opgen::Int groups_in, int64_t asked = -1)
      : dy_(op, "dy", "n k p q", dy_in), x_(op, "x", "n groups*cg h w", x_in), r_(r_in), s_(s_in),
        stride_(stride_in), padding_(padding_in), dilation_(dilation_in), groups_(groups_in),
        wanted(asked) {
    opgen::count_is(op, "stride", stride_, 2);
    for (auto each : stride_) opgen::at_least(op, "stride", each, 1);
    opgen::count_is(op, "padding", padding_, 2);
    for (auto each : padding_) opgen::at_least(op, "padding", each, 0);
    opgen::count_is(op, "dilation", dilation_, 2);
    for (auto each : dilation_) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups_, 1);

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    x_.dtype_is(T_, ", the dtype of dy");

    dy_.rank_is(4);
    n_ = dy_.size(0);
    k_ = dy_.size(1);
    x_.rank_is(4);
    cg_ = x_.solve(x_.size(1), groups_, 0, "groups * cg", "cg");
    h_ = x_.size(2);
    w_ = x_.size(3);

    dy_.shape_is(opgen::Shape() << n_ << k_
                     << (h_ + 2 * padding_[0] - dilation_[0] * (r_ - 1) - 1) / stride_[0] + 1
                     << (w_ + 2 * padding_[1] - dilation_[1] * (s_ - 1) - 1) / stride_[1] + 1,
                 ", h of x, w of x");
    x_.shape_is(opgen::Shape() << n_ << groups_ * cg_ << h_ << w_, ", n of dy");

    p_ = (h_ + 2 * padding_[0] - dilation_[0] * (r_ - 1) - 1) / stride_[0] + 1;
    q_ = (w_ + 2 * padding_[1] - dilation_[1] * (s_ - 1) - 1) / stride_[1] + 1;

    opgen::require(r_ >= 1, op, "r >= 1", "r", r_);
    opgen::require(s_ >= 1, op, "s >= 1", "s", s_);
    opgen::require(p_ >= 1, op, "p >= 1", "p", p_);
    opgen::require(q_ >= 1, op, "q >= 1", "q", q_);
    opgen::require(k_ % groups_ == 0, op, "output channels must divide into groups", "k", k_,
                   "groups", groups_);
    opgen::require(r_ >= 0, op, "r >= 0", "r", r_);
    opgen::require(s_ >= 0, op, "s >= 0", "s", s_);
  }

  bool dweight_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << k_ << cg_ << r_ << s_};
  }

  bool dbias_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dbias_() const {
    return {T_, opgen::Shape() << k_};
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

  Conv2dWgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dWgradDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.k, "k", k_);
    fill(desc.p, "p", p_);
    fill(desc.q, "q", q_);
    fill(desc.cg, "cg", cg_);
    fill(desc.h, "h", h_);
    fill(desc.w, "w", w_);
    fill(desc.stride, "stride", stride_);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride_));
    fill(desc.padding, "padding", padding_);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding_));
    fill(desc.dilation, "dilation", dilation_);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation_));
    fill(desc.groups, "groups", groups_);
    fill(desc.r, "r", r_);
    fill(desc.s, "s", s_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
