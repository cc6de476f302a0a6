// The common declarations for kernels and adapters of the rotary family.
// Rendered by opgen from rotary.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `rotary`: 112 bytes, padding is zero.
struct RotaryDescriptor {
  int64_t lead;       // prod(lead)
  int64_t lead_rank;  // len(lead)
  int64_t t;          // t
  int64_t hk;         // hk
  int64_t g;          // g
  int64_t d;          // d
  int64_t h;          // h
  int64_t p;          // p
  int64_t r;          // r
  int64_t style;      // style
  int64_t inverse;    // inverse
  int64_t T;          // T
  int64_t C;          // C
  int64_t I;          // I
};
static_assert(sizeof(RotaryDescriptor) == 112);
static_assert(offsetof(RotaryDescriptor, lead) == 0);
static_assert(offsetof(RotaryDescriptor, lead_rank) == 8);
static_assert(offsetof(RotaryDescriptor, t) == 16);
static_assert(offsetof(RotaryDescriptor, hk) == 24);
static_assert(offsetof(RotaryDescriptor, g) == 32);
static_assert(offsetof(RotaryDescriptor, d) == 40);
static_assert(offsetof(RotaryDescriptor, h) == 48);
static_assert(offsetof(RotaryDescriptor, p) == 56);
static_assert(offsetof(RotaryDescriptor, r) == 64);
static_assert(offsetof(RotaryDescriptor, style) == 72);
static_assert(offsetof(RotaryDescriptor, inverse) == 80);
static_assert(offsetof(RotaryDescriptor, T) == 88);
static_assert(offsetof(RotaryDescriptor, C) == 96);
static_assert(offsetof(RotaryDescriptor, I) == 104);

/// The arguments of a kernel of `rotary`: outputs, residuals, workspace, inputs.
struct RotaryArgs {
  const RotaryDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer q_out;      // T: *lead t hk*g d or *lead t h d
  opgen::Buffer k_out;      // T: *lead t hk d
  opgen::Buffer q;          // T: *lead t hk*g d or *lead t h d
  opgen::Buffer positions;  // I: *lead t or t
  opgen::Buffer cos_sin;    // C: p 2*r
  opgen::Buffer k;          // T: *lead t hk d
};

/// `RotaryArgs` with types, as a kernel of `rotary` takes it.
template <class T, class C>
struct RotaryView {
  const RotaryDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> q_out;          // *lead t hk*g d or *lead t h d
  opgen::Tensor<T> k_out;          // *lead t hk d
  opgen::Tensor<const T> q;        // *lead t hk*g d or *lead t h d
  opgen::Buffer positions;         // *lead t or t
  opgen::Tensor<const C> cos_sin;  // p 2*r
  opgen::Tensor<const T> k;        // *lead t hk d

  explicit RotaryView(const RotaryArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q_out(args.q_out), k_out(args.k_out), q(args.q),
        positions(args.positions), cos_sin(args.cos_sin), k(args.k) {}
};

/// `RotaryArgs` with types, as a kernel of `rotary` takes it.
template <class T>
struct RotaryCudaView {
  const RotaryDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> q_out;    // *lead t hk*g d or *lead t h d
  opgen::Tensor<T> k_out;    // *lead t hk d
  opgen::Tensor<const T> q;  // *lead t hk*g d or *lead t h d
  opgen::Buffer positions;   // *lead t or t
  opgen::Buffer cos_sin;     // p 2*r
  opgen::Tensor<const T> k;  // *lead t hk d

  explicit RotaryCudaView(const RotaryArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q_out(args.q_out), k_out(args.k_out), q(args.q),
        positions(args.positions), cos_sin(args.cos_sin), k(args.k) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rotary_cpu(const RotaryArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rotary_cuda(const RotaryArgs*) noexcept;

/// The facts of a call for a kernel of `rotary_`: 112 bytes, padding is zero.
struct Rotary_Descriptor {
  int64_t lead;       // prod(lead)
  int64_t lead_rank;  // len(lead)
  int64_t t;          // t
  int64_t hk;         // hk
  int64_t g;          // g
  int64_t d;          // d
  int64_t h;          // h
  int64_t p;          // p
  int64_t r;          // r
  int64_t style;      // style
  int64_t inverse;    // inverse
  int64_t T;          // T
  int64_t C;          // C
  int64_t I;          // I
};
static_assert(sizeof(Rotary_Descriptor) == 112);
static_assert(offsetof(Rotary_Descriptor, lead) == 0);
static_assert(offsetof(Rotary_Descriptor, lead_rank) == 8);
static_assert(offsetof(Rotary_Descriptor, t) == 16);
static_assert(offsetof(Rotary_Descriptor, hk) == 24);
static_assert(offsetof(Rotary_Descriptor, g) == 32);
static_assert(offsetof(Rotary_Descriptor, d) == 40);
static_assert(offsetof(Rotary_Descriptor, h) == 48);
static_assert(offsetof(Rotary_Descriptor, p) == 56);
static_assert(offsetof(Rotary_Descriptor, r) == 64);
static_assert(offsetof(Rotary_Descriptor, style) == 72);
static_assert(offsetof(Rotary_Descriptor, inverse) == 80);
static_assert(offsetof(Rotary_Descriptor, T) == 88);
static_assert(offsetof(Rotary_Descriptor, C) == 96);
static_assert(offsetof(Rotary_Descriptor, I) == 104);

/// The arguments of a kernel of `rotary_`: outputs, residuals, workspace, inputs.
struct Rotary_Args {
  const Rotary_Descriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer q;          // T: *lead t hk*g d or *lead t h d
  opgen::Buffer positions;  // I: *lead t or t
  opgen::Buffer cos_sin;    // C: p 2*r
  opgen::Buffer k;          // T: *lead t hk d
};

/// `Rotary_Args` with types, as a kernel of `rotary_` takes it.
template <class T, class C>
struct Rotary_View {
  const Rotary_Descriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> q;              // *lead t hk*g d or *lead t h d
  opgen::Buffer positions;         // *lead t or t
  opgen::Tensor<const C> cos_sin;  // p 2*r
  opgen::Tensor<T> k;              // *lead t hk d

  explicit Rotary_View(const Rotary_Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q(args.q), positions(args.positions),
        cos_sin(args.cos_sin), k(args.k) {}
};

/// `Rotary_Args` with types, as a kernel of `rotary_` takes it.
template <class T>
struct Rotary_CudaView {
  const Rotary_Descriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> q;       // *lead t hk*g d or *lead t h d
  opgen::Buffer positions;  // *lead t or t
  opgen::Buffer cos_sin;    // p 2*r
  opgen::Tensor<T> k;       // *lead t hk d

  explicit Rotary_CudaView(const Rotary_Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q(args.q), positions(args.positions),
        cos_sin(args.cos_sin), k(args.k) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rotary__cpu(const Rotary_Args*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rotary__cuda(const Rotary_Args*) noexcept;

/// The facts of a call for a kernel of `apply_rotary`: 56 bytes, padding is zero.
struct ApplyRotaryDescriptor {
  int64_t lead;         // prod(lead)
  int64_t t;            // t
  int64_t d;            // d
  int64_t r;            // r
  int64_t heads_first;  // order == 'HSD'
  int64_t interleaved;  // style == 'interleaved'
  int64_t inverse;      // inverse
};
static_assert(sizeof(ApplyRotaryDescriptor) == 56);
static_assert(offsetof(ApplyRotaryDescriptor, lead) == 0);
static_assert(offsetof(ApplyRotaryDescriptor, t) == 8);
static_assert(offsetof(ApplyRotaryDescriptor, d) == 16);
static_assert(offsetof(ApplyRotaryDescriptor, r) == 24);
static_assert(offsetof(ApplyRotaryDescriptor, heads_first) == 32);
static_assert(offsetof(ApplyRotaryDescriptor, interleaved) == 40);
static_assert(offsetof(ApplyRotaryDescriptor, inverse) == 48);

/// The arguments of a kernel of `apply_rotary`: outputs, residuals, workspace, inputs.
struct ApplyRotaryArgs {
  const ApplyRotaryDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer q_out;  // T: *lead hk*g t d or *lead t hk*g d
  opgen::Buffer k_out;  // T: *lead hk t d or *lead t hk d
  opgen::Buffer q;      // T: *lead hk*g t d or *lead t hk*g d
  opgen::Buffer k;      // T: *lead hk t d or *lead t hk d
  opgen::Buffer cos;    // C: *lead t 2*r or t 2*r
  opgen::Buffer sin;    // C: *lead t 2*r or t 2*r
};

/// `ApplyRotaryArgs` with types, as a kernel of `apply_rotary` takes it.
template <class T, class C>
struct ApplyRotaryView {
  const ApplyRotaryDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> q_out;      // *lead hk*g t d or *lead t hk*g d
  opgen::Tensor<T> k_out;      // *lead hk t d or *lead t hk d
  opgen::Tensor<const T> q;    // *lead hk*g t d or *lead t hk*g d
  opgen::Tensor<const T> k;    // *lead hk t d or *lead t hk d
  opgen::Tensor<const C> cos;  // *lead t 2*r or t 2*r
  opgen::Tensor<const C> sin;  // *lead t 2*r or t 2*r

  explicit ApplyRotaryView(const ApplyRotaryArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q_out(args.q_out), k_out(args.k_out), q(args.q),
        k(args.k), cos(args.cos), sin(args.sin) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_apply_rotary_cpu(const ApplyRotaryArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_apply_rotary_cuda(const ApplyRotaryArgs*) noexcept;

}  // namespace generated
