// The common declarations for kernels and adapters of the nms family.
// Rendered by opgen from nms.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `nms`: 16 bytes, padding is zero.
struct NmsDescriptor {
  int64_t n;   // n
  double iou;  // iou
};
static_assert(sizeof(NmsDescriptor) == 16);
static_assert(offsetof(NmsDescriptor, n) == 0);
static_assert(offsetof(NmsDescriptor, iou) == 8);

/// The arguments of a kernel of `nms`: outputs, residuals, workspace, inputs.
struct NmsArgs {
  const NmsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer keep;     // i64: n
  opgen::Buffer count;    // i64: scalar
  opgen::Buffer sorted;   // f32: 5 n
  opgen::Buffer dropped;  // i32: n
  opgen::Buffer boxes;    // f32: n 4
  opgen::Buffer scores;   // f32: n
};

extern "C" opgen::Status nms(const NmsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_nms_cpu(const NmsArgs*) noexcept;
extern "C" opgen::Status nms_by_tiles(const NmsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_nms_cuda(const NmsArgs*) noexcept;

}  // namespace generated
