// The common declarations for kernels and adapters of the paged_cache_write family.
// Rendered by opgen from paged_cache_write.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `paged_cache_write`: 112 bytes, padding is zero.
struct PagedCacheWriteDescriptor {
  int64_t t;           // t
  int64_t h;           // h
  int64_t d;           // d
  int64_t nb;          // nb
  int64_t bs;          // bs
  int64_t k_stride_t;  // stride(k, 0)
  int64_t k_stride_h;  // stride(k, 1)
  int64_t k_stride_d;  // stride(k, 2)
  int64_t v_stride_t;  // stride(v, 0)
  int64_t v_stride_h;  // stride(v, 1)
  int64_t v_stride_d;  // stride(v, 2)
  int64_t order;       // order
  int64_t T;           // T
  int64_t C;           // C
};
static_assert(sizeof(PagedCacheWriteDescriptor) == 112);
static_assert(offsetof(PagedCacheWriteDescriptor, t) == 0);
static_assert(offsetof(PagedCacheWriteDescriptor, h) == 8);
static_assert(offsetof(PagedCacheWriteDescriptor, d) == 16);
static_assert(offsetof(PagedCacheWriteDescriptor, nb) == 24);
static_assert(offsetof(PagedCacheWriteDescriptor, bs) == 32);
static_assert(offsetof(PagedCacheWriteDescriptor, k_stride_t) == 40);
static_assert(offsetof(PagedCacheWriteDescriptor, k_stride_h) == 48);
static_assert(offsetof(PagedCacheWriteDescriptor, k_stride_d) == 56);
static_assert(offsetof(PagedCacheWriteDescriptor, v_stride_t) == 64);
static_assert(offsetof(PagedCacheWriteDescriptor, v_stride_h) == 72);
static_assert(offsetof(PagedCacheWriteDescriptor, v_stride_d) == 80);
static_assert(offsetof(PagedCacheWriteDescriptor, order) == 88);
static_assert(offsetof(PagedCacheWriteDescriptor, T) == 96);
static_assert(offsetof(PagedCacheWriteDescriptor, C) == 104);

/// The arguments of a kernel of `paged_cache_write`: outputs, residuals, workspace, inputs.
struct PagedCacheWriteArgs {
  const PagedCacheWriteDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer k;        // T: t h d
  opgen::Buffer v;        // T: t h d
  opgen::Buffer k_cache;  // C: nb bs h d or nb h bs d
  opgen::Buffer v_cache;  // C: nb bs h d or nb h bs d
  opgen::Buffer slots;    // i32: t
  opgen::Buffer k_scale;  // f32: scalar
  opgen::Buffer v_scale;  // f32: scalar
};

/// `PagedCacheWriteArgs` with types, as a kernel of `paged_cache_write` takes it.
template <class T, class C>
struct PagedCacheWriteView {
  const PagedCacheWriteDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<const T> k;            // t h d
  opgen::Tensor<const T> v;            // t h d
  opgen::Tensor<C> k_cache;            // nb bs h d or nb h bs d
  opgen::Tensor<C> v_cache;            // nb bs h d or nb h bs d
  opgen::Tensor<const int32_t> slots;  // t
  opgen::Tensor<const float> k_scale;  // scalar
  opgen::Tensor<const float> v_scale;  // scalar

  explicit PagedCacheWriteView(const PagedCacheWriteArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), k(args.k), v(args.v), k_cache(args.k_cache),
        v_cache(args.v_cache), slots(args.slots), k_scale(args.k_scale), v_scale(args.v_scale) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_paged_cache_write_cpu(
    const PagedCacheWriteArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_paged_cache_write_cuda(
    const PagedCacheWriteArgs*) noexcept;

}  // namespace generated
