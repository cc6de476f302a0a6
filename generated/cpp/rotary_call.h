// What the arguments of a call say about everything else.
// Rendered by opgen from rotary.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "rotary.h"

namespace generated {

/// A call of `rotary`, checked: sizes, results, workspace, descriptor.
struct RotaryCall {
  static constexpr const char* op = "rotary";

  opgen::Argument q;          // T: *lead t hk*g d or *lead t h d
  opgen::Argument positions;  // I: *lead t or t
  opgen::Argument cos_sin;    // C: p 2*r
  opgen::Argument k;          // T: *lead t hk d
  std::string_view style;
  int64_t style_position;     // among its choices
  bool inverse;
  opgen::ElementType T;
  opgen::ElementType C;
  opgen::ElementType I;
  opgen::Sizes lead;
  opgen::Int t;
  opgen::Int d;
  opgen::Int h;
  opgen::Int p;
  opgen::Int r;
  opgen::Int hk;
  opgen::Int g;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit RotaryCall(const opgen::Buffer& q_, const opgen::Buffer& positions_,
                      const opgen::Buffer& cos_sin_, const opgen::Buffer& k_,
                      std::string_view style_, bool inverse_)
      : q(op, "q", "*lead t hk*g d or *lead t h d", q_),
        positions(op, "positions", "*lead t or t", positions_),
        cos_sin(op, "cos_sin", "p 2*r", cos_sin_), k(op, "k", "*lead t hk d", k_), style(style_),
        inverse(inverse_) {
    style_position = opgen::choice(op, "style", style, "half", "interleaved");

    T = q.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    I = positions.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    C = cos_sin.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                      opgen::ElementType::F16, opgen::ElementType::F64));
    if (k.present()) k.dtype_is(T, ", the dtype of q");

    bool hk_is_known = false;
    int32_t positions_form = -1;
    if (k.present()) q.rank_at_least(3);
    if (k.present()) lead = q.take(0, 3);
    if (k.present()) t = q.size(-3);
    if (k.present()) d = q.size(-1);
    if (!k.present()) q.rank_at_least(3);
    if (!k.present()) lead = q.take(0, 3);
    if (!k.present()) t = q.size(-3);
    if (!k.present()) h = q.size(-2);
    if (!k.present()) d = q.size(-1);
    positions_form = positions.form(len(lead) + 1, 1);
    cos_sin.rank_is(2);
    p = cos_sin.size(0);
    r = cos_sin.solve(cos_sin.size(1), 2, 0, "2 * r", "r");
    if (k.present()) k.rank_is(len(lead) + 3);
    if (k.present()) {
      hk = k.size(-2);
      hk_is_known = true;
    }
    if (k.present() && hk_is_known) g = q.solve(q.size(-2), hk, 0, "hk * g", "g");

    if (k.present()) q.shape_is(opgen::Shape() << lead << t << hk * g << d, ", hk of k");
    if (!k.present()) q.shape_is(opgen::Shape() << lead << t << h << d);
    if (positions_form == 0) positions.shape_is(opgen::Shape() << lead << t, ", lead of q, t of q");
    if (positions_form == 1) positions.shape_is(opgen::Shape() << t, ", t of q");
    cos_sin.shape_is(opgen::Shape() << p << 2 * r);
    if (k.present()) {
      k.shape_is(opgen::Shape() << lead << t << hk << d, ", lead of q, t of q, d of q");
    }

    opgen::require(2 * r <= d, op, "2 * r <= d", "r", r, "d", d);
  }

  opgen::TensorSpec q_out() const {
    return {T, k.present() ? opgen::Shape() << lead << t << hk * g << d
                           : opgen::Shape() << lead << t << h << d};
  }

  bool has_k_out() const { return k.present(); }

  opgen::TensorSpec k_out() const {
    return {T, opgen::Shape() << lead << t << hk << d};
  }

  RotaryDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<RotaryDescriptor>();
    if (lead.bound()) fill(desc.lead, "lead", opgen::prod(lead));
    fill(desc.lead_rank, "lead_rank", opgen::len(lead));
    fill(desc.t, "t", t);
    fill(desc.hk, "hk", hk);
    fill(desc.g, "g", g);
    fill(desc.d, "d", d);
    fill(desc.h, "h", h);
    fill(desc.p, "p", p);
    fill(desc.r, "r", r);
    fill(desc.style, "style", style_position);
    fill(desc.inverse, "inverse", inverse);
    fill(desc.T, "T", T);
    fill(desc.C, "C", C);
    fill(desc.I, "I", I);
    return desc;
  }
};

/// A call of `rotary_`, checked: sizes, results, workspace, descriptor.
struct Rotary_Call {
  static constexpr const char* op = "rotary_";

  opgen::Argument q;          // T: *lead t hk*g d or *lead t h d
  opgen::Argument positions;  // I: *lead t or t
  opgen::Argument cos_sin;    // C: p 2*r
  opgen::Argument k;          // T: *lead t hk d
  std::string_view style;
  int64_t style_position;     // among its choices
  bool inverse;
  opgen::ElementType T;
  opgen::ElementType C;
  opgen::ElementType I;
  opgen::Sizes lead;
  opgen::Int t;
  opgen::Int d;
  opgen::Int h;
  opgen::Int p;
  opgen::Int r;
  opgen::Int hk;
  opgen::Int g;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Rotary_Call(const opgen::Buffer& q_, const opgen::Buffer& positions_,
                       const opgen::Buffer& cos_sin_, const opgen::Buffer& k_,
                       std::string_view style_, bool inverse_)
      : q(op, "q", "*lead t hk*g d or *lead t h d", q_),
        positions(op, "positions", "*lead t or t", positions_),
        cos_sin(op, "cos_sin", "p 2*r", cos_sin_), k(op, "k", "*lead t hk d", k_), style(style_),
        inverse(inverse_) {
    style_position = opgen::choice(op, "style", style, "half", "interleaved");

    T = q.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                opgen::ElementType::F16, opgen::ElementType::F64));
    I = positions.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    C = cos_sin.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                      opgen::ElementType::F16, opgen::ElementType::F64));
    if (k.present()) k.dtype_is(T, ", the dtype of q");

    bool hk_is_known = false;
    int32_t positions_form = -1;
    if (k.present()) q.rank_at_least(3);
    if (k.present()) lead = q.take(0, 3);
    if (k.present()) t = q.size(-3);
    if (k.present()) d = q.size(-1);
    if (!k.present()) q.rank_at_least(3);
    if (!k.present()) lead = q.take(0, 3);
    if (!k.present()) t = q.size(-3);
    if (!k.present()) h = q.size(-2);
    if (!k.present()) d = q.size(-1);
    positions_form = positions.form(len(lead) + 1, 1);
    cos_sin.rank_is(2);
    p = cos_sin.size(0);
    r = cos_sin.solve(cos_sin.size(1), 2, 0, "2 * r", "r");
    if (k.present()) k.rank_is(len(lead) + 3);
    if (k.present()) {
      hk = k.size(-2);
      hk_is_known = true;
    }
    if (k.present() && hk_is_known) g = q.solve(q.size(-2), hk, 0, "hk * g", "g");

    if (k.present()) q.shape_is(opgen::Shape() << lead << t << hk * g << d, ", hk of k");
    if (!k.present()) q.shape_is(opgen::Shape() << lead << t << h << d);
    if (positions_form == 0) positions.shape_is(opgen::Shape() << lead << t, ", lead of q, t of q");
    if (positions_form == 1) positions.shape_is(opgen::Shape() << t, ", t of q");
    cos_sin.shape_is(opgen::Shape() << p << 2 * r);
    if (k.present()) {
      k.shape_is(opgen::Shape() << lead << t << hk << d, ", lead of q, t of q, d of q");
    }

    opgen::require(2 * r <= d, op, "2 * r <= d", "r", r, "d", d);
  }

  Rotary_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Rotary_Descriptor>();
    if (lead.bound()) fill(desc.lead, "lead", opgen::prod(lead));
    fill(desc.lead_rank, "lead_rank", opgen::len(lead));
    fill(desc.t, "t", t);
    fill(desc.hk, "hk", hk);
    fill(desc.g, "g", g);
    fill(desc.d, "d", d);
    fill(desc.h, "h", h);
    fill(desc.p, "p", p);
    fill(desc.r, "r", r);
    fill(desc.style, "style", style_position);
    fill(desc.inverse, "inverse", inverse);
    fill(desc.T, "T", T);
    fill(desc.C, "C", C);
    fill(desc.I, "I", I);
    return desc;
  }
};

}  // namespace generated
