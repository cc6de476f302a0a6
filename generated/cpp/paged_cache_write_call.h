// The checked calls of the paged_cache_write family: dtypes, sizes and results from the arguments.
// Rendered by opgen from paged_cache_write.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "paged_cache_write.h"

namespace generated {

/// A call of `paged_cache_write`, checked: sizes, results, workspace, descriptor.
struct PagedCacheWriteCall {
  static constexpr const char* op = "paged_cache_write";

  opgen::Argument k_;        // T: t h d
  opgen::Argument v_;        // T: t h d
  opgen::Argument k_cache_;  // C: nb bs h d or nb h bs d
  opgen::Argument v_cache_;  // C: nb bs h d or nb h bs d
  opgen::Argument slots_;    // i32: t
  opgen::Argument k_scale_;  // f32: scalar
  opgen::Argument v_scale_;  // f32: scalar
  std::string_view order_;
  int64_t order_position;    // among its choices
  opgen::ElementType T_;
  opgen::ElementType C_;
  opgen::Int t_;
  opgen::Int h_;
  opgen::Int d_;
  opgen::Int nb_;
  opgen::Int bs_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit PagedCacheWriteCall(const opgen::Buffer& k_in, const opgen::Buffer& v_in,
                               const opgen::Buffer& k_cache_in, const opgen::Buffer& v_cache_in,
                               const opgen::Buffer& slots_in, const opgen::Buffer& k_scale_in,
                               const opgen::Buffer& v_scale_in, std::string_view order_in)
      : k_(op, "k", "t h d", k_in), v_(op, "v", "t h d", v_in),
        k_cache_(op, "k_cache", "nb bs h d or nb h bs d", k_cache_in),
        v_cache_(op, "v_cache", "nb bs h d or nb h bs d", v_cache_in),
        slots_(op, "slots", "t", slots_in), k_scale_(op, "k_scale", "", k_scale_in),
        v_scale_(op, "v_scale", "", v_scale_in), order_(order_in) {
    order_position = opgen::choice(op, "order", order_, "NHD", "HND");

    T_ = k_.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));
    v_.dtype_is(T_, ", the dtype of k");
    C_ = k_cache_.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                        opgen::ElementType::F32, opgen::ElementType::F8E4M3));
    v_cache_.dtype_is(C_, ", the dtype of k_cache");
    slots_.dtype_is(opgen::ElementType::I32, "");
    if (k_scale_.present()) k_scale_.dtype_is(opgen::ElementType::F32, "");
    if (v_scale_.present()) v_scale_.dtype_is(opgen::ElementType::F32, "");

    k_scale_.present_when(C_ == opgen::ElementType::F8E4M3, "C == f8e4m3");
    v_scale_.present_when(C_ == opgen::ElementType::F8E4M3, "C == f8e4m3");

    k_.rank_is(3);
    t_ = k_.size(0);
    h_ = k_.size(1);
    d_ = k_.size(2);
    v_.rank_is(3);
    if ((order_ == "NHD")) k_cache_.rank_is(4);
    if ((order_ == "NHD")) nb_ = k_cache_.size(0);
    if ((order_ == "NHD")) bs_ = k_cache_.size(1);
    if (!(order_ == "NHD")) k_cache_.rank_is(4);
    if (!(order_ == "NHD")) nb_ = k_cache_.size(0);
    if (!(order_ == "NHD")) bs_ = k_cache_.size(2);
    if ((order_ == "NHD")) v_cache_.rank_is(4);
    if (!(order_ == "NHD")) v_cache_.rank_is(4);
    slots_.rank_is(1);
    if (k_scale_.present()) k_scale_.rank_is(0);
    if (v_scale_.present()) v_scale_.rank_is(0);

    v_.shape_is(opgen::Shape() << t_ << h_ << d_, ", t of k, h of k, d of k");
    if ((order_ == "NHD")) {
      k_cache_.shape_is(opgen::Shape() << nb_ << bs_ << h_ << d_, ", h of k, d of k");
    }
    if (!(order_ == "NHD")) {
      k_cache_.shape_is(opgen::Shape() << nb_ << h_ << bs_ << d_, ", h of k, d of k");
    }
    if ((order_ == "NHD")) {
      v_cache_.shape_is(opgen::Shape() << nb_ << bs_ << h_ << d_,
                        ", nb of k_cache, bs of k_cache, h of k, d of k");
    }
    if (!(order_ == "NHD")) {
      v_cache_.shape_is(opgen::Shape() << nb_ << h_ << bs_ << d_,
                        ", nb of k_cache, h of k, bs of k_cache, d of k");
    }
    slots_.shape_is(opgen::Shape() << t_, ", t of k");

    opgen::require(C_ == T_ || C_ == opgen::ElementType::F8E4M3, op, "C == T or C == f8e4m3", "C",
                   C_, "T", T_);
  }

  PagedCacheWriteDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<PagedCacheWriteDescriptor>();
    fill(desc.t, "t", t_);
    fill(desc.h, "h", h_);
    fill(desc.d, "d", d_);
    fill(desc.nb, "nb", nb_);
    fill(desc.bs, "bs", bs_);
    fill(desc.k_stride_t, "k_stride_t", opgen::stride(k_, 0));
    fill(desc.k_stride_h, "k_stride_h", opgen::stride(k_, 1));
    fill(desc.k_stride_d, "k_stride_d", opgen::stride(k_, 2));
    fill(desc.v_stride_t, "v_stride_t", opgen::stride(v_, 0));
    fill(desc.v_stride_h, "v_stride_h", opgen::stride(v_, 1));
    fill(desc.v_stride_d, "v_stride_d", opgen::stride(v_, 2));
    fill(desc.order, "order", order_position);
    fill(desc.T, "T", T_);
    fill(desc.C, "C", C_);
    return desc;
  }
};

}  // namespace generated
