// The common declarations for kernels and adapters of the weights family.
// Rendered by opgen from weights.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `linear`: 40 bytes, padding is zero.
struct LinearDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t k;           // k
  int64_t n;           // n
  int64_t T;           // T
};
static_assert(sizeof(LinearDescriptor) == 40);
static_assert(offsetof(LinearDescriptor, batch) == 0);
static_assert(offsetof(LinearDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearDescriptor, k) == 16);
static_assert(offsetof(LinearDescriptor, n) == 24);
static_assert(offsetof(LinearDescriptor, T) == 32);

/// The arguments of a kernel of `linear`: outputs, residuals, workspace, inputs.
struct LinearArgs {
  const LinearDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // T: *batch n
  opgen::Buffer x;        // T: *batch k
  opgen::Buffer w_data;   // i8: n k
  opgen::Buffer w_scale;  // f32: n
  opgen::Buffer w_zero;   // f32: n
};

/// The facts of a call for a kernel of `linear_bwd`: 40 bytes, padding is zero.
struct LinearBwdDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t n;           // n
  int64_t k;           // k
  int64_t T;           // T
};
static_assert(sizeof(LinearBwdDescriptor) == 40);
static_assert(offsetof(LinearBwdDescriptor, batch) == 0);
static_assert(offsetof(LinearBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearBwdDescriptor, n) == 16);
static_assert(offsetof(LinearBwdDescriptor, k) == 24);
static_assert(offsetof(LinearBwdDescriptor, T) == 32);

/// The arguments of a kernel of `linear_bwd`: outputs, residuals, workspace, inputs.
struct LinearBwdArgs {
  const LinearBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;        // T: *batch k
  opgen::Buffer dw_scale;  // f32: n
  opgen::Buffer dy;        // T: *batch n
  opgen::Buffer x;         // T: *batch k
  opgen::Buffer w_data;    // i8: n k
  opgen::Buffer w_scale;   // f32: n
  opgen::Buffer w_zero;    // f32: n
};

/// The facts of a call for a kernel of `transposed_quantize`: 24 bytes, padding is zero.
struct TransposedQuantizeDescriptor {
  int64_t m;  // m
  int64_t k;  // k
  int64_t T;  // T
};
static_assert(sizeof(TransposedQuantizeDescriptor) == 24);
static_assert(offsetof(TransposedQuantizeDescriptor, m) == 0);
static_assert(offsetof(TransposedQuantizeDescriptor, k) == 8);
static_assert(offsetof(TransposedQuantizeDescriptor, T) == 16);

/// The arguments of a kernel of `transposed_quantize`: outputs, residuals, workspace, inputs.
struct TransposedQuantizeArgs {
  const TransposedQuantizeDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer q_data;   // i8: k m
  opgen::Buffer q_scale;  // f32: k
  opgen::Buffer x;        // T: m k
};

}  // namespace language_ops
