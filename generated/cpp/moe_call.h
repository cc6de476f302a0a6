// The checked calls of the moe family: dtypes, sizes and results from the arguments.
// Rendered by opgen from moe.toml.
#pragma once

#include "opgen/call.h"
#include "moe.h"

namespace generated {

/// A call of `moe_permute`, checked: sizes, results, workspace, descriptor.
struct MoePermuteCall {
  static constexpr const char* op = "moe_permute";

  opgen::Argument x_;    // T: t d
  opgen::Argument ids_;  // I: t k
  opgen::Int e_;         // The number of experts.
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MoePermuteCall(const opgen::Buffer& x_in, const opgen::Buffer& ids_in, opgen::Int e_in)
      : x_(op, "x", "t d", x_in), ids_(op, "ids", "t k", ids_in), e_(e_in) {
    opgen::at_least(op, "e", e_, 1);

    T_ = x_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = ids_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    x_.rank_is(2);
    t_ = x_.size(0);
    d_ = x_.size(1);
    ids_.rank_is(2);
    k_ = ids_.size(1);

    ids_.shape_is(opgen::Shape() << t_ << k_, ", t of x");

    opgen::require(t_ * k_ < opgen::power(opgen::Int(2), opgen::Int(31)), op,
                   "rows that 32 bits count", "t", t_, "k", k_);
  }

  opgen::TensorSpec rows_() const {
    return {T_, opgen::Shape() << t_ * k_ << d_};
  }

  opgen::TensorSpec offsets_() const {
    return {opgen::ElementType::I32, opgen::Shape() << e_ + 1};
  }

  opgen::TensorSpec places_() const {
    return {opgen::ElementType::I32, opgen::Shape() << t_ << k_};
  }

  MoePermuteDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MoePermuteDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.d, "d", d_);
    fill(desc.k, "k", k_);
    fill(desc.e, "e", e_);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

/// A call of `moe_unpermute`, checked: sizes, results, workspace, descriptor.
struct MoeUnpermuteCall {
  static constexpr const char* op = "moe_unpermute";

  opgen::Argument rows_;     // T: t*k d
  opgen::Argument places_;   // i32: t k
  opgen::Argument weights_;  // W: t k
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::Int d_;
  opgen::Int t_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MoeUnpermuteCall(const opgen::Buffer& rows_in, const opgen::Buffer& places_in,
                            const opgen::Buffer& weights_in)
      : rows_(op, "rows", "t*k d", rows_in), places_(op, "places", "t k", places_in),
        weights_(op, "weights", "t k", weights_in) {
    T_ = rows_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    places_.dtype_is(opgen::ElementType::I32, "");
    W_ = opgen::ElementType::F32;
    if (weights_.present()) {
      W_ = weights_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                          opgen::ElementType::F16, opgen::ElementType::F64));
    }

    rows_.rank_is(2);
    d_ = rows_.size(1);
    places_.rank_is(2);
    t_ = places_.size(0);
    k_ = places_.size(1);
    if (weights_.present()) weights_.rank_is(2);

    rows_.shape_is(opgen::Shape() << t_ * k_ << d_, ", t of places, k of places");
    if (weights_.present()) {
      weights_.shape_is(opgen::Shape() << t_ << k_, ", t of places, k of places");
    }

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << t_ << d_};
  }

  MoeUnpermuteDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MoeUnpermuteDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.k, "k", k_);
    fill(desc.d, "d", d_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    return desc;
  }
};

/// A call of `moe_unpermute_dgrad`, checked: sizes, results, workspace, descriptor.
struct MoeUnpermuteDgradCall {
  static constexpr const char* op = "moe_unpermute_dgrad";

  opgen::Argument dy_;       // T: t d
  opgen::Argument places_;   // i32: t k
  opgen::Argument weights_;  // W: t k
  opgen::ElementType T_;
  opgen::ElementType W_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MoeUnpermuteDgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& places_in,
                                 const opgen::Buffer& weights_in)
      : dy_(op, "dy", "t d", dy_in), places_(op, "places", "t k", places_in),
        weights_(op, "weights", "t k", weights_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    places_.dtype_is(opgen::ElementType::I32, "");
    W_ = opgen::ElementType::F32;
    if (weights_.present()) {
      W_ = weights_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                          opgen::ElementType::F16, opgen::ElementType::F64));
    }

    dy_.rank_is(2);
    t_ = dy_.size(0);
    d_ = dy_.size(1);
    places_.rank_is(2);
    k_ = places_.size(1);
    if (weights_.present()) weights_.rank_is(2);

    places_.shape_is(opgen::Shape() << t_ << k_, ", t of dy");
    if (weights_.present()) weights_.shape_is(opgen::Shape() << t_ << k_, ", t of dy, k of places");

    opgen::require(W_ == T_ || W_ == opgen::ElementType::F32, op, "W == T or W == f32", "W", W_,
                   "T", T_);
  }

  opgen::TensorSpec drows_() const {
    return {T_, opgen::Shape() << t_ * k_ << d_};
  }

  opgen::TensorSpec ends_() const {
    return {opgen::ElementType::I64, opgen::Shape() << t_ * k_};
  }

  opgen::TensorSpec order_() const {
    return {opgen::ElementType::I64, opgen::Shape() << t_ * k_};
  }

  MoeUnpermuteDgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MoeUnpermuteDgradDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.d, "d", d_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    fill(desc.W, "W", W_);
    return desc;
  }
};

/// A call of `moe_unpermute_wgrad`, checked: sizes, results, workspace, descriptor.
struct MoeUnpermuteWgradCall {
  static constexpr const char* op = "moe_unpermute_wgrad";

  opgen::Argument dy_;      // T: t d
  opgen::Argument places_;  // i32: t k
  opgen::Argument rows_;    // T: t*k d
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int k_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit MoeUnpermuteWgradCall(const opgen::Buffer& dy_in, const opgen::Buffer& places_in,
                                 const opgen::Buffer& rows_in)
      : dy_(op, "dy", "t d", dy_in), places_(op, "places", "t k", places_in),
        rows_(op, "rows", "t*k d", rows_in) {
    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    places_.dtype_is(opgen::ElementType::I32, "");
    rows_.dtype_is(T_, ", the dtype of dy");
    Acc_ = opgen::accum(T_);

    dy_.rank_is(2);
    t_ = dy_.size(0);
    d_ = dy_.size(1);
    places_.rank_is(2);
    k_ = places_.size(1);
    rows_.rank_is(2);

    places_.shape_is(opgen::Shape() << t_ << k_, ", t of dy");
    rows_.shape_is(opgen::Shape() << t_ * k_ << d_, ", t of dy, k of places, d of dy");
  }

  opgen::TensorSpec dweights_() const {
    return {Acc_, opgen::Shape() << t_ << k_};
  }

  MoeUnpermuteWgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<MoeUnpermuteWgradDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.d, "d", d_);
    fill(desc.k, "k", k_);
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
