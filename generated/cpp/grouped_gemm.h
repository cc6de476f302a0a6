// What kernels and adapters of the grouped_gemm family share. Rendered by opgen from grouped_gemm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// What a kernel of `grouped_gemm` is told of a call: 48 bytes, padding is zero.
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

/// What a kernel of `grouped_gemm_wgrad` is told of a call: 48 bytes, padding is zero.
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

}  // namespace generated
