// The common declarations for kernels and adapters of the samples family.
// Rendered by opgen from samples.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `swap_bytes`: 8 bytes, padding is zero.
struct SwapBytesDescriptor {
  int64_t count;  // 2 * numel(x)
};
static_assert(sizeof(SwapBytesDescriptor) == 8);
static_assert(offsetof(SwapBytesDescriptor, count) == 0);

/// The arguments of a kernel of `swap_bytes`: outputs, residuals, workspace, inputs.
struct SwapBytesArgs {
  const SwapBytesDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // i16: *s
  opgen::Buffer x;  // i16: *s
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_swap_bytes_cpu(const SwapBytesArgs*) noexcept;

}  // namespace language_ops
