// The common declarations for kernels and adapters of the stored family.
// Rendered by opgen from stored.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `scaled`: 48 bytes, padding is zero.
struct ScaledDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t n;           // n
  int64_t mode;        // mode
  int64_t T;           // T
  int64_t Q;           // Q
};
static_assert(sizeof(ScaledDescriptor) == 48);
static_assert(offsetof(ScaledDescriptor, batch) == 0);
static_assert(offsetof(ScaledDescriptor, batch_rank) == 8);
static_assert(offsetof(ScaledDescriptor, n) == 16);
static_assert(offsetof(ScaledDescriptor, mode) == 24);
static_assert(offsetof(ScaledDescriptor, T) == 32);
static_assert(offsetof(ScaledDescriptor, Q) == 40);

/// The arguments of a kernel of `scaled`: outputs, residuals, workspace, inputs.
struct ScaledArgs {
  const ScaledDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *batch n
  opgen::Buffer x;       // T: *batch n
  opgen::Buffer weight;  // Q: n
  opgen::Buffer scale;   // f32: scalar
};

/// The facts of a call for a kernel of `storable`: 32 bytes, padding is zero.
struct StorableDescriptor {
  int64_t n;     // n
  int64_t mode;  // mode
  int64_t T;     // T
  int64_t Q;     // Q
};
static_assert(sizeof(StorableDescriptor) == 32);
static_assert(offsetof(StorableDescriptor, n) == 0);
static_assert(offsetof(StorableDescriptor, mode) == 8);
static_assert(offsetof(StorableDescriptor, T) == 16);
static_assert(offsetof(StorableDescriptor, Q) == 24);

/// The arguments of a kernel of `storable`: outputs, residuals, workspace, inputs.
struct StorableArgs {
  const StorableDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer stored;  // Q: n
  opgen::Buffer weight;  // T: n
  opgen::Buffer scale;   // f32: scalar
};

}  // namespace language_ops
