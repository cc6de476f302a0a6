// The common declarations for kernels and adapters of the layer_norm family.
// Rendered by opgen from layer_norm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `layer_norm`: 120 bytes, padding is zero.
struct LayerNormDescriptor {
  int64_t batch;                  // prod(batch)
  int64_t batch_rank;             // len(batch)
  int64_t normalized_shape[8];    // normalized_shape
  int64_t normalized_shape_rank;  // len(normalized_shape)
  double eps;                     // eps
  int64_t T;                      // T
  int64_t W;                      // W
  int64_t Acc;                    // Acc
};
static_assert(sizeof(LayerNormDescriptor) == 120);
static_assert(offsetof(LayerNormDescriptor, batch) == 0);
static_assert(offsetof(LayerNormDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormDescriptor, normalized_shape) == 16);
static_assert(offsetof(LayerNormDescriptor, normalized_shape_rank) == 80);
static_assert(offsetof(LayerNormDescriptor, eps) == 88);
static_assert(offsetof(LayerNormDescriptor, T) == 96);
static_assert(offsetof(LayerNormDescriptor, W) == 104);
static_assert(offsetof(LayerNormDescriptor, Acc) == 112);

/// The arguments of a kernel of `layer_norm`: outputs, residuals, workspace, inputs.
struct LayerNormArgs {
  const LayerNormDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *batch *normalized_shape
  opgen::Buffer mean;    // Acc: *batch
  opgen::Buffer rstd;    // Acc: *batch
  opgen::Buffer x;       // T: *batch *normalized_shape
  opgen::Buffer weight;  // W: *normalized_shape
  opgen::Buffer bias;    // W: *normalized_shape
};

/// `LayerNormArgs` with types, as a kernel of `layer_norm` takes it.
template <class T, class W>
struct LayerNormView {
  using Acc = opgen::accum_t<T>;

  const LayerNormDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;             // *batch *normalized_shape
  opgen::Tensor<Acc> mean;        // *batch
  opgen::Tensor<Acc> rstd;        // *batch
  opgen::Tensor<const T> x;       // *batch *normalized_shape
  opgen::Tensor<const W> weight;  // *normalized_shape
  opgen::Tensor<const W> bias;    // *normalized_shape

  explicit LayerNormView(const LayerNormArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), mean(args.mean), rstd(args.rstd), x(args.x),
        weight(args.weight), bias(args.bias) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_cpu(const LayerNormArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_cuda(const LayerNormArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_bwd`: 64 bytes, padding is zero.
struct LayerNormBwdDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  double eps;          // eps
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
};
static_assert(sizeof(LayerNormBwdDescriptor) == 64);
static_assert(offsetof(LayerNormBwdDescriptor, batch) == 0);
static_assert(offsetof(LayerNormBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormBwdDescriptor, norm) == 16);
static_assert(offsetof(LayerNormBwdDescriptor, norm_rank) == 24);
static_assert(offsetof(LayerNormBwdDescriptor, eps) == 32);
static_assert(offsetof(LayerNormBwdDescriptor, T) == 40);
static_assert(offsetof(LayerNormBwdDescriptor, W) == 48);
static_assert(offsetof(LayerNormBwdDescriptor, Acc) == 56);

/// The arguments of a kernel of `layer_norm_bwd`: outputs, residuals, workspace, inputs.
struct LayerNormBwdArgs {
  const LayerNormBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;       // T: *batch *norm
  opgen::Buffer dweight;  // Acc: *norm
  opgen::Buffer dbias;    // Acc: *norm
  opgen::Buffer parts;    // Acc: 2 max(32,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;       // T: *batch *norm
  opgen::Buffer x;        // T: *batch *norm
  opgen::Buffer mean;     // Acc: *batch
  opgen::Buffer rstd;     // Acc: *batch
  opgen::Buffer weight;   // W: *norm
};

/// `LayerNormBwdArgs` with types, as a kernel of `layer_norm_bwd` takes it.
template <class T, class W>
struct LayerNormBwdView {
  using Acc = opgen::accum_t<T>;

  const LayerNormBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;            // *batch *norm
  opgen::Tensor<Acc> dweight;     // *norm
  opgen::Tensor<Acc> dbias;       // *norm
  opgen::Tensor<Acc> parts;       // 2 max(32,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const T> dy;      // *batch *norm
  opgen::Tensor<const T> x;       // *batch *norm
  opgen::Tensor<const Acc> mean;  // *batch
  opgen::Tensor<const Acc> rstd;  // *batch
  opgen::Tensor<const W> weight;  // *norm

  explicit LayerNormBwdView(const LayerNormBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight), dbias(args.dbias),
        parts(args.parts), dy(args.dy), x(args.x), mean(args.mean), rstd(args.rstd),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_cpu(
    const LayerNormBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_cuda(
    const LayerNormBwdArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_mean`: 104 bytes, padding is zero.
struct LayerNormMeanDescriptor {
  int64_t batch;                  // prod(batch)
  int64_t batch_rank;             // len(batch)
  int64_t normalized_shape[8];    // normalized_shape
  int64_t normalized_shape_rank;  // len(normalized_shape)
  int64_t T;                      // T
  int64_t Acc;                    // Acc
};
static_assert(sizeof(LayerNormMeanDescriptor) == 104);
static_assert(offsetof(LayerNormMeanDescriptor, batch) == 0);
static_assert(offsetof(LayerNormMeanDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormMeanDescriptor, normalized_shape) == 16);
static_assert(offsetof(LayerNormMeanDescriptor, normalized_shape_rank) == 80);
static_assert(offsetof(LayerNormMeanDescriptor, T) == 88);
static_assert(offsetof(LayerNormMeanDescriptor, Acc) == 96);

/// The arguments of a kernel of `layer_norm_mean`: outputs, residuals, workspace, inputs.
struct LayerNormMeanArgs {
  const LayerNormMeanDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer mean;  // Acc: *batch
  opgen::Buffer x;     // T: *batch *normalized_shape
};

/// `LayerNormMeanArgs` with types, as a kernel of `layer_norm_mean` takes it.
template <class T>
struct LayerNormMeanView {
  using Acc = opgen::accum_t<T>;

  const LayerNormMeanDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> mean;   // *batch
  opgen::Tensor<const T> x;  // *batch *normalized_shape

  explicit LayerNormMeanView(const LayerNormMeanArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), mean(args.mean), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_mean_cpu(
    const LayerNormMeanArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_mean_cuda(
    const LayerNormMeanArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_variance`: 104 bytes, padding is zero.
struct LayerNormVarianceDescriptor {
  int64_t batch;                  // prod(batch)
  int64_t batch_rank;             // len(batch)
  int64_t normalized_shape[8];    // normalized_shape
  int64_t normalized_shape_rank;  // len(normalized_shape)
  int64_t T;                      // T
  int64_t Acc;                    // Acc
};
static_assert(sizeof(LayerNormVarianceDescriptor) == 104);
static_assert(offsetof(LayerNormVarianceDescriptor, batch) == 0);
static_assert(offsetof(LayerNormVarianceDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormVarianceDescriptor, normalized_shape) == 16);
static_assert(offsetof(LayerNormVarianceDescriptor, normalized_shape_rank) == 80);
static_assert(offsetof(LayerNormVarianceDescriptor, T) == 88);
static_assert(offsetof(LayerNormVarianceDescriptor, Acc) == 96);

/// The arguments of a kernel of `layer_norm_variance`: outputs, residuals, workspace, inputs.
struct LayerNormVarianceArgs {
  const LayerNormVarianceDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer variance;  // Acc: *batch
  opgen::Buffer x;         // T: *batch *normalized_shape
  opgen::Buffer mean;      // Acc: *batch
};

/// `LayerNormVarianceArgs` with types, as a kernel of `layer_norm_variance` takes it.
template <class T>
struct LayerNormVarianceView {
  using Acc = opgen::accum_t<T>;

  const LayerNormVarianceDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> variance;    // *batch
  opgen::Tensor<const T> x;       // *batch *normalized_shape
  opgen::Tensor<const Acc> mean;  // *batch

  explicit LayerNormVarianceView(const LayerNormVarianceArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), variance(args.variance), x(args.x), mean(args.mean) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_variance_cpu(
    const LayerNormVarianceArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_variance_cuda(
    const LayerNormVarianceArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_scale`: 120 bytes, padding is zero.
struct LayerNormScaleDescriptor {
  int64_t batch;                  // prod(batch)
  int64_t batch_rank;             // len(batch)
  int64_t normalized_shape[8];    // normalized_shape
  int64_t normalized_shape_rank;  // len(normalized_shape)
  double eps;                     // eps
  int64_t T;                      // T
  int64_t W;                      // W
  int64_t Acc;                    // Acc
};
static_assert(sizeof(LayerNormScaleDescriptor) == 120);
static_assert(offsetof(LayerNormScaleDescriptor, batch) == 0);
static_assert(offsetof(LayerNormScaleDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormScaleDescriptor, normalized_shape) == 16);
static_assert(offsetof(LayerNormScaleDescriptor, normalized_shape_rank) == 80);
static_assert(offsetof(LayerNormScaleDescriptor, eps) == 88);
static_assert(offsetof(LayerNormScaleDescriptor, T) == 96);
static_assert(offsetof(LayerNormScaleDescriptor, W) == 104);
static_assert(offsetof(LayerNormScaleDescriptor, Acc) == 112);

/// The arguments of a kernel of `layer_norm_scale`: outputs, residuals, workspace, inputs.
struct LayerNormScaleArgs {
  const LayerNormScaleDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;         // T: *batch *normalized_shape
  opgen::Buffer rstd;      // Acc: *batch
  opgen::Buffer x;         // T: *batch *normalized_shape
  opgen::Buffer mean;      // Acc: *batch
  opgen::Buffer variance;  // Acc: *batch
  opgen::Buffer weight;    // W: *normalized_shape
  opgen::Buffer bias;      // W: *normalized_shape
};

/// `LayerNormScaleArgs` with types, as a kernel of `layer_norm_scale` takes it.
template <class T, class W>
struct LayerNormScaleView {
  using Acc = opgen::accum_t<T>;

  const LayerNormScaleDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                 // *batch *normalized_shape
  opgen::Tensor<Acc> rstd;            // *batch
  opgen::Tensor<const T> x;           // *batch *normalized_shape
  opgen::Tensor<const Acc> mean;      // *batch
  opgen::Tensor<const Acc> variance;  // *batch
  opgen::Tensor<const W> weight;      // *normalized_shape
  opgen::Tensor<const W> bias;        // *normalized_shape

  explicit LayerNormScaleView(const LayerNormScaleArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), rstd(args.rstd), x(args.x), mean(args.mean),
        variance(args.variance), weight(args.weight), bias(args.bias) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_scale_cpu(
    const LayerNormScaleArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_scale_cuda(
    const LayerNormScaleArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_bwd_means`: 56 bytes, padding is zero.
struct LayerNormBwdMeansDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
};
static_assert(sizeof(LayerNormBwdMeansDescriptor) == 56);
static_assert(offsetof(LayerNormBwdMeansDescriptor, batch) == 0);
static_assert(offsetof(LayerNormBwdMeansDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormBwdMeansDescriptor, norm) == 16);
static_assert(offsetof(LayerNormBwdMeansDescriptor, norm_rank) == 24);
static_assert(offsetof(LayerNormBwdMeansDescriptor, T) == 32);
static_assert(offsetof(LayerNormBwdMeansDescriptor, W) == 40);
static_assert(offsetof(LayerNormBwdMeansDescriptor, Acc) == 48);

/// The arguments of a kernel of `layer_norm_bwd_means`: outputs, residuals, workspace, inputs.
struct LayerNormBwdMeansArgs {
  const LayerNormBwdMeansDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer g_mean;   // Acc: *batch
  opgen::Buffer gh_mean;  // Acc: *batch
  opgen::Buffer dy;       // T: *batch *norm
  opgen::Buffer x;        // T: *batch *norm
  opgen::Buffer mean;     // Acc: *batch
  opgen::Buffer rstd;     // Acc: *batch
  opgen::Buffer weight;   // W: *norm
};

/// `LayerNormBwdMeansArgs` with types, as a kernel of `layer_norm_bwd_means` takes it.
template <class T, class W>
struct LayerNormBwdMeansView {
  using Acc = opgen::accum_t<T>;

  const LayerNormBwdMeansDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> g_mean;      // *batch
  opgen::Tensor<Acc> gh_mean;     // *batch
  opgen::Tensor<const T> dy;      // *batch *norm
  opgen::Tensor<const T> x;       // *batch *norm
  opgen::Tensor<const Acc> mean;  // *batch
  opgen::Tensor<const Acc> rstd;  // *batch
  opgen::Tensor<const W> weight;  // *norm

  explicit LayerNormBwdMeansView(const LayerNormBwdMeansArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), g_mean(args.g_mean), gh_mean(args.gh_mean), dy(args.dy),
        x(args.x), mean(args.mean), rstd(args.rstd), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_means_cpu(
    const LayerNormBwdMeansArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_means_cuda(
    const LayerNormBwdMeansArgs*) noexcept;

/// The facts of a call for a kernel of `layer_norm_bwd_apply`: 56 bytes, padding is zero.
struct LayerNormBwdApplyDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t norm;        // prod(norm)
  int64_t norm_rank;   // len(norm)
  int64_t T;           // T
  int64_t W;           // W
  int64_t Acc;         // Acc
};
static_assert(sizeof(LayerNormBwdApplyDescriptor) == 56);
static_assert(offsetof(LayerNormBwdApplyDescriptor, batch) == 0);
static_assert(offsetof(LayerNormBwdApplyDescriptor, batch_rank) == 8);
static_assert(offsetof(LayerNormBwdApplyDescriptor, norm) == 16);
static_assert(offsetof(LayerNormBwdApplyDescriptor, norm_rank) == 24);
static_assert(offsetof(LayerNormBwdApplyDescriptor, T) == 32);
static_assert(offsetof(LayerNormBwdApplyDescriptor, W) == 40);
static_assert(offsetof(LayerNormBwdApplyDescriptor, Acc) == 48);

/// The arguments of a kernel of `layer_norm_bwd_apply`: outputs, residuals, workspace, inputs.
struct LayerNormBwdApplyArgs {
  const LayerNormBwdApplyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;       // T: *batch *norm
  opgen::Buffer dweight;  // Acc: *norm
  opgen::Buffer dbias;    // Acc: *norm
  opgen::Buffer parts;    // Acc: 2 max(32,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;       // T: *batch *norm
  opgen::Buffer x;        // T: *batch *norm
  opgen::Buffer mean;     // Acc: *batch
  opgen::Buffer rstd;     // Acc: *batch
  opgen::Buffer weight;   // W: *norm
  opgen::Buffer g_mean;   // Acc: *batch
  opgen::Buffer gh_mean;  // Acc: *batch
};

/// `LayerNormBwdApplyArgs` with types, as a kernel of `layer_norm_bwd_apply` takes it.
template <class T, class W>
struct LayerNormBwdApplyView {
  using Acc = opgen::accum_t<T>;

  const LayerNormBwdApplyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;               // *batch *norm
  opgen::Tensor<Acc> dweight;        // *norm
  opgen::Tensor<Acc> dbias;          // *norm
  opgen::Tensor<Acc> parts;          // 2 max(32,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const T> dy;         // *batch *norm
  opgen::Tensor<const T> x;          // *batch *norm
  opgen::Tensor<const Acc> mean;     // *batch
  opgen::Tensor<const Acc> rstd;     // *batch
  opgen::Tensor<const W> weight;     // *norm
  opgen::Tensor<const Acc> g_mean;   // *batch
  opgen::Tensor<const Acc> gh_mean;  // *batch

  explicit LayerNormBwdApplyView(const LayerNormBwdApplyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight), dbias(args.dbias),
        parts(args.parts), dy(args.dy), x(args.x), mean(args.mean), rstd(args.rstd),
        weight(args.weight), g_mean(args.g_mean), gh_mean(args.gh_mean) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_apply_cpu(
    const LayerNormBwdApplyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_layer_norm_bwd_apply_cuda(
    const LayerNormBwdApplyArgs*) noexcept;

}  // namespace generated
