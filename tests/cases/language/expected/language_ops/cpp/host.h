// The common declarations for kernels and adapters of the host family.
// Rendered by opgen from host.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `segment_sums`: 24 bytes, padding is zero.
struct SegmentSumsDescriptor {
  int64_t n;  // n
  int64_t k;  // k
  int64_t T;  // T
};
static_assert(sizeof(SegmentSumsDescriptor) == 24);
static_assert(offsetof(SegmentSumsDescriptor, n) == 0);
static_assert(offsetof(SegmentSumsDescriptor, k) == 8);
static_assert(offsetof(SegmentSumsDescriptor, T) == 16);

/// The arguments of a kernel of `segment_sums`: outputs, residuals, workspace, inputs.
struct SegmentSumsArgs {
  const SegmentSumsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: k
  opgen::Buffer x;       // T: n
  opgen::Buffer bounds;  // i64: k+1
};

/// `SegmentSumsArgs` with types, as a kernel of `segment_sums` takes it.
template <class T>
struct SegmentSumsView {
  const SegmentSumsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                   // k
  opgen::Tensor<const T> x;             // n
  opgen::Tensor<const int64_t> bounds;  // k+1

  explicit SegmentSumsView(const SegmentSumsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), bounds(args.bounds) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_segment_sums_cpu(
    const SegmentSumsArgs*) noexcept;

}  // namespace language_ops
