// The common declarations for kernels and adapters of the layouts family.
// Rendered by opgen from layouts.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `heads_first`: 48 bytes, padding is zero.
struct HeadsFirstDescriptor {
  int64_t t;      // t
  int64_t h;      // h
  int64_t d;      // d
  int64_t order;  // order
  int64_t wide;   // wide
  int64_t T;      // T
};
static_assert(sizeof(HeadsFirstDescriptor) == 48);
static_assert(offsetof(HeadsFirstDescriptor, t) == 0);
static_assert(offsetof(HeadsFirstDescriptor, h) == 8);
static_assert(offsetof(HeadsFirstDescriptor, d) == 16);
static_assert(offsetof(HeadsFirstDescriptor, order) == 24);
static_assert(offsetof(HeadsFirstDescriptor, wide) == 32);
static_assert(offsetof(HeadsFirstDescriptor, T) == 40);

/// The arguments of a kernel of `heads_first`: outputs, residuals, workspace, inputs.
struct HeadsFirstArgs {
  const HeadsFirstDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // f32 or T: h t d
  opgen::Buffer x;  // T: t h d or h t d
};

/// The facts of a call for a kernel of `last_token`: 32 bytes, padding is zero.
struct LastTokenDescriptor {
  int64_t t;  // t
  int64_t d;  // d
  int64_t b;  // b
  int64_t T;  // T
};
static_assert(sizeof(LastTokenDescriptor) == 32);
static_assert(offsetof(LastTokenDescriptor, t) == 0);
static_assert(offsetof(LastTokenDescriptor, d) == 8);
static_assert(offsetof(LastTokenDescriptor, b) == 16);
static_assert(offsetof(LastTokenDescriptor, T) == 24);

/// The arguments of a kernel of `last_token`: outputs, residuals, workspace, inputs.
struct LastTokenArgs {
  const LastTokenDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // T: b d
  opgen::Buffer x;        // T: t d or b t d
  opgen::Buffer offsets;  // i32: b+1
};

}  // namespace language_ops
