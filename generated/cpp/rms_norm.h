// The common declarations for kernels and adapters of the rms_norm family.
// Rendered by opgen from rms_norm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `rms_norm`: 32 bytes, padding is zero.
struct RmsNormDescriptor {
  int32_t n1;                 // prod(batch)
  int32_t n2;                 // prod(norm)
  double eps;                 // eps
  opgen::ElementType x_type;  // T
  opgen::ElementType w_type;  // W
  int32_t part_grad_size;     // 0
};
static_assert(sizeof(RmsNormDescriptor) == 32);
static_assert(offsetof(RmsNormDescriptor, n1) == 0);
static_assert(offsetof(RmsNormDescriptor, n2) == 4);
static_assert(offsetof(RmsNormDescriptor, eps) == 8);
static_assert(offsetof(RmsNormDescriptor, x_type) == 16);
static_assert(offsetof(RmsNormDescriptor, w_type) == 20);
static_assert(offsetof(RmsNormDescriptor, part_grad_size) == 24);

/// The arguments of a kernel of `rms_norm`: outputs, residuals, workspace, inputs.
struct RmsNormArgs {
  const RmsNormDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // W: *batch *norm
  opgen::Buffer invvar;  // Acc: *batch
  opgen::Buffer x;       // T: *batch *norm
  opgen::Buffer weight;  // W: *norm
};

/// `RmsNormArgs` with types, as a kernel of `rms_norm` takes it.
template <class T, class W>
struct RmsNormView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<W> y;             // *batch *norm
  opgen::Tensor<Acc> invvar;      // *batch
  opgen::Tensor<const T> x;       // *batch *norm
  opgen::Tensor<const W> weight;  // *norm

  explicit RmsNormView(const RmsNormArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), invvar(args.invvar), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_cpu(const RmsNormArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_cuda(const RmsNormArgs*) noexcept;

/// The facts of a call for a kernel of `rms_norm_bwd`: 32 bytes, padding is zero.
struct RmsNormBwdDescriptor {
  int32_t n1;                 // prod(batch)
  int32_t n2;                 // prod(norm)
  double eps;                 // eps
  opgen::ElementType x_type;  // T
  opgen::ElementType w_type;  // W
  int32_t part_grad_size;     // 16
};
static_assert(sizeof(RmsNormBwdDescriptor) == 32);
static_assert(offsetof(RmsNormBwdDescriptor, n1) == 0);
static_assert(offsetof(RmsNormBwdDescriptor, n2) == 4);
static_assert(offsetof(RmsNormBwdDescriptor, eps) == 8);
static_assert(offsetof(RmsNormBwdDescriptor, x_type) == 16);
static_assert(offsetof(RmsNormBwdDescriptor, w_type) == 20);
static_assert(offsetof(RmsNormBwdDescriptor, part_grad_size) == 24);

/// The arguments of a kernel of `rms_norm_bwd`: outputs, residuals, workspace, inputs.
struct RmsNormBwdArgs {
  const RmsNormBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;         // T: *batch *norm
  opgen::Buffer dweight;    // Sum: *norm
  opgen::Buffer part_grad;  // Acc: max(16,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;         // W: *batch *norm
  opgen::Buffer invvar;     // Acc: *batch
  opgen::Buffer x;          // T: *batch *norm
  opgen::Buffer weight;     // W: *norm
};

/// `RmsNormBwdArgs` with types, as a kernel of `rms_norm_bwd` takes it.
template <class T, class W>
struct RmsNormBwdView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;              // *batch *norm
  opgen::Tensor<Sum> dweight;       // *norm
  opgen::Tensor<Acc> part_grad;     // max(16,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const W> dy;        // *batch *norm
  opgen::Tensor<const Acc> invvar;  // *batch
  opgen::Tensor<const T> x;         // *batch *norm
  opgen::Tensor<const W> weight;    // *norm

  explicit RmsNormBwdView(const RmsNormBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight),
        part_grad(args.part_grad), dy(args.dy), invvar(args.invvar), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_cpu(const RmsNormBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_cuda(const RmsNormBwdArgs*) noexcept;

/// The facts of a call for a kernel of `rms_norm_squares`: 16 bytes, padding is zero.
struct RmsNormSquaresDescriptor {
  int64_t rows;     // prod(batch)
  int64_t columns;  // prod(norm)
};
static_assert(sizeof(RmsNormSquaresDescriptor) == 16);
static_assert(offsetof(RmsNormSquaresDescriptor, rows) == 0);
static_assert(offsetof(RmsNormSquaresDescriptor, columns) == 8);

/// The arguments of a kernel of `rms_norm_squares`: outputs, residuals, workspace, inputs.
struct RmsNormSquaresArgs {
  const RmsNormSquaresDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer squares;  // Acc: *batch
  opgen::Buffer x;        // T: *batch *norm
};

/// `RmsNormSquaresArgs` with types, as a kernel of `rms_norm_squares` takes it.
template <class T>
struct RmsNormSquaresView {
  using Acc = opgen::accum_t<T>;

  const RmsNormSquaresDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> squares;  // *batch
  opgen::Tensor<const T> x;    // *batch *norm

  explicit RmsNormSquaresView(const RmsNormSquaresArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), squares(args.squares), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_squares_cpu(
    const RmsNormSquaresArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_squares_cuda(
    const RmsNormSquaresArgs*) noexcept;

/// The facts of a call for a kernel of `rms_norm_scale`: 64 bytes, padding is zero.
struct RmsNormScaleDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  double eps;          // eps
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
};
static_assert(sizeof(RmsNormScaleDescriptor) == 64);
static_assert(offsetof(RmsNormScaleDescriptor, batch) == 0);
static_assert(offsetof(RmsNormScaleDescriptor, batch_rank) == 8);
static_assert(offsetof(RmsNormScaleDescriptor, norm) == 16);
static_assert(offsetof(RmsNormScaleDescriptor, norm_rank) == 24);
static_assert(offsetof(RmsNormScaleDescriptor, eps) == 32);
static_assert(offsetof(RmsNormScaleDescriptor, T) == 40);
static_assert(offsetof(RmsNormScaleDescriptor, W) == 48);
static_assert(offsetof(RmsNormScaleDescriptor, Acc) == 56);

/// The arguments of a kernel of `rms_norm_scale`: outputs, residuals, workspace, inputs.
struct RmsNormScaleArgs {
  const RmsNormScaleDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // W: *batch *norm
  opgen::Buffer invvar;   // Acc: *batch
  opgen::Buffer x;        // T: *batch *norm
  opgen::Buffer weight;   // W: *norm
  opgen::Buffer squares;  // Acc: *batch
};

/// `RmsNormScaleArgs` with types, as a kernel of `rms_norm_scale` takes it.
template <class T, class W>
struct RmsNormScaleView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormScaleDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<W> y;                // *batch *norm
  opgen::Tensor<Acc> invvar;         // *batch
  opgen::Tensor<const T> x;          // *batch *norm
  opgen::Tensor<const W> weight;     // *norm
  opgen::Tensor<const Acc> squares;  // *batch

  explicit RmsNormScaleView(const RmsNormScaleArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), invvar(args.invvar), x(args.x),
        weight(args.weight), squares(args.squares) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_scale_cpu(
    const RmsNormScaleArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_scale_cuda(
    const RmsNormScaleArgs*) noexcept;

/// The facts of a call for a kernel of `rms_norm_bwd_products`: 64 bytes, padding is zero.
struct RmsNormBwdProductsDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
  int64_t Sum;         // Sum
};
static_assert(sizeof(RmsNormBwdProductsDescriptor) == 64);
static_assert(offsetof(RmsNormBwdProductsDescriptor, batch) == 0);
static_assert(offsetof(RmsNormBwdProductsDescriptor, batch_rank) == 8);
static_assert(offsetof(RmsNormBwdProductsDescriptor, norm) == 16);
static_assert(offsetof(RmsNormBwdProductsDescriptor, norm_rank) == 24);
static_assert(offsetof(RmsNormBwdProductsDescriptor, T) == 32);
static_assert(offsetof(RmsNormBwdProductsDescriptor, W) == 40);
static_assert(offsetof(RmsNormBwdProductsDescriptor, Acc) == 48);
static_assert(offsetof(RmsNormBwdProductsDescriptor, Sum) == 56);

/// The arguments of a kernel of `rms_norm_bwd_products`: outputs, residuals, workspace, inputs.
struct RmsNormBwdProductsArgs {
  const RmsNormBwdProductsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer products;  // Sum: *batch
  opgen::Buffer dy;        // W: *batch *norm
  opgen::Buffer invvar;    // Acc: *batch
  opgen::Buffer x;         // T: *batch *norm
  opgen::Buffer weight;    // W: *norm
};

/// `RmsNormBwdProductsArgs` with types, as a kernel of `rms_norm_bwd_products` takes it.
template <class T, class W>
struct RmsNormBwdProductsView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormBwdProductsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Sum> products;      // *batch
  opgen::Tensor<const W> dy;        // *batch *norm
  opgen::Tensor<const Acc> invvar;  // *batch
  opgen::Tensor<const T> x;         // *batch *norm
  opgen::Tensor<const W> weight;    // *norm

  explicit RmsNormBwdProductsView(const RmsNormBwdProductsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), products(args.products), dy(args.dy), invvar(args.invvar),
        x(args.x), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_products_cpu(
    const RmsNormBwdProductsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_products_cuda(
    const RmsNormBwdProductsArgs*) noexcept;

/// The facts of a call for a kernel of `rms_norm_bwd_apply`: 64 bytes, padding is zero.
struct RmsNormBwdApplyDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
  int64_t Sum;         // Sum
};
static_assert(sizeof(RmsNormBwdApplyDescriptor) == 64);
static_assert(offsetof(RmsNormBwdApplyDescriptor, batch) == 0);
static_assert(offsetof(RmsNormBwdApplyDescriptor, batch_rank) == 8);
static_assert(offsetof(RmsNormBwdApplyDescriptor, norm) == 16);
static_assert(offsetof(RmsNormBwdApplyDescriptor, norm_rank) == 24);
static_assert(offsetof(RmsNormBwdApplyDescriptor, T) == 32);
static_assert(offsetof(RmsNormBwdApplyDescriptor, W) == 40);
static_assert(offsetof(RmsNormBwdApplyDescriptor, Acc) == 48);
static_assert(offsetof(RmsNormBwdApplyDescriptor, Sum) == 56);

/// The arguments of a kernel of `rms_norm_bwd_apply`: outputs, residuals, workspace, inputs.
struct RmsNormBwdApplyArgs {
  const RmsNormBwdApplyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;         // T: *batch *norm
  opgen::Buffer dweight;    // Sum: *norm
  opgen::Buffer part_grad;  // Acc: max(16,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;         // W: *batch *norm
  opgen::Buffer invvar;     // Acc: *batch
  opgen::Buffer x;          // T: *batch *norm
  opgen::Buffer weight;     // W: *norm
  opgen::Buffer products;   // Sum: *batch
};

/// `RmsNormBwdApplyArgs` with types, as a kernel of `rms_norm_bwd_apply` takes it.
template <class T, class W>
struct RmsNormBwdApplyView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormBwdApplyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;                // *batch *norm
  opgen::Tensor<Sum> dweight;         // *norm
  opgen::Tensor<Acc> part_grad;       // max(16,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const W> dy;          // *batch *norm
  opgen::Tensor<const Acc> invvar;    // *batch
  opgen::Tensor<const T> x;           // *batch *norm
  opgen::Tensor<const W> weight;      // *norm
  opgen::Tensor<const Sum> products;  // *batch

  explicit RmsNormBwdApplyView(const RmsNormBwdApplyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight),
        part_grad(args.part_grad), dy(args.dy), invvar(args.invvar), x(args.x), weight(args.weight),
        products(args.products) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_apply_cpu(
    const RmsNormBwdApplyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_apply_cuda(
    const RmsNormBwdApplyArgs*) noexcept;

}  // namespace generated
