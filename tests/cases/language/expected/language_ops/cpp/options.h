// The common declarations for kernels and adapters of the options family.
// Rendered by opgen from options.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `squash`: 48 bytes, padding is zero.
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

/// The facts of a call for a kernel of `polynomial`: 96 bytes, padding is zero.
struct PolynomialDescriptor {
  int64_t s;                  // prod(s)
  int64_t s_rank;             // len(s)
  double coefficients[8];     // coefficients
  int64_t coefficients_rank;  // len(coefficients)
  int64_t T;                  // T
};
static_assert(sizeof(PolynomialDescriptor) == 96);
static_assert(offsetof(PolynomialDescriptor, s) == 0);
static_assert(offsetof(PolynomialDescriptor, s_rank) == 8);
static_assert(offsetof(PolynomialDescriptor, coefficients) == 16);
static_assert(offsetof(PolynomialDescriptor, coefficients_rank) == 80);
static_assert(offsetof(PolynomialDescriptor, T) == 88);

/// The arguments of a kernel of `polynomial`: outputs, residuals, workspace, inputs.
struct PolynomialArgs {
  const PolynomialDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *s
  opgen::Buffer x;  // T: *s
};

/// `PolynomialArgs` with types, as a kernel of `polynomial` takes it.
template <class T>
struct PolynomialView {
  const PolynomialDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *s
  opgen::Tensor<const T> x;  // *s

  explicit PolynomialView(const PolynomialArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_polynomial_cpu(const PolynomialArgs*) noexcept;

/// The facts of a call for a kernel of `moved`: 24 bytes, padding is zero.
struct MovedDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(MovedDescriptor) == 24);
static_assert(offsetof(MovedDescriptor, s) == 0);
static_assert(offsetof(MovedDescriptor, s_rank) == 8);
static_assert(offsetof(MovedDescriptor, T) == 16);

/// The arguments of a kernel of `moved`: outputs, residuals, workspace, inputs.
struct MovedArgs {
  const MovedDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;   // T: *s
  opgen::Buffer x;   // T: *s
  opgen::Buffer by;  // i64: *s
};

}  // namespace language_ops
