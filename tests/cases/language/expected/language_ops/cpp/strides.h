// The common declarations for kernels and adapters of the strides family.
// Rendered by opgen from strides.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `square`: 24 bytes, padding is zero.
struct SquareDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(SquareDescriptor) == 24);
static_assert(offsetof(SquareDescriptor, s) == 0);
static_assert(offsetof(SquareDescriptor, s_rank) == 8);
static_assert(offsetof(SquareDescriptor, T) == 16);

/// The arguments of a kernel of `square`: outputs, residuals, workspace, inputs.
struct SquareArgs {
  const SquareDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *s
  opgen::Buffer x;  // T: *s
};

/// `SquareArgs` with types, as a kernel of `square` takes it.
template <class T>
struct SquareView {
  const SquareDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *s
  opgen::Tensor<const T> x;  // *s

  explicit SquareView(const SquareArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_square_cpu(const SquareArgs*) noexcept;

/// The facts of a call for a kernel of `head_norms`: 56 bytes, padding is zero.
struct HeadNormsDescriptor {
  int64_t t;           // t
  int64_t h;           // h
  int64_t d;           // d
  int64_t x_stride_t;  // stride(x, 0)
  int64_t x_stride_h;  // stride(x, 1)
  int64_t x_stride_d;  // stride(x, 2)
  int64_t T;           // T
};
static_assert(sizeof(HeadNormsDescriptor) == 56);
static_assert(offsetof(HeadNormsDescriptor, t) == 0);
static_assert(offsetof(HeadNormsDescriptor, h) == 8);
static_assert(offsetof(HeadNormsDescriptor, d) == 16);
static_assert(offsetof(HeadNormsDescriptor, x_stride_t) == 24);
static_assert(offsetof(HeadNormsDescriptor, x_stride_h) == 32);
static_assert(offsetof(HeadNormsDescriptor, x_stride_d) == 40);
static_assert(offsetof(HeadNormsDescriptor, T) == 48);

/// The arguments of a kernel of `head_norms`: outputs, residuals, workspace, inputs.
struct HeadNormsArgs {
  const HeadNormsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer norms;  // T: t h
  opgen::Buffer x;      // T: t h d
};

/// `HeadNormsArgs` with types, as a kernel of `head_norms` takes it.
template <class T>
struct HeadNormsView {
  const HeadNormsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> norms;    // t h
  opgen::Tensor<const T> x;  // t h d

  explicit HeadNormsView(const HeadNormsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), norms(args.norms), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_head_norms_cpu(const HeadNormsArgs*) noexcept;

/// The facts of a call for a kernel of `scale_all`: 8 bytes, padding is zero.
struct ScaleAllDescriptor {
  int64_t T;  // T
};
static_assert(sizeof(ScaleAllDescriptor) == 8);
static_assert(offsetof(ScaleAllDescriptor, T) == 0);

/// The arguments of a kernel of `scale_all`: outputs, residuals, workspace, inputs.
struct ScaleAllArgs {
  const ScaleAllDescriptor* desc;
  const opgen::Context* ctx;
  opgen::BufferList ys;  // T: *s[i]
  opgen::BufferList xs;  // T: *s[i]
  opgen::Buffer factor;  // T: scalar
};

/// `ScaleAllArgs` with types, as a kernel of `scale_all` takes it.
template <class T>
struct ScaleAllView {
  const ScaleAllDescriptor& desc;
  const opgen::Context& ctx;
  opgen::List<T> ys;              // *s[i]
  opgen::List<const T> xs;        // *s[i]
  opgen::Tensor<const T> factor;  // scalar

  explicit ScaleAllView(const ScaleAllArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), ys(args.ys), xs(args.xs), factor(args.factor) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_scale_all_cpu(const ScaleAllArgs*) noexcept;

}  // namespace language_ops
