// What the arguments of a call say about everything else.
// Rendered by opgen from varlen_attention.toml.
#pragma once

#include <optional>

#include "opgen/call.h"
#include "varlen_attention.h"

namespace generated {

/// A call of `varlen_attention`, checked: sizes, results, workspace, descriptor.
struct VarlenAttentionCall {
  static constexpr const char* op = "varlen_attention";

  opgen::Argument q;            // T: tq hk*g d
  opgen::Argument k;            // T: nb bs hk d or tk hk d
  opgen::Argument v;            // T: nb bs hk e or tk hk e
  opgen::Argument cu_q;         // i32: b+1
  opgen::Argument cu_k;         // i32: b+1
  opgen::Argument block_table;  // i32: b mb
  opgen::Argument alibi;        // f32: hk*g or b hk*g
  opgen::Argument seed;         // i64: scalar
  opgen::Argument offset;       // i64: scalar
  opgen::Int max_q;             // The longest query sequence.
  opgen::Int max_k;             // The longest key sequence.
  double scale;
  bool causal;
  opgen::Sizes window;
  double dropout;
  opgen::ElementType T;
  opgen::Int tq;
  opgen::Int d;
  opgen::Int nb;
  opgen::Int bs;
  opgen::Int hk;
  opgen::Int tk;
  opgen::Int e;
  opgen::Int b;
  opgen::Int mb;
  opgen::Int g;
  int64_t wanted;               // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit VarlenAttentionCall(
      const opgen::Buffer& q_, const opgen::Buffer& k_, const opgen::Buffer& v_,
      const opgen::Buffer& cu_q_, const opgen::Buffer& cu_k_, const opgen::Buffer& block_table_,
      const opgen::Buffer& alibi_, const opgen::Buffer& seed_, const opgen::Buffer& offset_,
      opgen::Int max_q_, opgen::Int max_k_, std::optional<double> scale_, bool causal_,
      opgen::Sizes window_, double dropout_, int64_t wanted_ = -1)
      : q(op, "q", "tq hk*g d", q_), k(op, "k", "nb bs hk d or tk hk d", k_),
        v(op, "v", "nb bs hk e or tk hk e", v_), cu_q(op, "cu_q", "b+1", cu_q_),
        cu_k(op, "cu_k", "b+1", cu_k_), block_table(op, "block_table", "b mb", block_table_),
        alibi(op, "alibi", "hk*g or b hk*g", alibi_), seed(op, "seed", "", seed_),
        offset(op, "offset", "", offset_), max_q(max_q_), max_k(max_k_), scale(scale_.value_or(0)),
        causal(causal_), window(window_), dropout(dropout_), wanted(wanted_) {
    opgen::at_least(op, "dropout", dropout, 0.0);

    seed.present_when(dropout > 0.0, "dropout > 0.0");
    offset.present_when(dropout > 0.0, "dropout > 0.0");

    T = q.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16));
    k.dtype_is(T, ", the dtype of q");
    v.dtype_is(T, ", the dtype of q");
    cu_q.dtype_is(opgen::ElementType::I32, "");
    cu_k.dtype_is(opgen::ElementType::I32, "");
    if (block_table.present()) block_table.dtype_is(opgen::ElementType::I32, "");
    if (alibi.present()) alibi.dtype_is(opgen::ElementType::F32, "");
    if (seed.present()) seed.dtype_is(opgen::ElementType::I64, "");
    if (offset.present()) offset.dtype_is(opgen::ElementType::I64, "");

    bool nb_is_known = false;
    bool bs_is_known = false;
    bool tk_is_known = false;
    bool g_is_known = false;
    int32_t alibi_form = -1;
    q.rank_is(3);
    tq = q.size(0);
    d = q.size(2);
    if (block_table.present()) k.rank_is(4);
    if (block_table.present()) {
      nb = k.size(0);
      nb_is_known = true;
    }
    if (block_table.present()) {
      bs = k.size(1);
      bs_is_known = true;
    }
    if (block_table.present()) hk = k.size(2);
    if (!block_table.present()) k.rank_is(3);
    if (!block_table.present()) {
      tk = k.size(0);
      tk_is_known = true;
    }
    if (!block_table.present()) hk = k.size(1);
    if (block_table.present()) v.rank_is(4);
    if (block_table.present() && !nb_is_known) {
      nb = v.size(0);
      nb_is_known = true;
    }
    if (block_table.present() && !bs_is_known) {
      bs = v.size(1);
      bs_is_known = true;
    }
    if (block_table.present()) e = v.size(3);
    if (!block_table.present()) v.rank_is(3);
    if (!block_table.present() && !tk_is_known) {
      tk = v.size(0);
      tk_is_known = true;
    }
    if (!block_table.present()) e = v.size(2);
    cu_q.rank_is(1);
    b = cu_q.solve(cu_q.size(0), 1, 1, "b + 1", "b");
    cu_k.rank_is(1);
    if (block_table.present()) block_table.rank_is(2);
    if (block_table.present()) mb = block_table.size(1);
    if (alibi.present()) alibi_form = alibi.form(1, 2);
    if (alibi.present() && alibi_form == 0) {
      g = alibi.solve(alibi.size(0), hk, 0, "hk * g", "g");
      g_is_known = true;
    }
    if (alibi.present() && alibi_form == 1) {
      g = alibi.solve(alibi.size(1), hk, 0, "hk * g", "g");
      g_is_known = true;
    }
    if (seed.present()) seed.rank_is(0);
    if (offset.present()) offset.rank_is(0);
    if (!g_is_known) {
      g = q.solve(q.size(1), hk, 0, "hk * g", "g");
      g_is_known = true;
    }

    q.shape_is(opgen::Shape() << tq << hk * g << d, ", hk of k, g of alibi");
    if (block_table.present()) k.shape_is(opgen::Shape() << nb << bs << hk << d, ", d of q");
    if (!block_table.present()) k.shape_is(opgen::Shape() << tk << hk << d, ", d of q");
    if (block_table.present()) {
      v.shape_is(opgen::Shape() << nb << bs << hk << e, ", nb of k, bs of k, hk of k");
    }
    if (!block_table.present()) v.shape_is(opgen::Shape() << tk << hk << e, ", tk of k, hk of k");
    cu_q.shape_is(opgen::Shape() << b + 1);
    cu_k.shape_is(opgen::Shape() << b + 1, ", b of cu_q");
    if (block_table.present()) block_table.shape_is(opgen::Shape() << b << mb, ", b of cu_q");
    if (alibi.present() && alibi_form == 0) alibi.shape_is(opgen::Shape() << hk * g, ", hk of k");
    if (alibi.present() && alibi_form == 1) {
      alibi.shape_is(opgen::Shape() << b << hk * g, ", b of cu_q, hk of k");
    }

    if (!scale_) scale = opgen::power(static_cast<double>(d), -0.5);

    opgen::require(dropout < 1.0, op, "dropout < 1.0", "dropout", dropout);
    opgen::require(g >= 1, op, "g >= 1", "g", g);
    opgen::require(d <= 256, op, "d <= 256", "d", d);
  }

  opgen::TensorSpec out() const {
    return {T, opgen::Shape() << tq << hk * g << e};
  }

  bool has_lse() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec lse() const {
    return {opgen::ElementType::F32, opgen::Shape() << hk * g << tq};
  }

  VarlenAttentionDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<VarlenAttentionDescriptor>();
    fill(desc.tq, "tq", tq);
    fill(desc.hk, "hk", hk);
    fill(desc.g, "g", g);
    fill(desc.d, "d", d);
    fill(desc.nb, "nb", nb);
    fill(desc.bs, "bs", bs);
    fill(desc.tk, "tk", tk);
    fill(desc.e, "e", e);
    fill(desc.b, "b", b);
    fill(desc.mb, "mb", mb);
    fill(desc.max_q, "max_q", max_q);
    fill(desc.max_k, "max_k", max_k);
    fill(desc.scale, "scale", scale);
    fill(desc.causal, "causal", causal);
    fill(desc.window, "window", window);
    fill(desc.window_rank, "window_rank", opgen::len(window));
    fill(desc.dropout, "dropout", dropout);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `varlen_attention_bwd`, checked: sizes, results, workspace, descriptor.
struct VarlenAttentionBwdCall {
  static constexpr const char* op = "varlen_attention_bwd";

  opgen::Argument dout;    // T: tq hk*g e
  opgen::Argument q;       // T: tq hk*g d
  opgen::Argument k;       // T: tk hk d
  opgen::Argument v;       // T: tk hk e
  opgen::Argument out;     // T: tq hk*g e
  opgen::Argument lse;     // f32: hk*g tq
  opgen::Argument cu_q;    // i32: b+1
  opgen::Argument cu_k;    // i32: b+1
  opgen::Argument alibi;   // f32: hk*g or b hk*g
  opgen::Argument seed;    // i64: scalar
  opgen::Argument offset;  // i64: scalar
  opgen::Int max_q;
  opgen::Int max_k;
  double scale;
  bool causal;
  opgen::Sizes window;
  double dropout;
  opgen::ElementType T;
  opgen::Int tq;
  opgen::Int e;
  opgen::Int d;
  opgen::Int tk;
  opgen::Int hk;
  opgen::Int g;
  opgen::Int b;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit VarlenAttentionBwdCall(
      const opgen::Buffer& dout_, const opgen::Buffer& q_, const opgen::Buffer& k_,
      const opgen::Buffer& v_, const opgen::Buffer& out_, const opgen::Buffer& lse_,
      const opgen::Buffer& cu_q_, const opgen::Buffer& cu_k_, const opgen::Buffer& alibi_,
      const opgen::Buffer& seed_, const opgen::Buffer& offset_, opgen::Int max_q_,
      opgen::Int max_k_, double scale_, bool causal_, opgen::Sizes window_, double dropout_)
      : dout(op, "dout", "tq hk*g e", dout_), q(op, "q", "tq hk*g d", q_),
        k(op, "k", "tk hk d", k_), v(op, "v", "tk hk e", v_), out(op, "out", "tq hk*g e", out_),
        lse(op, "lse", "hk*g tq", lse_), cu_q(op, "cu_q", "b+1", cu_q_),
        cu_k(op, "cu_k", "b+1", cu_k_), alibi(op, "alibi", "hk*g or b hk*g", alibi_),
        seed(op, "seed", "", seed_), offset(op, "offset", "", offset_), max_q(max_q_),
        max_k(max_k_), scale(scale_), causal(causal_), window(window_), dropout(dropout_) {
    seed.present_when(dropout > 0.0, "dropout > 0.0");
    offset.present_when(dropout > 0.0, "dropout > 0.0");

    T = dout.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16));
    q.dtype_is(T, ", the dtype of dout");
    k.dtype_is(T, ", the dtype of dout");
    v.dtype_is(T, ", the dtype of dout");
    out.dtype_is(T, ", the dtype of dout");
    lse.dtype_is(opgen::ElementType::F32, "");
    cu_q.dtype_is(opgen::ElementType::I32, "");
    cu_k.dtype_is(opgen::ElementType::I32, "");
    if (alibi.present()) alibi.dtype_is(opgen::ElementType::F32, "");
    if (seed.present()) seed.dtype_is(opgen::ElementType::I64, "");
    if (offset.present()) offset.dtype_is(opgen::ElementType::I64, "");

    int32_t alibi_form = -1;
    dout.rank_is(3);
    tq = dout.size(0);
    e = dout.size(2);
    q.rank_is(3);
    d = q.size(2);
    k.rank_is(3);
    tk = k.size(0);
    hk = k.size(1);
    v.rank_is(3);
    out.rank_is(3);
    g = out.solve(out.size(1), hk, 0, "hk * g", "g");
    lse.rank_is(2);
    cu_q.rank_is(1);
    b = cu_q.solve(cu_q.size(0), 1, 1, "b + 1", "b");
    cu_k.rank_is(1);
    if (alibi.present()) alibi_form = alibi.form(1, 2);
    if (seed.present()) seed.rank_is(0);
    if (offset.present()) offset.rank_is(0);

    dout.shape_is(opgen::Shape() << tq << hk * g << e, ", hk of k, g of out");
    q.shape_is(opgen::Shape() << tq << hk * g << d, ", tq of dout, hk of k, g of out");
    k.shape_is(opgen::Shape() << tk << hk << d, ", d of q");
    v.shape_is(opgen::Shape() << tk << hk << e, ", tk of k, hk of k, e of dout");
    out.shape_is(opgen::Shape() << tq << hk * g << e, ", tq of dout, hk of k, e of dout");
    lse.shape_is(opgen::Shape() << hk * g << tq, ", hk of k, g of out, tq of dout");
    cu_q.shape_is(opgen::Shape() << b + 1);
    cu_k.shape_is(opgen::Shape() << b + 1, ", b of cu_q");
    if (alibi.present() && alibi_form == 0) {
      alibi.shape_is(opgen::Shape() << hk * g, ", hk of k, g of out");
    }
    if (alibi.present() && alibi_form == 1) {
      alibi.shape_is(opgen::Shape() << b << hk * g, ", b of cu_q, hk of k, g of out");
    }
  }

  opgen::TensorSpec dq() const {
    return {T, opgen::Shape() << tq << hk * g << d};
  }

  opgen::TensorSpec dk() const {
    return {T, opgen::Shape() << tk << hk << d};
  }

  opgen::TensorSpec dv() const {
    return {T, opgen::Shape() << tk << hk << e};
  }

  opgen::TensorSpec delta() const {
    return {opgen::ElementType::F32, opgen::Shape() << hk * g << tq};
  }

  opgen::TensorSpec dq_acc() const {
    return {opgen::ElementType::F32, opgen::Shape() << tq + 128 * b << hk * g << d};
  }

  VarlenAttentionBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<VarlenAttentionBwdDescriptor>();
    fill(desc.tq, "tq", tq);
    fill(desc.hk, "hk", hk);
    fill(desc.g, "g", g);
    fill(desc.e, "e", e);
    fill(desc.d, "d", d);
    fill(desc.tk, "tk", tk);
    fill(desc.b, "b", b);
    fill(desc.max_q, "max_q", max_q);
    fill(desc.max_k, "max_k", max_k);
    fill(desc.scale, "scale", scale);
    fill(desc.causal, "causal", causal);
    fill(desc.window, "window", window);
    fill(desc.window_rank, "window_rank", opgen::len(window));
    fill(desc.dropout, "dropout", dropout);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
