// What kernels and adapters of the options family share.
// Rendered by opgen from options.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// What a kernel of `squash` is told of a call: 48 bytes, padding is zero.
struct SquashDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t by;          // by
  double scale;        // scale
  int64_t T;           // T
};
static_assert(sizeof(SquashDescriptor) == 48);
static_assert(offsetof(SquashDescriptor, batch) == 0);
static_assert(offsetof(SquashDescriptor, batch_rank) == 8);
static_assert(offsetof(SquashDescriptor, d) == 16);
static_assert(offsetof(SquashDescriptor, by) == 24);
static_assert(offsetof(SquashDescriptor, scale) == 32);
static_assert(offsetof(SquashDescriptor, T) == 40);

/// The arguments of a kernel of `squash`: outputs, residuals, workspace, inputs.
struct SquashArgs {
  const SquashDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;     // T: *batch d
  opgen::Buffer x;     // T: *batch d
  opgen::Buffer gain;  // T: scalar
  opgen::Buffer bias;  // T: d
};

}  // namespace language_ops
