// The checked calls of the rotary family: dtypes, sizes and results from the arguments.
// Rendered by opgen from rotary.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "rotary.h"

namespace generated {

/// A call of `rotary`, checked: sizes, results, workspace, descriptor.
struct RotaryCall {
  static constexpr const char* op = "rotary";

  opgen::Argument q_;          // T: *lead t hk*g d or *lead t h d
  opgen::Argument positions_;  // I: *lead t or t
  opgen::Argument cos_sin_;    // C: p 2*r
  opgen::Argument k_;          // T: *lead t hk d
  std::string_view style_;
  int64_t style_position;      // among its choices
  bool inverse_;
  opgen::ElementType T_;
  opgen::ElementType C_;
  opgen::ElementType I_;
  opgen::Sizes lead_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int h_;
  opgen::Int p_;
  opgen::Int r_;
  opgen::Int hk_;
  opgen::Int g_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RotaryCall(const opgen::Buffer& q_in, const opgen::Buffer& positions_in,
                      const opgen::Buffer& cos_sin_in, const opgen::Buffer& k_in,
                      std::string_view style_in, bool inverse_in)
      : q_(op, "q", "*lead t hk*g d or *lead t h d", q_in),
        positions_(op, "positions", "*lead t or t", positions_in),
        cos_sin_(op, "cos_sin", "p 2*r", cos_sin_in), k_(op, "k", "*lead t hk d", k_in),
        style_(style_in), inverse_(inverse_in) {
    style_position = opgen::choice(op, "style", style_, "half", "interleaved");

    T_ = q_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = positions_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    C_ = cos_sin_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                        opgen::ElementType::F16, opgen::ElementType::F64));
    if (k_.present()) k_.dtype_is(T_, ", the dtype of q");

    bool hk_known = false;
    int32_t positions_form = -1;
    if (k_.present()) q_.rank_at_least(3);
    if (k_.present()) lead_ = q_.take(0, 3);
    if (k_.present()) t_ = q_.size(-3);
    if (k_.present()) d_ = q_.size(-1);
    if (!k_.present()) q_.rank_at_least(3);
    if (!k_.present()) lead_ = q_.take(0, 3);
    if (!k_.present()) t_ = q_.size(-3);
    if (!k_.present()) h_ = q_.size(-2);
    if (!k_.present()) d_ = q_.size(-1);
    positions_form = positions_.form(opgen::len(lead_) + 1, 1);
    cos_sin_.rank_is(2);
    p_ = cos_sin_.size(0);
    r_ = cos_sin_.solve(cos_sin_.size(1), 2, 0, "2 * r", "r");
    if (k_.present()) k_.rank_is(opgen::len(lead_) + 3);
    if (k_.present()) {
      hk_ = k_.size(-2);
      hk_known = true;
    }
    if (k_.present() && hk_known) g_ = q_.solve(q_.size(-2), hk_, 0, "hk * g", "g");

    if (k_.present()) q_.shape_is(opgen::Shape() << lead_ << t_ << hk_ * g_ << d_, ", hk of k");
    if (!k_.present()) q_.shape_is(opgen::Shape() << lead_ << t_ << h_ << d_);
    if (positions_form == 0) {
      positions_.shape_is(opgen::Shape() << lead_ << t_, ", lead of q, t of q");
    }
    if (positions_form == 1) positions_.shape_is(opgen::Shape() << t_, ", t of q");
    cos_sin_.shape_is(opgen::Shape() << p_ << 2 * r_);
    if (k_.present()) {
      k_.shape_is(opgen::Shape() << lead_ << t_ << hk_ << d_, ", lead of q, t of q, d of q");
    }

    opgen::require(2 * r_ <= d_, op, "2 * r <= d", "r", r_, "d", d_);
  }

  opgen::TensorSpec q_out_() const {
    return {T_, k_.present() ? opgen::Shape() << lead_ << t_ << hk_ * g_ << d_
                             : opgen::Shape() << lead_ << t_ << h_ << d_};
  }

  bool k_out_present() const { return k_.present(); }

  opgen::TensorSpec k_out_() const {
    return {T_, opgen::Shape() << lead_ << t_ << hk_ << d_};
  }

  RotaryDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RotaryDescriptor>();
    if (lead_.bound()) fill(desc.lead, "lead", opgen::prod(lead_));
    fill(desc.lead_rank, "lead_rank", opgen::len(lead_));
    fill(desc.t, "t", t_);
    fill(desc.hk, "hk", hk_);
    fill(desc.g, "g", g_);
    fill(desc.d, "d", d_);
    fill(desc.h, "h", h_);
    fill(desc.p, "p", p_);
    fill(desc.r, "r", r_);
    fill(desc.style, "style", style_position);
    fill(desc.inverse, "inverse", inverse_);
    fill(desc.T, "T", T_);
    fill(desc.C, "C", C_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

/// A call of `rotary_`, checked: sizes, results, workspace, descriptor.
struct Rotary_Call {
  static constexpr const char* op = "rotary_";

  opgen::Argument q_;          // T: *lead t hk*g d or *lead t h d
  opgen::Argument positions_;  // I: *lead t or t
  opgen::Argument cos_sin_;    // C: p 2*r
  opgen::Argument k_;          // T: *lead t hk d
  std::string_view style_;
  int64_t style_position;      // among its choices
  bool inverse_;
  opgen::ElementType T_;
  opgen::ElementType C_;
  opgen::ElementType I_;
  opgen::Sizes lead_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int h_;
  opgen::Int p_;
  opgen::Int r_;
  opgen::Int hk_;
  opgen::Int g_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Rotary_Call(const opgen::Buffer& q_in, const opgen::Buffer& positions_in,
                       const opgen::Buffer& cos_sin_in, const opgen::Buffer& k_in,
                       std::string_view style_in, bool inverse_in)
      : q_(op, "q", "*lead t hk*g d or *lead t h d", q_in),
        positions_(op, "positions", "*lead t or t", positions_in),
        cos_sin_(op, "cos_sin", "p 2*r", cos_sin_in), k_(op, "k", "*lead t hk d", k_in),
        style_(style_in), inverse_(inverse_in) {
    style_position = opgen::choice(op, "style", style_, "half", "interleaved");

    T_ = q_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = positions_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    C_ = cos_sin_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                        opgen::ElementType::F16, opgen::ElementType::F64));
    if (k_.present()) k_.dtype_is(T_, ", the dtype of q");

    bool hk_known = false;
    int32_t positions_form = -1;
    if (k_.present()) q_.rank_at_least(3);
    if (k_.present()) lead_ = q_.take(0, 3);
    if (k_.present()) t_ = q_.size(-3);
    if (k_.present()) d_ = q_.size(-1);
    if (!k_.present()) q_.rank_at_least(3);
    if (!k_.present()) lead_ = q_.take(0, 3);
    if (!k_.present()) t_ = q_.size(-3);
    if (!k_.present()) h_ = q_.size(-2);
    if (!k_.present()) d_ = q_.size(-1);
    positions_form = positions_.form(opgen::len(lead_) + 1, 1);
    cos_sin_.rank_is(2);
    p_ = cos_sin_.size(0);
    r_ = cos_sin_.solve(cos_sin_.size(1), 2, 0, "2 * r", "r");
    if (k_.present()) k_.rank_is(opgen::len(lead_) + 3);
    if (k_.present()) {
      hk_ = k_.size(-2);
      hk_known = true;
    }
    if (k_.present() && hk_known) g_ = q_.solve(q_.size(-2), hk_, 0, "hk * g", "g");

    if (k_.present()) q_.shape_is(opgen::Shape() << lead_ << t_ << hk_ * g_ << d_, ", hk of k");
    if (!k_.present()) q_.shape_is(opgen::Shape() << lead_ << t_ << h_ << d_);
    if (positions_form == 0) {
      positions_.shape_is(opgen::Shape() << lead_ << t_, ", lead of q, t of q");
    }
    if (positions_form == 1) positions_.shape_is(opgen::Shape() << t_, ", t of q");
    cos_sin_.shape_is(opgen::Shape() << p_ << 2 * r_);
    if (k_.present()) {
      k_.shape_is(opgen::Shape() << lead_ << t_ << hk_ << d_, ", lead of q, t of q, d of q");
    }

    opgen::require(2 * r_ <= d_, op, "2 * r <= d", "r", r_, "d", d_);
  }

  Rotary_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Rotary_Descriptor>();
    if (lead_.bound()) fill(desc.lead, "lead", opgen::prod(lead_));
    fill(desc.lead_rank, "lead_rank", opgen::len(lead_));
    fill(desc.t, "t", t_);
    fill(desc.hk, "hk", hk_);
    fill(desc.g, "g", g_);
    fill(desc.d, "d", d_);
    fill(desc.h, "h", h_);
    fill(desc.p, "p", p_);
    fill(desc.r, "r", r_);
    fill(desc.style, "style", style_position);
    fill(desc.inverse, "inverse", inverse_);
    fill(desc.T, "T", T_);
    fill(desc.C, "C", C_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

/// A call of `apply_rotary`, checked: sizes, results, workspace, descriptor.
struct ApplyRotaryCall {
  static constexpr const char* op = "apply_rotary";

  opgen::Argument q_;       // T: *lead hk*g t d or *lead t hk*g d
  opgen::Argument k_;       // T: *lead hk t d or *lead t hk d
  opgen::Argument cos_;     // C: *lead t 2*r or t 2*r
  opgen::Argument sin_;     // C: *lead t 2*r or t 2*r
  std::string_view order_;  // Whether heads come before or after the tokens of the sequence.
  int64_t order_position;   // among its choices
  // The elements of a pair: `x[i], x[r + i]`, or `x[2*i], x[2*i + 1]` as in GPT-J.
  std::string_view style_;
  int64_t style_position;   // among its choices
  bool inverse_;            // Whether to apply the transposed map, which rotates back.
  opgen::ElementType T_;
  opgen::ElementType C_;
  opgen::Sizes lead_;
  opgen::Int t_;
  opgen::Int d_;
  opgen::Int hk_;
  opgen::Int r_;
  opgen::Int g_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ApplyRotaryCall(const opgen::Buffer& q_in, const opgen::Buffer& k_in,
                           const opgen::Buffer& cos_in, const opgen::Buffer& sin_in,
                           std::string_view order_in, std::string_view style_in, bool inverse_in)
      : q_(op, "q", "*lead hk*g t d or *lead t hk*g d", q_in),
        k_(op, "k", "*lead hk t d or *lead t hk d", k_in),
        cos_(op, "cos", "*lead t 2*r or t 2*r", cos_in),
        sin_(op, "sin", "*lead t 2*r or t 2*r", sin_in), order_(order_in), style_(style_in),
        inverse_(inverse_in) {
    order_position = opgen::choice(op, "order", order_, "HSD", "SHD");
    style_position = opgen::choice(op, "style", style_, "half", "interleaved");

    T_ = q_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                  opgen::ElementType::F16, opgen::ElementType::F64));
    k_.dtype_is(T_, ", the dtype of q");
    C_ = cos_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                    opgen::ElementType::F16, opgen::ElementType::F64));
    sin_.dtype_is(C_, ", the dtype of cos");

    int32_t cos_form = -1;
    int32_t sin_form = -1;
    if ((order_ == "HSD")) q_.rank_at_least(3);
    if ((order_ == "HSD")) lead_ = q_.take(0, 3);
    if ((order_ == "HSD")) t_ = q_.size(-2);
    if ((order_ == "HSD")) d_ = q_.size(-1);
    if (!(order_ == "HSD")) q_.rank_at_least(3);
    if (!(order_ == "HSD")) lead_ = q_.take(0, 3);
    if (!(order_ == "HSD")) t_ = q_.size(-3);
    if (!(order_ == "HSD")) d_ = q_.size(-1);
    if ((order_ == "HSD")) k_.rank_is(opgen::len(lead_) + 3);
    if ((order_ == "HSD")) hk_ = k_.size(-3);
    if (!(order_ == "HSD")) k_.rank_is(opgen::len(lead_) + 3);
    if (!(order_ == "HSD")) hk_ = k_.size(-2);
    cos_form = cos_.form(opgen::len(lead_) + 2, 2);
    if (cos_form == 0) r_ = cos_.solve(cos_.size(-1), 2, 0, "2 * r", "r");
    if (cos_form == 1) r_ = cos_.solve(cos_.size(1), 2, 0, "2 * r", "r");
    sin_form = sin_.form(opgen::len(lead_) + 2, 2);
    if ((order_ == "HSD")) g_ = q_.solve(q_.size(-3), hk_, 0, "hk * g", "g");
    if (!(order_ == "HSD")) g_ = q_.solve(q_.size(-2), hk_, 0, "hk * g", "g");

    if ((order_ == "HSD")) {
      q_.shape_is(opgen::Shape() << lead_ << hk_ * g_ << t_ << d_, ", hk of k");
    }
    if (!(order_ == "HSD")) {
      q_.shape_is(opgen::Shape() << lead_ << t_ << hk_ * g_ << d_, ", hk of k");
    }
    if ((order_ == "HSD")) {
      k_.shape_is(opgen::Shape() << lead_ << hk_ << t_ << d_, ", lead of q, t of q, d of q");
    }
    if (!(order_ == "HSD")) {
      k_.shape_is(opgen::Shape() << lead_ << t_ << hk_ << d_, ", lead of q, t of q, d of q");
    }
    if (cos_form == 0) {
      cos_.shape_is(opgen::Shape() << lead_ << t_ << 2 * r_, ", lead of q, t of q");
    }
    if (cos_form == 1) cos_.shape_is(opgen::Shape() << t_ << 2 * r_, ", t of q");
    if (sin_form == 0) {
      sin_.shape_is(opgen::Shape() << lead_ << t_ << 2 * r_, ", lead of q, t of q, r of cos");
    }
    if (sin_form == 1) sin_.shape_is(opgen::Shape() << t_ << 2 * r_, ", t of q, r of cos");

    opgen::require(2 * r_ <= d_, op, "2 * r <= d", "r", r_, "d", d_);
    opgen::require(C_ == T_ || C_ == opgen::ElementType::F32, op, "C == T or C == f32", "C", C_,
                   "T", T_);
    opgen::require(opgen::rank(cos_) == opgen::rank(sin_), op, "cos and sin of one shape");
  }

  opgen::TensorSpec q_out_() const {
    return {T_, order_ == "HSD" ? opgen::Shape() << lead_ << hk_ * g_ << t_ << d_
                                : opgen::Shape() << lead_ << t_ << hk_ * g_ << d_, opgen::order_of(
                                                                                       q_)};
  }

  opgen::TensorSpec k_out_() const {
    return {T_, order_ == "HSD" ? opgen::Shape() << lead_ << hk_ << t_ << d_
                                : opgen::Shape() << lead_ << t_ << hk_ << d_, opgen::order_of(k_)};
  }

  ApplyRotaryDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ApplyRotaryDescriptor>();
    fill(desc.lead, "lead", opgen::prod(lead_));
    fill(desc.t, "t", t_);
    fill(desc.d, "d", d_);
    fill(desc.r, "r", r_);
    fill(desc.heads_first, "heads_first", order_ == "HSD");
    fill(desc.interleaved, "interleaved", style_ == "interleaved");
    fill(desc.inverse, "inverse", inverse_);
    return desc;
  }
};

}  // namespace generated
