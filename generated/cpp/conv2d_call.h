// What the arguments of a call say about everything else.
// Rendered by opgen from conv2d.toml.
#pragma once

#include "opgen/call.h"
#include "conv2d.h"

namespace generated {

/// A call of `conv2d`, checked: sizes, results, workspace, descriptor.
struct Conv2dCall {
  static constexpr const char* op = "conv2d";

  opgen::Argument x;       // T: n groups*cg h w
  opgen::Argument weight;  // T: k cg r s
  opgen::Argument bias;    // T: k
  opgen::Sizes stride;
  opgen::Sizes padding;
  opgen::Sizes dilation;
  opgen::Int groups;
  opgen::ElementType T;
  opgen::Int n;
  opgen::Int cg;
  opgen::Int h;
  opgen::Int w;
  opgen::Int k;
  opgen::Int r;
  opgen::Int s;
  opgen::Int p;            // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q;            // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dCall(const opgen::Buffer& x_, const opgen::Buffer& weight_,
                      const opgen::Buffer& bias_, opgen::Sizes stride_, opgen::Sizes padding_,
                      opgen::Sizes dilation_, opgen::Int groups_)
      : x(op, "x", "n groups*cg h w", x_), weight(op, "weight", "k cg r s", weight_),
        bias(op, "bias", "k", bias_), stride(stride_), padding(padding_), dilation(dilation_),
        groups(groups_) {
    for (auto each : stride) opgen::at_least(op, "stride", each, 1);
    for (auto each : padding) opgen::at_least(op, "padding", each, 0);
    for (auto each : dilation) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups, 1);

    T = x.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight.dtype_is(T, ", the dtype of x");
    if (bias.present()) bias.dtype_is(T, ", the dtype of x");

    x.rank_is(4);
    n = x.size(0);
    cg = x.solve(x.size(1), groups, 0, "groups * cg", "cg");
    h = x.size(2);
    w = x.size(3);
    weight.rank_is(4);
    k = weight.size(0);
    r = weight.size(2);
    s = weight.size(3);
    if (bias.present()) bias.rank_is(1);

    x.shape_is(opgen::Shape() << n << groups * cg << h << w);
    weight.shape_is(opgen::Shape() << k << cg << r << s, ", cg of x");
    if (bias.present()) bias.shape_is(opgen::Shape() << k, ", k of weight");

    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) / stride[0] + 1;
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) / stride[1] + 1;

    opgen::require(p >= 1, op, "p >= 1", "p", p);
    opgen::require(q >= 1, op, "q >= 1", "q", q);
    opgen::require(k % groups == 0, op, "output channels must divide into groups", "k", k, "groups",
                   groups);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << n << k << p << q};
  }

  Conv2dDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.cg, "cg", cg);
    fill(desc.h, "h", h);
    fill(desc.w, "w", w);
    fill(desc.k, "k", k);
    fill(desc.r, "r", r);
    fill(desc.s, "s", s);
    fill(desc.p, "p", p);
    fill(desc.q, "q", q);
    fill(desc.stride, "stride", stride);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride));
    fill(desc.padding, "padding", padding);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding));
    fill(desc.dilation, "dilation", dilation);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation));
    fill(desc.groups, "groups", groups);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `conv2d_dgrad`, checked: sizes, results, workspace, descriptor.
struct Conv2dDgradCall {
  static constexpr const char* op = "conv2d_dgrad";

  opgen::Argument dy;      // T: n k p q
  opgen::Argument weight;  // T: k cg r s
  opgen::Sizes stride;
  opgen::Sizes padding;
  opgen::Sizes dilation;
  opgen::Int groups;
  opgen::Int h;
  opgen::Int w;
  opgen::ElementType T;
  opgen::Int n;
  opgen::Int k;
  opgen::Int cg;
  opgen::Int r;
  opgen::Int s;
  opgen::Int p;            // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q;            // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dDgradCall(const opgen::Buffer& dy_, const opgen::Buffer& weight_,
                           opgen::Sizes stride_, opgen::Sizes padding_, opgen::Sizes dilation_,
                           opgen::Int groups_, opgen::Int h_, opgen::Int w_)
      : dy(op, "dy", "n k p q", dy_), weight(op, "weight", "k cg r s", weight_), stride(stride_),
        padding(padding_), dilation(dilation_), groups(groups_), h(h_), w(w_) {
    for (auto each : stride) opgen::at_least(op, "stride", each, 1);
    for (auto each : padding) opgen::at_least(op, "padding", each, 0);
    for (auto each : dilation) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups, 1);

    T = dy.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    weight.dtype_is(T, ", the dtype of dy");

    dy.rank_is(4);
    n = dy.size(0);
    k = dy.size(1);
    weight.rank_is(4);
    cg = weight.size(1);
    r = weight.size(2);
    s = weight.size(3);

    dy.shape_is(opgen::Shape() << n << k
                               << (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) / stride[0] + 1
                               << (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) / stride[1] + 1,
                ", r of weight, s of weight");
    weight.shape_is(opgen::Shape() << k << cg << r << s, ", k of dy");

    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) / stride[0] + 1;
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) / stride[1] + 1;

    opgen::require(p >= 1, op, "p >= 1", "p", p);
    opgen::require(q >= 1, op, "q >= 1", "q", q);
    opgen::require(k % groups == 0, op, "output channels must divide into groups", "k", k, "groups",
                   groups);
    opgen::require(h >= 0, op, "h >= 0", "h", h);
    opgen::require(w >= 0, op, "w >= 0", "w", w);
  }

  opgen::TensorSpec dx() const {
    return {T, opgen::Shape() << n << groups * cg << h << w};
  }

  Conv2dDgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dDgradDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.k, "k", k);
    fill(desc.p, "p", p);
    fill(desc.q, "q", q);
    fill(desc.cg, "cg", cg);
    fill(desc.r, "r", r);
    fill(desc.s, "s", s);
    fill(desc.stride, "stride", stride);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride));
    fill(desc.padding, "padding", padding);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding));
    fill(desc.dilation, "dilation", dilation);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation));
    fill(desc.groups, "groups", groups);
    fill(desc.h, "h", h);
    fill(desc.w, "w", w);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `conv2d_wgrad`, checked: sizes, results, workspace, descriptor.
struct Conv2dWgradCall {
  static constexpr const char* op = "conv2d_wgrad";

  opgen::Argument dy;  // T: n k p q
  opgen::Argument x;   // T: n groups*cg h w
  opgen::Sizes stride;
  opgen::Sizes padding;
  opgen::Sizes dilation;
  opgen::Int groups;
  opgen::Int r;
  opgen::Int s;
  opgen::ElementType T;
  opgen::Int n;
  opgen::Int k;
  opgen::Int cg;
  opgen::Int h;
  opgen::Int w;
  opgen::Int p;        // (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
  opgen::Int q;        // (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
  int64_t wanted;      // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Conv2dWgradCall(const opgen::Buffer& dy_, const opgen::Buffer& x_, opgen::Sizes stride_,
                           opgen::Sizes padding_, opgen::Sizes dilation_, opgen::Int groups_,
                           opgen::Int r_, opgen::Int s_, int64_t wanted_ = -1)
      : dy(op, "dy", "n k p q", dy_), x(op, "x", "n groups*cg h w", x_), stride(stride_),
        padding(padding_), dilation(dilation_), groups(groups_), r(r_), s(s_), wanted(wanted_) {
    for (auto each : stride) opgen::at_least(op, "stride", each, 1);
    for (auto each : padding) opgen::at_least(op, "padding", each, 0);
    for (auto each : dilation) opgen::at_least(op, "dilation", each, 1);
    opgen::at_least(op, "groups", groups, 1);

    T = dy.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F16));
    x.dtype_is(T, ", the dtype of dy");

    dy.rank_is(4);
    n = dy.size(0);
    k = dy.size(1);
    x.rank_is(4);
    cg = x.solve(x.size(1), groups, 0, "groups * cg", "cg");
    h = x.size(2);
    w = x.size(3);

    dy.shape_is(opgen::Shape() << n << k
                               << (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) / stride[0] + 1
                               << (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) / stride[1] + 1,
                ", h of x, w of x");
    x.shape_is(opgen::Shape() << n << groups * cg << h << w, ", n of dy");

    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) / stride[0] + 1;
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) / stride[1] + 1;

    opgen::require(p >= 1, op, "p >= 1", "p", p);
    opgen::require(q >= 1, op, "q >= 1", "q", q);
    opgen::require(k % groups == 0, op, "output channels must divide into groups", "k", k, "groups",
                   groups);
    opgen::require(r >= 0, op, "r >= 0", "r", r);
    opgen::require(s >= 0, op, "s >= 0", "s", s);
  }

  bool has_dweight() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dweight() const {
    return {T, opgen::Shape() << k << cg << r << s};
  }

  bool has_dbias() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dbias() const {
    return {T, opgen::Shape() << k};
  }

  Conv2dWgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Conv2dWgradDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.k, "k", k);
    fill(desc.p, "p", p);
    fill(desc.q, "q", q);
    fill(desc.cg, "cg", cg);
    fill(desc.h, "h", h);
    fill(desc.w, "w", w);
    fill(desc.stride, "stride", stride);
    fill(desc.stride_rank, "stride_rank", opgen::len(stride));
    fill(desc.padding, "padding", padding);
    fill(desc.padding_rank, "padding_rank", opgen::len(padding));
    fill(desc.dilation, "dilation", dilation);
    fill(desc.dilation_rank, "dilation_rank", opgen::len(dilation));
    fill(desc.groups, "groups", groups);
    fill(desc.r, "r", r);
    fill(desc.s, "s", s);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
