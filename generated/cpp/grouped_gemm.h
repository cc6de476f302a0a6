// The common declarations for kernels and adapters of the grouped_gemm family.
// Rendered by opgen from grouped_gemm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `grouped_gemm`: 48 bytes, padding is zero.
struct GroupedGemmDescriptor {
  int64_t m;        // m
  int64_t k;        // k
  int64_t g;        // g
  int64_t n;        // n
  int64_t trans_b;  // trans_b
  int64_t T;        // T
};
static_assert(sizeof(GroupedGemmDescriptor) == 48);
static_assert(offsetof(GroupedGemmDescriptor, m) == 0);
static_assert(offsetof(GroupedGemmDescriptor, k) == 8);
static_assert(offsetof(GroupedGemmDescriptor, g) == 16);
static_assert(offsetof(GroupedGemmDescriptor, n) == 24);
static_assert(offsetof(GroupedGemmDescriptor, trans_b) == 32);
static_assert(offsetof(GroupedGemmDescriptor, T) == 40);

/// The arguments of a kernel of `grouped_gemm`: outputs, residuals, workspace, inputs.
struct GroupedGemmArgs {
  const GroupedGemmDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer c;        // T: m n
  opgen::Buffer a;        // T: m k
  opgen::Buffer b;        // T: g n k or g k n
  opgen::Buffer offsets;  // i32: g+1
};

/// `GroupedGemmArgs` with types, as a kernel of `grouped_gemm` takes it.
template <class T>
struct GroupedGemmView {
  const GroupedGemmDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> c;                    // m n
  opgen::Tensor<const T> a;              // m k
  opgen::Tensor<const T> b;              // g n k or g k n
  opgen::Tensor<const int32_t> offsets;  // g+1

  explicit GroupedGemmView(const GroupedGemmArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), c(args.c), a(args.a), b(args.b), offsets(args.offsets) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_grouped_gemm_cpu(const GroupedGemmArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_grouped_gemm_cuda(const GroupedGemmArgs*) noexcept;

/// The facts of a call for a kernel of `grouped_gemm_wgrad`: 48 bytes, padding is zero.
struct GroupedGemmWgradDescriptor {
  int64_t m;        // m
  int64_t k;        // k
  int64_t n;        // n
  int64_t g;        // g
  int64_t trans_b;  // trans_b
  int64_t T;        // T
};
static_assert(sizeof(GroupedGemmWgradDescriptor) == 48);
static_assert(offsetof(GroupedGemmWgradDescriptor, m) == 0);
static_assert(offsetof(GroupedGemmWgradDescriptor, k) == 8);
static_assert(offsetof(GroupedGemmWgradDescriptor, n) == 16);
static_assert(offsetof(GroupedGemmWgradDescriptor, g) == 24);
static_assert(offsetof(GroupedGemmWgradDescriptor, trans_b) == 32);
static_assert(offsetof(GroupedGemmWgradDescriptor, T) == 40);

/// The arguments of a kernel of `grouped_gemm_wgrad`: outputs, residuals, workspace, inputs.
struct GroupedGemmWgradArgs {
  const GroupedGemmWgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer db;       // T: g n k or g k n
  opgen::Buffer a;        // T: m k
  opgen::Buffer dc;       // T: m n
  opgen::Buffer offsets;  // i32: g+1
};

/// `GroupedGemmWgradArgs` with types, as a kernel of `grouped_gemm_wgrad` takes it.
template <class T>
struct GroupedGemmWgradView {
  const GroupedGemmWgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> db;                   // g n k or g k n
  opgen::Tensor<const T> a;              // m k
  opgen::Tensor<const T> dc;             // m n
  opgen::Tensor<const int32_t> offsets;  // g+1

  explicit GroupedGemmWgradView(const GroupedGemmWgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), db(args.db), a(args.a), dc(args.dc),
        offsets(args.offsets) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_grouped_gemm_wgrad_cpu(
    const GroupedGemmWgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_grouped_gemm_wgrad_cuda(
    const GroupedGemmWgradArgs*) noexcept;

}  // namespace generated
