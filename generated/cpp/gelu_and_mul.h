// The common declarations for kernels and adapters of the gelu_and_mul family.
// Rendered by opgen from gelu_and_mul.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `gelu_and_mul`: 40 bytes, padding is zero.
struct GeluAndMulDescriptor {
  int64_t batch;        // prod(batch)
  int64_t batch_rank;   // len(batch)
  int64_t d;            // d
  int64_t approximate;  // approximate
  int64_t T;            // T
};
static_assert(sizeof(GeluAndMulDescriptor) == 40);
static_assert(offsetof(GeluAndMulDescriptor, batch) == 0);
static_assert(offsetof(GeluAndMulDescriptor, batch_rank) == 8);
static_assert(offsetof(GeluAndMulDescriptor, d) == 16);
static_assert(offsetof(GeluAndMulDescriptor, approximate) == 24);
static_assert(offsetof(GeluAndMulDescriptor, T) == 32);

/// The arguments of a kernel of `gelu_and_mul`: outputs, residuals, workspace, inputs.
struct GeluAndMulArgs {
  const GeluAndMulDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *batch d
  opgen::Buffer x;  // T: *batch 2*d
};

/// `GeluAndMulArgs` with types, as a kernel of `gelu_and_mul` takes it.
template <class T>
struct GeluAndMulView {
  const GeluAndMulDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *batch d
  opgen::Tensor<const T> x;  // *batch 2*d

  explicit GeluAndMulView(const GeluAndMulArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_gelu_and_mul_cpu(const GeluAndMulArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_gelu_and_mul_cuda(const GeluAndMulArgs*) noexcept;

/// The facts of a call for a kernel of `gelu_and_mul_bwd`: 40 bytes, padding is zero.
struct GeluAndMulBwdDescriptor {
  int64_t batch;        // prod(batch)
  int64_t batch_rank;   // len(batch)
  int64_t d;            // d
  int64_t approximate;  // approximate
  int64_t T;            // T
};
static_assert(sizeof(GeluAndMulBwdDescriptor) == 40);
static_assert(offsetof(GeluAndMulBwdDescriptor, batch) == 0);
static_assert(offsetof(GeluAndMulBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(GeluAndMulBwdDescriptor, d) == 16);
static_assert(offsetof(GeluAndMulBwdDescriptor, approximate) == 24);
static_assert(offsetof(GeluAndMulBwdDescriptor, T) == 32);

/// The arguments of a kernel of `gelu_and_mul_bwd`: outputs, residuals, workspace, inputs.
struct GeluAndMulBwdArgs {
  const GeluAndMulBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;  // T: *batch 2*d
  opgen::Buffer dy;  // T: *batch d
  opgen::Buffer x;   // T: *batch 2*d
};

/// `GeluAndMulBwdArgs` with types, as a kernel of `gelu_and_mul_bwd` takes it.
template <class T>
struct GeluAndMulBwdView {
  const GeluAndMulBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;        // *batch 2*d
  opgen::Tensor<const T> dy;  // *batch d
  opgen::Tensor<const T> x;   // *batch 2*d

  explicit GeluAndMulBwdView(const GeluAndMulBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_gelu_and_mul_bwd_cpu(
    const GeluAndMulBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_gelu_and_mul_bwd_cuda(
    const GeluAndMulBwdArgs*) noexcept;

/// The facts of a call for a kernel of `geglu`: 32 bytes, padding is zero.
struct GegluDescriptor {
  int64_t s;            // prod(s)
  int64_t s_rank;       // len(s)
  int64_t approximate;  // approximate
  int64_t T;            // T
};
static_assert(sizeof(GegluDescriptor) == 32);
static_assert(offsetof(GegluDescriptor, s) == 0);
static_assert(offsetof(GegluDescriptor, s_rank) == 8);
static_assert(offsetof(GegluDescriptor, approximate) == 16);
static_assert(offsetof(GegluDescriptor, T) == 24);

/// The arguments of a kernel of `geglu`: outputs, residuals, workspace, inputs.
struct GegluArgs {
  const GegluDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;     // T: *s
  opgen::Buffer gate;  // T: *s
  opgen::Buffer up;    // T: *s
};

/// `GegluArgs` with types, as a kernel of `geglu` takes it.
template <class T>
struct GegluView {
  const GegluDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;           // *s
  opgen::Tensor<const T> gate;  // *s
  opgen::Tensor<const T> up;    // *s

  explicit GegluView(const GegluArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), gate(args.gate), up(args.up) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_geglu_cpu(const GegluArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_geglu_cuda(const GegluArgs*) noexcept;

/// The facts of a call for a kernel of `geglu_bwd`: 32 bytes, padding is zero.
struct GegluBwdDescriptor {
  int64_t s;            // prod(s)
  int64_t s_rank;       // len(s)
  int64_t approximate;  // approximate
  int64_t T;            // T
};
static_assert(sizeof(GegluBwdDescriptor) == 32);
static_assert(offsetof(GegluBwdDescriptor, s) == 0);
static_assert(offsetof(GegluBwdDescriptor, s_rank) == 8);
static_assert(offsetof(GegluBwdDescriptor, approximate) == 16);
static_assert(offsetof(GegluBwdDescriptor, T) == 24);

/// The arguments of a kernel of `geglu_bwd`: outputs, residuals, workspace, inputs.
struct GegluBwdArgs {
  const GegluBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dgate;  // T: *s
  opgen::Buffer dup;    // T: *s
  opgen::Buffer dy;     // T: *s
  opgen::Buffer gate;   // T: *s
  opgen::Buffer up;     // T: *s
};

/// `GegluBwdArgs` with types, as a kernel of `geglu_bwd` takes it.
template <class T>
struct GegluBwdView {
  const GegluBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dgate;       // *s
  opgen::Tensor<T> dup;         // *s
  opgen::Tensor<const T> dy;    // *s
  opgen::Tensor<const T> gate;  // *s
  opgen::Tensor<const T> up;    // *s

  explicit GegluBwdView(const GegluBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dgate(args.dgate), dup(args.dup), dy(args.dy),
        gate(args.gate), up(args.up) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_geglu_bwd_cpu(const GegluBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_geglu_bwd_cuda(const GegluBwdArgs*) noexcept;

}  // namespace generated
