// What the arguments of a call say about everything else.
// Rendered by opgen from paged_cache_write.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "paged_cache_write.h"

namespace generated {

/// A call of `paged_cache_write`, checked: sizes, results, workspace, descriptor.
struct PagedCacheWriteCall {
  static constexpr const char* op = "paged_cache_write";

  opgen::Argument k;        // T: t h d
  opgen::Argument v;        // T: t h d
  opgen::Argument k_cache;  // C: nb bs h d or nb h bs d
  opgen::Argument v_cache;  // C: nb bs h d or nb h bs d
  opgen::Argument slots;    // i32: t
  opgen::Argument k_scale;  // f32: scalar
  opgen::Argument v_scale;  // f32: scalar
  std::string_view order;
  int64_t order_position;   // among its choices
  opgen::ElementType T;
  opgen::ElementType C;
  opgen::Int t;
  opgen::Int h;
  opgen::Int d;
  opgen::Int nb;
  opgen::Int bs;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit PagedCacheWriteCall(const opgen::Buffer& k_, const opgen::Buffer& v_,
                               const opgen::Buffer& k_cache_, const opgen::Buffer& v_cache_,
                               const opgen::Buffer& slots_, const opgen::Buffer& k_scale_,
                               const opgen::Buffer& v_scale_, std::string_view order_)
      : k(op, "k", "t h d", k_), v(op, "v", "t h d", v_),
        k_cache(op, "k_cache", "nb bs h d or nb h bs d", k_cache_),
        v_cache(op, "v_cache", "nb bs h d or nb h bs d", v_cache_), slots(op, "slots", "t", slots_),
        k_scale(op, "k_scale", "", k_scale_), v_scale(op, "v_scale", "", v_scale_), order(order_) {
    order_position = opgen::choice(op, "order", order, "NHD", "HND");

    T = k.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));
    v.dtype_is(T, ", the dtype of k");
    C = k_cache.dtype_in(opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16,
                                      opgen::ElementType::F32, opgen::ElementType::F8E4M3));
    v_cache.dtype_is(C, ", the dtype of k_cache");
    slots.dtype_is(opgen::ElementType::I32, "");
    if (k_scale.present()) k_scale.dtype_is(opgen::ElementType::F32, "");
    if (v_scale.present()) v_scale.dtype_is(opgen::ElementType::F32, "");

    k_scale.present_when(C == opgen::ElementType::F8E4M3, "C == f8e4m3");
    v_scale.present_when(C == opgen::ElementType::F8E4M3, "C == f8e4m3");

    k.rank_is(3);
    t = k.size(0);
    h = k.size(1);
    d = k.size(2);
    v.rank_is(3);
    if ((order == "NHD")) k_cache.rank_is(4);
    if ((order == "NHD")) nb = k_cache.size(0);
    if ((order == "NHD")) bs = k_cache.size(1);
    if (!(order == "NHD")) k_cache.rank_is(4);
    if (!(order == "NHD")) nb = k_cache.size(0);
    if (!(order == "NHD")) bs = k_cache.size(2);
    if ((order == "NHD")) v_cache.rank_is(4);
    if (!(order == "NHD")) v_cache.rank_is(4);
    slots.rank_is(1);
    if (k_scale.present()) k_scale.rank_is(0);
    if (v_scale.present()) v_scale.rank_is(0);

    v.shape_is(opgen::Shape() << t << h << d, ", t of k, h of k, d of k");
    if ((order == "NHD")) {
      k_cache.shape_is(opgen::Shape() << nb << bs << h << d, ", h of k, d of k");
    }
    if (!(order == "NHD")) {
      k_cache.shape_is(opgen::Shape() << nb << h << bs << d, ", h of k, d of k");
    }
    if ((order == "NHD")) {
      v_cache.shape_is(opgen::Shape() << nb << bs << h << d,
                       ", nb of k_cache, bs of k_cache, h of k, d of k");
    }
    if (!(order == "NHD")) {
      v_cache.shape_is(opgen::Shape() << nb << h << bs << d,
                       ", nb of k_cache, h of k, bs of k_cache, d of k");
    }
    slots.shape_is(opgen::Shape() << t, ", t of k");

    opgen::require(C == T || C == opgen::ElementType::F8E4M3, op, "C == T or C == f8e4m3", "C", C,
                   "T", T);
  }

  PagedCacheWriteDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<PagedCacheWriteDescriptor>();
    fill(desc.t, "t", t);
    fill(desc.h, "h", h);
    fill(desc.d, "d", d);
    fill(desc.nb, "nb", nb);
    fill(desc.bs, "bs", bs);
    fill(desc.k_stride_t, "k_stride_t", opgen::stride(k, 0));
    fill(desc.k_stride_h, "k_stride_h", opgen::stride(k, 1));
    fill(desc.k_stride_d, "k_stride_d", opgen::stride(k, 2));
    fill(desc.v_stride_t, "v_stride_t", opgen::stride(v, 0));
    fill(desc.v_stride_h, "v_stride_h", opgen::stride(v, 1));
    fill(desc.v_stride_d, "v_stride_d", opgen::stride(v, 2));
    fill(desc.order, "order", order_position);
    fill(desc.T, "T", T);
    fill(desc.C, "C", C);
    return desc;
  }
};

}  // namespace generated
