// The checked calls of the varlen_attention family: dtypes, sizes and results from the arguments.
// Rendered by opgen from varlen_attention.toml.
#pragma once

#include <optional>
#include <string>

#include "opgen/call.h"
#include "varlen_attention.h"

namespace generated {

/// A call of `varlen_attention`, checked: sizes, results, workspace, descriptor.
struct VarlenAttentionCall {
  static constexpr const char* op = "varlen_attention";

  opgen::Argument q_;            // T: tq hk*g d
  opgen::Argument k_;            // T: nb bs hk d or tk hk d
  opgen::Argument v_;            // T: nb bs hk e or tk hk e
  opgen::Argument cu_q_;         // i32: b+1
  opgen::Argument cu_k_;         // i32: b+1
  opgen::Argument block_table_;  // i32: b mb
  opgen::Argument alibi_;        // f32: hk*g or b hk*g
  opgen::Argument seed_;         // i64: scalar
  opgen::Argument offset_;       // i64: scalar
  opgen::Int max_q_;             // The longest query sequence.
  opgen::Int max_k_;             // The longest key sequence. The dropout mask depends on it.
  double scale_;
  bool causal_;
  opgen::Sizes window_;
  double dropout_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;       // accum(T)
  opgen::Int tq_;
  opgen::Int d_;
  opgen::Int nb_;
  opgen::Int bs_;
  opgen::Int hk_;
  opgen::Int tk_;
  opgen::Int e_;
  opgen::Int b_;
  opgen::Int mb_;
  opgen::Int g_;
  int64_t wanted;                // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit VarlenAttentionCall(const opgen::Buffer& q_in, const opgen::Buffer& k_in,
                               const opgen::Buffer& v_in, const opgen::Buffer& cu_q_in,
                               const opgen::Buffer& cu_k_in, const opgen::Buffer& block_table_in,
                               const opgen::Buffer& alibi_in, const opgen::Buffer& seed_in,
                               const opgen::Buffer& offset_in, std::optional<opgen::Int> max_q_in,
                               std::optional<opgen::Int> max_k_in, std::optional<double> scale_in,
                               bool causal_in, opgen::Sizes window_in, double dropout_in,
                               int64_t asked = -1)
      : q_(op, "q", "tq hk*g d", q_in), k_(op, "k", "nb bs hk d or tk hk d", k_in),
        v_(op, "v", "nb bs hk e or tk hk e", v_in), cu_q_(op, "cu_q", "b+1", cu_q_in),
        cu_k_(op, "cu_k", "b+1", cu_k_in), block_table_(op, "block_table", "b mb", block_table_in),
        alibi_(op, "alibi", "hk*g or b hk*g", alibi_in), seed_(op, "seed", "", seed_in),
        offset_(op, "offset", "", offset_in), max_q_(max_q_in.value_or(0)),
        max_k_(max_k_in.value_or(0)), scale_(scale_in.value_or(0)), causal_(causal_in),
        window_(window_in), dropout_(dropout_in), wanted(asked) {
    opgen::count_is(op, "window", window_, 2);
    opgen::at_least(op, "dropout", dropout_, 0.0);

    seed_.present_when(dropout_ > 0.0, "dropout > 0.0");
    offset_.present_when(dropout_ > 0.0, "dropout > 0.0");

    T_ = q_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                  opgen::ElementType::F32, opgen::ElementType::F64));
    k_.dtype_is(T_, ", the dtype of q");
    v_.dtype_is(T_, ", the dtype of q");
    cu_q_.dtype_is(opgen::ElementType::I32, "");
    cu_k_.dtype_is(opgen::ElementType::I32, "");
    if (block_table_.present()) block_table_.dtype_is(opgen::ElementType::I32, "");
    if (alibi_.present()) alibi_.dtype_is(opgen::ElementType::F32, "");
    if (seed_.present()) seed_.dtype_is(opgen::ElementType::I64, "");
    if (offset_.present()) offset_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);

    bool g_known = false;
    int32_t alibi_form = -1;
    q_.rank_is(3);
    tq_ = q_.size(0);
    d_ = q_.size(2);
    if (block_table_.present()) k_.rank_is(4);
    if (block_table_.present()) nb_ = k_.size(0);
    if (block_table_.present()) bs_ = k_.size(1);
    if (block_table_.present()) hk_ = k_.size(2);
    if (!block_table_.present()) k_.rank_is(3);
    if (!block_table_.present()) tk_ = k_.size(0);
    if (!block_table_.present()) hk_ = k_.size(1);
    if (block_table_.present()) v_.rank_is(4);
    if (block_table_.present()) e_ = v_.size(3);
    if (!block_table_.present()) v_.rank_is(3);
    if (!block_table_.present()) e_ = v_.size(2);
    cu_q_.rank_is(1);
    b_ = cu_q_.solve(cu_q_.size(0), 1, 1, "b + 1", "b");
    cu_k_.rank_is(1);
    if (block_table_.present()) block_table_.rank_is(2);
    if (block_table_.present()) mb_ = block_table_.size(1);
    if (alibi_.present()) alibi_form = alibi_.form(1, 2);
    if (alibi_.present() && alibi_form == 0) {
      g_ = alibi_.solve(alibi_.size(0), hk_, 0, "hk * g", "g");
      g_known = true;
    }
    if (alibi_.present() && alibi_form == 1) {
      g_ = alibi_.solve(alibi_.size(1), hk_, 0, "hk * g", "g");
      g_known = true;
    }
    if (seed_.present()) seed_.rank_is(0);
    if (offset_.present()) offset_.rank_is(0);
    if (!g_known) {
      g_ = q_.solve(q_.size(1), hk_, 0, "hk * g", "g");
      g_known = true;
    }

    q_.shape_is(opgen::Shape() << tq_ << hk_ * g_ << d_, ", hk of k, g of alibi");
    if (block_table_.present()) k_.shape_is(opgen::Shape() << nb_ << bs_ << hk_ << d_, ", d of q");
    if (!block_table_.present()) k_.shape_is(opgen::Shape() << tk_ << hk_ << d_, ", d of q");
    if (block_table_.present()) {
      v_.shape_is(opgen::Shape() << nb_ << bs_ << hk_ << e_, ", nb of k, bs of k, hk of k");
    }
    if (!block_table_.present()) {
      v_.shape_is(opgen::Shape() << tk_ << hk_ << e_, ", tk of k, hk of k");
    }
    cu_q_.shape_is(opgen::Shape() << b_ + 1);
    cu_k_.shape_is(opgen::Shape() << b_ + 1, ", b of cu_q");
    if (block_table_.present()) block_table_.shape_is(opgen::Shape() << b_ << mb_, ", b of cu_q");
    if (alibi_.present() && alibi_form == 0) {
      alibi_.shape_is(opgen::Shape() << hk_ * g_, ", hk of k, g of q");
    }
    if (alibi_.present() && alibi_form == 1) {
      alibi_.shape_is(opgen::Shape() << b_ << hk_ * g_, ", b of cu_q, hk of k, g of q");
    }

    if (!max_q_in) max_q_ = tq_;
    if (!max_k_in) max_k_ = block_table_.present() ? mb_ * bs_ : tk_;
    if (!scale_in) scale_ = opgen::power(static_cast<double>(d_), -0.5);

    opgen::require(dropout_ < 1.0, op, "dropout < 1.0", "dropout", dropout_);
    opgen::require(g_ >= 1, op, "g >= 1", "g", g_);
    opgen::require(d_ <= 256, op, "d <= 256", "d", d_);
    opgen::require(e_ <= 256, op, "e <= 256", "e", e_);
  }

  opgen::TensorSpec out_() const {
    return {T_, opgen::Shape() << tq_ << hk_ * g_ << e_};
  }

  bool lse_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec lse_() const {
    return {Acc_, opgen::Shape() << hk_ * g_ << tq_};
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

  VarlenAttentionDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<VarlenAttentionDescriptor>();
    fill(desc.tq, "tq", tq_);
    fill(desc.hk, "hk", hk_);
    fill(desc.g, "g", g_);
    fill(desc.d, "d", d_);
    fill(desc.nb, "nb", nb_);
    fill(desc.bs, "bs", bs_);
    fill(desc.tk, "tk", tk_);
    fill(desc.e, "e", e_);
    fill(desc.b, "b", b_);
    fill(desc.mb, "mb", mb_);
    fill(desc.max_q, "max_q", max_q_);
    fill(desc.max_k, "max_k", max_k_);
    fill(desc.scale, "scale", scale_);
    fill(desc.causal, "causal", causal_);
    fill(desc.window, "window", window_);
    fill(desc.window_rank, "window_rank", opgen::len(window_));
    fill(desc.dropout, "dropout", dropout_);
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `varlen_attention_bwd`, checked: sizes, results, workspace, descriptor.
struct VarlenAttentionBwdCall {
  static constexpr const char* op = "varlen_attention_bwd";

  opgen::Argument dout_;    // T: tq hk*g e
  opgen::Argument q_;       // T: tq hk*g d
  opgen::Argument k_;       // T: tk hk d
  opgen::Argument v_;       // T: tk hk e
  opgen::Argument out_;     // T: tq hk*g e
  opgen::Argument lse_;     // Acc: hk*g tq
  opgen::Argument cu_q_;    // i32: b+1
  opgen::Argument cu_k_;    // i32: b+1
  opgen::Argument alibi_;   // f32: hk*g or b hk*g
  opgen::Argument seed_;    // i64: scalar
  opgen::Argument offset_;  // i64: scalar
  opgen::Int max_q_;
  opgen::Int max_k_;
  double scale_;
  bool causal_;
  opgen::Sizes window_;
  double dropout_;
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Int tq_;
  opgen::Int e_;
  opgen::Int d_;
  opgen::Int tk_;
  opgen::Int hk_;
  opgen::Int g_;
  opgen::Int b_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit VarlenAttentionBwdCall(
      const opgen::Buffer& dout_in, const opgen::Buffer& q_in, const opgen::Buffer& k_in,
      const opgen::Buffer& v_in, const opgen::Buffer& out_in, const opgen::Buffer& lse_in,
      const opgen::Buffer& cu_q_in, const opgen::Buffer& cu_k_in, const opgen::Buffer& alibi_in,
      const opgen::Buffer& seed_in, const opgen::Buffer& offset_in, opgen::Int max_q_in,
      opgen::Int max_k_in, double scale_in, bool causal_in, opgen::Sizes window_in,
      double dropout_in)
      : dout_(op, "dout", "tq hk*g e", dout_in), q_(op, "q", "tq hk*g d", q_in),
        k_(op, "k", "tk hk d", k_in), v_(op, "v", "tk hk e", v_in),
        out_(op, "out", "tq hk*g e", out_in), lse_(op, "lse", "hk*g tq", lse_in),
        cu_q_(op, "cu_q", "b+1", cu_q_in), cu_k_(op, "cu_k", "b+1", cu_k_in),
        alibi_(op, "alibi", "hk*g or b hk*g", alibi_in), seed_(op, "seed", "", seed_in),
        offset_(op, "offset", "", offset_in), max_q_(max_q_in), max_k_(max_k_in), scale_(scale_in),
        causal_(causal_in), window_(window_in), dropout_(dropout_in) {
    opgen::count_is(op, "window", window_, 2);
    opgen::at_least(op, "dropout", dropout_, 0.0);

    seed_.present_when(dropout_ > 0.0, "dropout > 0.0");
    offset_.present_when(dropout_ > 0.0, "dropout > 0.0");

    T_ = dout_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                     opgen::ElementType::F32, opgen::ElementType::F64));
    q_.dtype_is(T_, ", the dtype of dout");
    k_.dtype_is(T_, ", the dtype of dout");
    v_.dtype_is(T_, ", the dtype of dout");
    out_.dtype_is(T_, ", the dtype of dout");
    cu_q_.dtype_is(opgen::ElementType::I32, "");
    cu_k_.dtype_is(opgen::ElementType::I32, "");
    if (alibi_.present()) alibi_.dtype_is(opgen::ElementType::F32, "");
    if (seed_.present()) seed_.dtype_is(opgen::ElementType::I64, "");
    if (offset_.present()) offset_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    lse_.dtype_is(Acc_, ", accum(dout.dtype)");

    int32_t alibi_form = -1;
    dout_.rank_is(3);
    tq_ = dout_.size(0);
    e_ = dout_.size(2);
    q_.rank_is(3);
    d_ = q_.size(2);
    k_.rank_is(3);
    tk_ = k_.size(0);
    hk_ = k_.size(1);
    v_.rank_is(3);
    out_.rank_is(3);
    g_ = out_.solve(out_.size(1), hk_, 0, "hk * g", "g");
    lse_.rank_is(2);
    cu_q_.rank_is(1);
    b_ = cu_q_.solve(cu_q_.size(0), 1, 1, "b + 1", "b");
    cu_k_.rank_is(1);
    if (alibi_.present()) alibi_form = alibi_.form(1, 2);
    if (seed_.present()) seed_.rank_is(0);
    if (offset_.present()) offset_.rank_is(0);

    dout_.shape_is(opgen::Shape() << tq_ << hk_ * g_ << e_, ", hk of k, g of out");
    q_.shape_is(opgen::Shape() << tq_ << hk_ * g_ << d_, ", tq of dout, hk of k, g of out");
    k_.shape_is(opgen::Shape() << tk_ << hk_ << d_, ", d of q");
    v_.shape_is(opgen::Shape() << tk_ << hk_ << e_, ", tk of k, hk of k, e of dout");
    out_.shape_is(opgen::Shape() << tq_ << hk_ * g_ << e_, ", tq of dout, hk of k, e of dout");
    lse_.shape_is(opgen::Shape() << hk_ * g_ << tq_, ", hk of k, g of out, tq of dout");
    cu_q_.shape_is(opgen::Shape() << b_ + 1);
    cu_k_.shape_is(opgen::Shape() << b_ + 1, ", b of cu_q");
    if (alibi_.present() && alibi_form == 0) {
      alibi_.shape_is(opgen::Shape() << hk_ * g_, ", hk of k, g of out");
    }
    if (alibi_.present() && alibi_form == 1) {
      alibi_.shape_is(opgen::Shape() << b_ << hk_ * g_, ", b of cu_q, hk of k, g of out");
    }

    opgen::require(dropout_ < 1.0, op, "dropout < 1.0", "dropout", dropout_);
    opgen::require(g_ >= 1, op, "g >= 1", "g", g_);
    opgen::require(d_ <= 256, op, "d <= 256", "d", d_);
    opgen::require(e_ <= 256, op, "e <= 256", "e", e_);
  }

  opgen::TensorSpec dq_() const {
    return {T_, opgen::Shape() << tq_ << hk_ * g_ << d_};
  }

  opgen::TensorSpec dk_() const {
    return {T_, opgen::Shape() << tk_ << hk_ << d_};
  }

  opgen::TensorSpec dv_() const {
    return {T_, opgen::Shape() << tk_ << hk_ << e_};
  }

  bool sums_present() const {
       return T_ == opgen::ElementType::BF16 || T_ == opgen::ElementType::F16; }

  opgen::TensorSpec sums_() const {
    return {opgen::ElementType::F32, opgen::Shape() << tk_ << hk_ << d_ + e_};
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

  VarlenAttentionBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<VarlenAttentionBwdDescriptor>();
    fill(desc.tq, "tq", tq_);
    fill(desc.hk, "hk", hk_);
    fill(desc.g, "g", g_);
    fill(desc.e, "e", e_);
    fill(desc.d, "d", d_);
    fill(desc.tk, "tk", tk_);
    fill(desc.b, "b", b_);
    fill(desc.max_q, "max_q", max_q_);
    fill(desc.max_k, "max_k", max_k_);
    fill(desc.scale, "scale", scale_);
    fill(desc.causal, "causal", causal_);
    fill(desc.window, "window", window_);
    fill(desc.window_rank, "window_rank", opgen::len(window_));
    fill(desc.dropout, "dropout", dropout_);
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
