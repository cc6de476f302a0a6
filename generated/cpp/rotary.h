// What kernels and adapters of the rotary family share. Rendered by opgen from rotary.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// What a kernel of `rotary` is told of a call: 112 bytes, padding is zero.
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

/// What a kernel of `rotary_` is told of a call: 112 bytes, padding is zero.
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

}  // namespace generated
