// The common declarations for kernels and adapters of the optimizers family.
// Rendered by opgen from optimizers.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `momentum_`: 16 bytes, padding is zero.
struct Momentum_Descriptor {
  double momentum;  // momentum
  int64_t T;        // T
};
static_assert(sizeof(Momentum_Descriptor) == 16);
static_assert(offsetof(Momentum_Descriptor, momentum) == 0);
static_assert(offsetof(Momentum_Descriptor, T) == 8);

/// The arguments of a kernel of `momentum_`: outputs, residuals, workspace, inputs.
struct Momentum_Args {
  const Momentum_Descriptor* desc;
  const opgen::Context* ctx;
  opgen::BufferList params;   // T: *s[i]
  opgen::BufferList grads;    // T: *s[i]
  opgen::BufferList momenta;  // T: *s[i]
  opgen::Buffer lr;           // f32: scalar
};

/// `Momentum_Args` with types, as a kernel of `momentum_` takes it.
template <class T>
struct Momentum_View {
  const Momentum_Descriptor& desc;
  const opgen::Context& ctx;
  opgen::List<T> params;          // *s[i]
  opgen::List<const T> grads;     // *s[i]
  opgen::List<T> momenta;         // *s[i]
  opgen::Tensor<const float> lr;  // scalar

  explicit Momentum_View(const Momentum_Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), params(args.params), grads(args.grads),
        momenta(args.momenta), lr(args.lr) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_momentum__cpu(const Momentum_Args*) noexcept;

}  // namespace language_ops
