// The common declarations for kernels and adapters of the seeds family.
// Rendered by opgen from seeds.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `masked`: 32 bytes, padding is zero.
struct MaskedDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  double p;        // p
  int64_t T;       // T
};
static_assert(sizeof(MaskedDescriptor) == 32);
static_assert(offsetof(MaskedDescriptor, s) == 0);
static_assert(offsetof(MaskedDescriptor, s_rank) == 8);
static_assert(offsetof(MaskedDescriptor, p) == 16);
static_assert(offsetof(MaskedDescriptor, T) == 24);

/// The arguments of a kernel of `masked`: outputs, residuals, workspace, inputs.
struct MaskedArgs {
  const MaskedDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;     // T: *s
  opgen::Buffer x;     // T: *s
  opgen::Buffer seed;  // i64: scalar
};

/// `MaskedArgs` with types, as a kernel of `masked` takes it.
template <class T>
struct MaskedView {
  const MaskedDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                 // *s
  opgen::Tensor<const T> x;           // *s
  opgen::Tensor<const int64_t> seed;  // scalar

  explicit MaskedView(const MaskedArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), seed(args.seed) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_masked_cpu(const MaskedArgs*) noexcept;

}  // namespace language_ops
