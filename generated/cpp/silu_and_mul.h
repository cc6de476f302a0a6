// The common declarations for kernels and adapters of the silu_and_mul family.
// Rendered by opgen from silu_and_mul.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `silu_and_mul`: 32 bytes, padding is zero.
struct SiluAndMulDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t T;           // T
};
static_assert(sizeof(SiluAndMulDescriptor) == 32);
static_assert(offsetof(SiluAndMulDescriptor, batch) == 0);
static_assert(offsetof(SiluAndMulDescriptor, batch_rank) == 8);
static_assert(offsetof(SiluAndMulDescriptor, d) == 16);
static_assert(offsetof(SiluAndMulDescriptor, T) == 24);

/// The arguments of a kernel of `silu_and_mul`: outputs, residuals, workspace, inputs.
struct SiluAndMulArgs {
  const SiluAndMulDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *batch d
  opgen::Buffer x;  // T: *batch 2*d
};

/// `SiluAndMulArgs` with types, as a kernel of `silu_and_mul` takes it.
template <class T>
struct SiluAndMulView {
  const SiluAndMulDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *batch d
  opgen::Tensor<const T> x;  // *batch 2*d

  explicit SiluAndMulView(const SiluAndMulArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_silu_and_mul_cpu(const SiluAndMulArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_silu_and_mul_cuda(const SiluAndMulArgs*) noexcept;

/// The facts of a call for a kernel of `silu_and_mul_bwd`: 32 bytes, padding is zero.
struct SiluAndMulBwdDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t T;           // T
};
static_assert(sizeof(SiluAndMulBwdDescriptor) == 32);
static_assert(offsetof(SiluAndMulBwdDescriptor, batch) == 0);
static_assert(offsetof(SiluAndMulBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(SiluAndMulBwdDescriptor, d) == 16);
static_assert(offsetof(SiluAndMulBwdDescriptor, T) == 24);

/// The arguments of a kernel of `silu_and_mul_bwd`: outputs, residuals, workspace, inputs.
struct SiluAndMulBwdArgs {
  const SiluAndMulBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;  // T: *batch 2*d
  opgen::Buffer dy;  // T: *batch d
  opgen::Buffer x;   // T: *batch 2*d
};

/// `SiluAndMulBwdArgs` with types, as a kernel of `silu_and_mul_bwd` takes it.
template <class T>
struct SiluAndMulBwdView {
  const SiluAndMulBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;        // *batch 2*d
  opgen::Tensor<const T> dy;  // *batch d
  opgen::Tensor<const T> x;   // *batch 2*d

  explicit SiluAndMulBwdView(const SiluAndMulBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_silu_and_mul_bwd_cpu(
    const SiluAndMulBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_silu_and_mul_bwd_cuda(
    const SiluAndMulBwdArgs*) noexcept;

/// The facts of a call for a kernel of `swiglu`: 24 bytes, padding is zero.
struct SwigluDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(SwigluDescriptor) == 24);
static_assert(offsetof(SwigluDescriptor, s) == 0);
static_assert(offsetof(SwigluDescriptor, s_rank) == 8);
static_assert(offsetof(SwigluDescriptor, T) == 16);

/// The arguments of a kernel of `swiglu`: outputs, residuals, workspace, inputs.
struct SwigluArgs {
  const SwigluDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;     // T: *s
  opgen::Buffer gate;  // T: *s
  opgen::Buffer up;    // T: *s
};

/// `SwigluArgs` with types, as a kernel of `swiglu` takes it.
template <class T>
struct SwigluView {
  const SwigluDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;           // *s
  opgen::Tensor<const T> gate;  // *s
  opgen::Tensor<const T> up;    // *s

  explicit SwigluView(const SwigluArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), gate(args.gate), up(args.up) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_swiglu_cpu(const SwigluArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_swiglu_cuda(const SwigluArgs*) noexcept;

/// The facts of a call for a kernel of `swiglu_bwd`: 24 bytes, padding is zero.
struct SwigluBwdDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(SwigluBwdDescriptor) == 24);
static_assert(offsetof(SwigluBwdDescriptor, s) == 0);
static_assert(offsetof(SwigluBwdDescriptor, s_rank) == 8);
static_assert(offsetof(SwigluBwdDescriptor, T) == 16);

/// The arguments of a kernel of `swiglu_bwd`: outputs, residuals, workspace, inputs.
struct SwigluBwdArgs {
  const SwigluBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dgate;  // T: *s
  opgen::Buffer dup;    // T: *s
  opgen::Buffer dy;     // T: *s
  opgen::Buffer gate;   // T: *s
  opgen::Buffer up;     // T: *s
};

/// `SwigluBwdArgs` with types, as a kernel of `swiglu_bwd` takes it.
template <class T>
struct SwigluBwdView {
  const SwigluBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dgate;       // *s
  opgen::Tensor<T> dup;         // *s
  opgen::Tensor<const T> dy;    // *s
  opgen::Tensor<const T> gate;  // *s
  opgen::Tensor<const T> up;    // *s

  explicit SwigluBwdView(const SwigluBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dgate(args.dgate), dup(args.dup), dy(args.dy),
        gate(args.gate), up(args.up) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_swiglu_bwd_cpu(const SwigluBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_swiglu_bwd_cuda(const SwigluBwdArgs*) noexcept;

}  // namespace generated
