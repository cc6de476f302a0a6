// The common declarations for kernels and adapters of the dropout family.
// Rendered by opgen from dropout.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `dropout`: 32 bytes, padding is zero.
struct DropoutDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  double p;        // p
  int64_t T;       // T
};
static_assert(sizeof(DropoutDescriptor) == 32);
static_assert(offsetof(DropoutDescriptor, s) == 0);
static_assert(offsetof(DropoutDescriptor, s_rank) == 8);
static_assert(offsetof(DropoutDescriptor, p) == 16);
static_assert(offsetof(DropoutDescriptor, T) == 24);

/// The arguments of a kernel of `dropout`: outputs, residuals, workspace, inputs.
struct DropoutArgs {
  const DropoutDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *s
  opgen::Buffer x;       // T: *s
  opgen::Buffer seed;    // i64: scalar
  opgen::Buffer offset;  // i64: scalar
};

/// `DropoutArgs` with types, as a kernel of `dropout` takes it.
template <class T>
struct DropoutView {
  const DropoutDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                   // *s
  opgen::Tensor<const T> x;             // *s
  opgen::Tensor<const int64_t> seed;    // scalar
  opgen::Tensor<const int64_t> offset;  // scalar

  explicit DropoutView(const DropoutArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), seed(args.seed),
        offset(args.offset) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_dropout_cpu(const DropoutArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_dropout_cuda(const DropoutArgs*) noexcept;

}  // namespace generated
