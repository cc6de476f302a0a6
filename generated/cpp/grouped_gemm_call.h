// The checked calls of the grouped_gemm family: dtypes, sizes and results from the arguments.
// Rendered by opgen from grouped_gemm.toml.
#pragma once

#include <string>

#include "opgen/call.h"
#include "grouped_gemm.h"

namespace generated {

/// A call of `grouped_gemm`, checked: sizes, results, workspace, descriptor.
struct GroupedGemmCall {
  static constexpr const char* op = "grouped_gemm";

  opgen::Argument a_;        // T: m k
  opgen::Argument b_;        // T: g n k or g k n
  opgen::Argument offsets_;  // i32: g+1
  bool trans_b_;
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int k_;
  opgen::Int g_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GroupedGemmCall(const opgen::Buffer& a_in, const opgen::Buffer& b_in,
                           const opgen::Buffer& offsets_in, bool trans_b_in)
      : a_(op, "a", "m k", a_in), b_(op, "b", "g n k or g k n", b_in),
        offsets_(op, "offsets", "g+1", offsets_in), trans_b_(trans_b_in) {
    T_ = a_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                  opgen::ElementType::F32, opgen::ElementType::F64));
    b_.dtype_is(T_, ", the dtype of a");
    offsets_.dtype_is(opgen::ElementType::I32, "");

    a_.rank_is(2);
    m_ = a_.size(0);
    k_ = a_.size(1);
    if (trans_b_) b_.rank_is(3);
    if (trans_b_) g_ = b_.size(0);
    if (trans_b_) n_ = b_.size(1);
    if (!trans_b_) b_.rank_is(3);
    if (!trans_b_) g_ = b_.size(0);
    if (!trans_b_) n_ = b_.size(2);
    offsets_.rank_is(1);

    if (trans_b_) b_.shape_is(opgen::Shape() << g_ << n_ << k_, ", k of a");
    if (!trans_b_) b_.shape_is(opgen::Shape() << g_ << k_ << n_, ", k of a");
    offsets_.shape_is(opgen::Shape() << g_ + 1, ", g of b");
  }

  opgen::TensorSpec c_() const {
    return {T_, opgen::Shape() << m_ << n_};
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

  GroupedGemmDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GroupedGemmDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.k, "k", k_);
    fill(desc.g, "g", g_);
    fill(desc.n, "n", n_);
    fill(desc.trans_b, "trans_b", trans_b_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

/// A call of `grouped_gemm_wgrad`, checked: sizes, results, workspace, descriptor.
struct GroupedGemmWgradCall {
  static constexpr const char* op = "grouped_gemm_wgrad";

  opgen::Argument a_;        // T: m k
  opgen::Argument dc_;       // T: m n
  opgen::Argument offsets_;  // i32: g+1
  bool trans_b_;
  opgen::ElementType T_;
  opgen::Int m_;
  opgen::Int k_;
  opgen::Int n_;
  opgen::Int g_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GroupedGemmWgradCall(const opgen::Buffer& a_in, const opgen::Buffer& dc_in,
                                const opgen::Buffer& offsets_in, bool trans_b_in)
      : a_(op, "a", "m k", a_in), dc_(op, "dc", "m n", dc_in),
        offsets_(op, "offsets", "g+1", offsets_in), trans_b_(trans_b_in) {
    T_ = a_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                  opgen::ElementType::F32, opgen::ElementType::F64));
    dc_.dtype_is(T_, ", the dtype of a");
    offsets_.dtype_is(opgen::ElementType::I32, "");

    a_.rank_is(2);
    m_ = a_.size(0);
    k_ = a_.size(1);
    dc_.rank_is(2);
    n_ = dc_.size(1);
    offsets_.rank_is(1);
    g_ = offsets_.solve(offsets_.size(0), 1, 1, "g + 1", "g");

    dc_.shape_is(opgen::Shape() << m_ << n_, ", m of a");
    offsets_.shape_is(opgen::Shape() << g_ + 1);
  }

  opgen::TensorSpec db_() const {
    return {T_, trans_b_ ? opgen::Shape() << g_ << n_ << k_ : opgen::Shape() << g_ << k_ << n_};
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

  GroupedGemmWgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GroupedGemmWgradDescriptor>();
    fill(desc.m, "m", m_);
    fill(desc.k, "k", k_);
    fill(desc.n, "n", n_);
    fill(desc.g, "g", g_);
    fill(desc.trans_b, "trans_b", trans_b_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace generated
