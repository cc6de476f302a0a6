// The common declarations for kernels and adapters of the moe family.
// Rendered by opgen from moe.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `moe_permute`: 48 bytes, padding is zero.
struct MoePermuteDescriptor {
  int64_t t;  // t
  int64_t d;  // d
  int64_t k;  // k
  int64_t e;  // e
  int64_t T;  // T
  int64_t I;  // I
};
static_assert(sizeof(MoePermuteDescriptor) == 48);
static_assert(offsetof(MoePermuteDescriptor, t) == 0);
static_assert(offsetof(MoePermuteDescriptor, d) == 8);
static_assert(offsetof(MoePermuteDescriptor, k) == 16);
static_assert(offsetof(MoePermuteDescriptor, e) == 24);
static_assert(offsetof(MoePermuteDescriptor, T) == 32);
static_assert(offsetof(MoePermuteDescriptor, I) == 40);

/// The arguments of a kernel of `moe_permute`: outputs, residuals, workspace, inputs.
struct MoePermuteArgs {
  const MoePermuteDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer rows;     // T: t*k d
  opgen::Buffer offsets;  // i32: e+1
  opgen::Buffer places;   // i32: t k
  opgen::Buffer x;        // T: t d
  opgen::Buffer ids;      // I: t k
};

/// `MoePermuteArgs` with types, as a kernel of `moe_permute` takes it.
template <class T, class I>
struct MoePermuteView {
  using Acc = opgen::accum_t<T>;

  const MoePermuteDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> rows;           // t*k d
  opgen::Tensor<int32_t> offsets;  // e+1
  opgen::Tensor<int32_t> places;   // t k
  opgen::Tensor<const T> x;        // t d
  opgen::Tensor<const I> ids;      // t k

  explicit MoePermuteView(const MoePermuteArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), rows(args.rows), offsets(args.offsets),
        places(args.places), x(args.x), ids(args.ids) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_moe_permute_cpu(const MoePermuteArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_moe_permute_cuda(const MoePermuteArgs*) noexcept;

/// The facts of a call for a kernel of `moe_unpermute`: 40 bytes, padding is zero.
struct MoeUnpermuteDescriptor {
  int64_t t;  // t
  int64_t k;  // k
  int64_t d;  // d
  int64_t T;  // T
  int64_t W;  // W
};
static_assert(sizeof(MoeUnpermuteDescriptor) == 40);
static_assert(offsetof(MoeUnpermuteDescriptor, t) == 0);
static_assert(offsetof(MoeUnpermuteDescriptor, k) == 8);
static_assert(offsetof(MoeUnpermuteDescriptor, d) == 16);
static_assert(offsetof(MoeUnpermuteDescriptor, T) == 24);
static_assert(offsetof(MoeUnpermuteDescriptor, W) == 32);

/// The arguments of a kernel of `moe_unpermute`: outputs, residuals, workspace, inputs.
struct MoeUnpermuteArgs {
  const MoeUnpermuteDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // T: t d
  opgen::Buffer rows;     // T: t*k d
  opgen::Buffer places;   // i32: t k
  opgen::Buffer weights;  // W: t k
};

/// `MoeUnpermuteArgs` with types, as a kernel of `moe_unpermute` takes it.
template <class T, class W>
struct MoeUnpermuteView {
  using Acc = opgen::accum_t<T>;

  const MoeUnpermuteDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                   // t d
  opgen::Tensor<const T> rows;          // t*k d
  opgen::Tensor<const int32_t> places;  // t k
  opgen::Tensor<const W> weights;       // t k

  explicit MoeUnpermuteView(const MoeUnpermuteArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), rows(args.rows), places(args.places),
        weights(args.weights) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_cpu(const MoeUnpermuteArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_cuda(
    const MoeUnpermuteArgs*) noexcept;

/// The facts of a call for a kernel of `moe_unpermute_dgrad`: 40 bytes, padding is zero.
struct MoeUnpermuteDgradDescriptor {
  int64_t t;  // t
  int64_t d;  // d
  int64_t k;  // k
  int64_t T;  // T
  int64_t W;  // W
};
static_assert(sizeof(MoeUnpermuteDgradDescriptor) == 40);
static_assert(offsetof(MoeUnpermuteDgradDescriptor, t) == 0);
static_assert(offsetof(MoeUnpermuteDgradDescriptor, d) == 8);
static_assert(offsetof(MoeUnpermuteDgradDescriptor, k) == 16);
static_assert(offsetof(MoeUnpermuteDgradDescriptor, T) == 24);
static_assert(offsetof(MoeUnpermuteDgradDescriptor, W) == 32);

/// The arguments of a kernel of `moe_unpermute_dgrad`: outputs, residuals, workspace, inputs.
struct MoeUnpermuteDgradArgs {
  const MoeUnpermuteDgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer drows;    // T: t*k d
  opgen::Buffer ends;     // i64: t*k
  opgen::Buffer order;    // i64: t*k
  opgen::Buffer dy;       // T: t d
  opgen::Buffer places;   // i32: t k
  opgen::Buffer weights;  // W: t k
};

/// `MoeUnpermuteDgradArgs` with types, as a kernel of `moe_unpermute_dgrad` takes it.
template <class T, class W>
struct MoeUnpermuteDgradView {
  using Acc = opgen::accum_t<T>;

  const MoeUnpermuteDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> drows;               // t*k d
  opgen::Tensor<int64_t> ends;          // t*k
  opgen::Tensor<int64_t> order;         // t*k
  opgen::Tensor<const T> dy;            // t d
  opgen::Tensor<const int32_t> places;  // t k
  opgen::Tensor<const W> weights;       // t k

  explicit MoeUnpermuteDgradView(const MoeUnpermuteDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), drows(args.drows), ends(args.ends), order(args.order),
        dy(args.dy), places(args.places), weights(args.weights) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_dgrad_cpu(
    const MoeUnpermuteDgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_dgrad_cuda(
    const MoeUnpermuteDgradArgs*) noexcept;

/// The facts of a call for a kernel of `moe_unpermute_wgrad`: 40 bytes, padding is zero.
struct MoeUnpermuteWgradDescriptor {
  int64_t t;    // t
  int64_t d;    // d
  int64_t k;    // k
  int64_t T;    // T
  int64_t Acc;  // Acc
};
static_assert(sizeof(MoeUnpermuteWgradDescriptor) == 40);
static_assert(offsetof(MoeUnpermuteWgradDescriptor, t) == 0);
static_assert(offsetof(MoeUnpermuteWgradDescriptor, d) == 8);
static_assert(offsetof(MoeUnpermuteWgradDescriptor, k) == 16);
static_assert(offsetof(MoeUnpermuteWgradDescriptor, T) == 24);
static_assert(offsetof(MoeUnpermuteWgradDescriptor, Acc) == 32);

/// The arguments of a kernel of `moe_unpermute_wgrad`: outputs, residuals, workspace, inputs.
struct MoeUnpermuteWgradArgs {
  const MoeUnpermuteWgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweights;  // Acc: t k
  opgen::Buffer dy;        // T: t d
  opgen::Buffer places;    // i32: t k
  opgen::Buffer rows;      // T: t*k d
};

/// `MoeUnpermuteWgradArgs` with types, as a kernel of `moe_unpermute_wgrad` takes it.
template <class T>
struct MoeUnpermuteWgradView {
  using Acc = opgen::accum_t<T>;

  const MoeUnpermuteWgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> dweights;          // t k
  opgen::Tensor<const T> dy;            // t d
  opgen::Tensor<const int32_t> places;  // t k
  opgen::Tensor<const T> rows;          // t*k d

  explicit MoeUnpermuteWgradView(const MoeUnpermuteWgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweights(args.dweights), dy(args.dy), places(args.places),
        rows(args.rows) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_wgrad_cpu(
    const MoeUnpermuteWgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_moe_unpermute_wgrad_cuda(
    const MoeUnpermuteWgradArgs*) noexcept;

}  // namespace generated
