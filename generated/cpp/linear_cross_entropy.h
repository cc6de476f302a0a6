// The common declarations for kernels and adapters of the linear_cross_entropy family.
// Rendered by opgen from linear_cross_entropy.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `linear_cross_entropy`: 72 bytes, padding is zero.
struct LinearCrossEntropyDescriptor {
  int64_t batch;         // prod(batch)
  int64_t batch_rank;    // len(batch)
  int64_t d;             // d
  int64_t c;             // c
  int64_t ignore_index;  // ignore_index
  int64_t reduction;     // reduction
  int64_t T;             // T
  int64_t I;             // I
  int64_t Acc;           // Acc
};
static_assert(sizeof(LinearCrossEntropyDescriptor) == 72);
static_assert(offsetof(LinearCrossEntropyDescriptor, batch) == 0);
static_assert(offsetof(LinearCrossEntropyDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearCrossEntropyDescriptor, d) == 16);
static_assert(offsetof(LinearCrossEntropyDescriptor, c) == 24);
static_assert(offsetof(LinearCrossEntropyDescriptor, ignore_index) == 32);
static_assert(offsetof(LinearCrossEntropyDescriptor, reduction) == 40);
static_assert(offsetof(LinearCrossEntropyDescriptor, T) == 48);
static_assert(offsetof(LinearCrossEntropyDescriptor, I) == 56);
static_assert(offsetof(LinearCrossEntropyDescriptor, Acc) == 64);

/// The arguments of a kernel of `linear_cross_entropy`: outputs, residuals, workspace, inputs.
struct LinearCrossEntropyArgs {
  const LinearCrossEntropyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;     // Acc: *batch or scalar
  opgen::Buffer top;      // Acc: *batch
  opgen::Buffer log_sum;  // Acc: *batch
  opgen::Buffer count;    // Acc: scalar
  opgen::Buffer parts;    // Acc: 3 16 prod(batch)
  opgen::Buffer losses;   // Acc: *batch
  opgen::Buffer hidden;   // T: *batch d
  opgen::Buffer weight;   // T: c d
  opgen::Buffer labels;   // I: *batch
};

/// `LinearCrossEntropyArgs` with types, as a kernel of `linear_cross_entropy` takes it.
template <class T, class I>
struct LinearCrossEntropyView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;        // *batch or scalar
  opgen::Tensor<Acc> top;         // *batch
  opgen::Tensor<Acc> log_sum;     // *batch
  opgen::Tensor<Acc> count;       // scalar
  opgen::Tensor<Acc> parts;       // 3 16 prod(batch)
  opgen::Tensor<Acc> losses;      // *batch
  opgen::Tensor<const T> hidden;  // *batch d
  opgen::Tensor<const T> weight;  // c d
  opgen::Tensor<const I> labels;  // *batch

  explicit LinearCrossEntropyView(const LinearCrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), log_sum(args.log_sum),
        count(args.count), parts(args.parts), losses(args.losses), hidden(args.hidden),
        weight(args.weight), labels(args.labels) {}
};

/// `LinearCrossEntropyArgs` with types, as a kernel of `linear_cross_entropy` takes it.
template <class T>
struct LinearCrossEntropyCudaView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;        // *batch or scalar
  opgen::Tensor<Acc> top;         // *batch
  opgen::Tensor<Acc> log_sum;     // *batch
  opgen::Tensor<Acc> count;       // scalar
  opgen::Tensor<Acc> parts;       // 3 16 prod(batch)
  opgen::Tensor<Acc> losses;      // *batch
  opgen::Tensor<const T> hidden;  // *batch d
  opgen::Tensor<const T> weight;  // c d
  opgen::Buffer labels;           // *batch

  explicit LinearCrossEntropyCudaView(const LinearCrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), log_sum(args.log_sum),
        count(args.count), parts(args.parts), losses(args.losses), hidden(args.hidden),
        weight(args.weight), labels(args.labels) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_cpu(
    const LinearCrossEntropyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_cuda(
    const LinearCrossEntropyArgs*) noexcept;

/// The facts of a call for a kernel of `linear_cross_entropy_bwd`: 72 bytes, padding is zero.
struct LinearCrossEntropyBwdDescriptor {
  int64_t batch;         // prod(batch)
  int64_t batch_rank;    // len(batch)
  int64_t d;             // d
  int64_t c;             // c
  int64_t ignore_index;  // ignore_index
  int64_t reduction;     // reduction
  int64_t T;             // T
  int64_t I;             // I
  int64_t Acc;           // Acc
};
static_assert(sizeof(LinearCrossEntropyBwdDescriptor) == 72);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, batch) == 0);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, d) == 16);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, c) == 24);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, ignore_index) == 32);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, reduction) == 40);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, T) == 48);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, I) == 56);
static_assert(offsetof(LinearCrossEntropyBwdDescriptor, Acc) == 64);

/// The arguments of a kernel of `linear_cross_entropy_bwd`: outputs, residuals, workspace, inputs.
struct LinearCrossEntropyBwdArgs {
  const LinearCrossEntropyBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dhidden;  // Acc: *batch d
  opgen::Buffer dweight;  // T: c d
  opgen::Buffer dlogits;  // Acc: prod(batch) min(c,1024)
  opgen::Buffer dloss;    // Acc: *batch or scalar
  opgen::Buffer hidden;   // T: *batch d
  opgen::Buffer weight;   // T: c d
  opgen::Buffer labels;   // I: *batch
  opgen::Buffer top;      // Acc: *batch
  opgen::Buffer log_sum;  // Acc: *batch
  opgen::Buffer count;    // Acc: scalar
};

/// `LinearCrossEntropyBwdArgs` with types, as a kernel of `linear_cross_entropy_bwd` takes it.
template <class T, class I>
struct LinearCrossEntropyBwdView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> dhidden;        // *batch d
  opgen::Tensor<T> dweight;          // c d
  opgen::Tensor<Acc> dlogits;        // prod(batch) min(c,1024)
  opgen::Tensor<const Acc> dloss;    // *batch or scalar
  opgen::Tensor<const T> hidden;     // *batch d
  opgen::Tensor<const T> weight;     // c d
  opgen::Tensor<const I> labels;     // *batch
  opgen::Tensor<const Acc> top;      // *batch
  opgen::Tensor<const Acc> log_sum;  // *batch
  opgen::Tensor<const Acc> count;    // scalar

  explicit LinearCrossEntropyBwdView(const LinearCrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dhidden(args.dhidden), dweight(args.dweight),
        dlogits(args.dlogits), dloss(args.dloss), hidden(args.hidden), weight(args.weight),
        labels(args.labels), top(args.top), log_sum(args.log_sum), count(args.count) {}
};

/// `LinearCrossEntropyBwdArgs` with types, as a kernel of `linear_cross_entropy_bwd` takes it.
template <class T>
struct LinearCrossEntropyBwdCudaView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> dhidden;        // *batch d
  opgen::Tensor<T> dweight;          // c d
  opgen::Tensor<Acc> dlogits;        // prod(batch) min(c,1024)
  opgen::Tensor<const Acc> dloss;    // *batch or scalar
  opgen::Tensor<const T> hidden;     // *batch d
  opgen::Tensor<const T> weight;     // c d
  opgen::Buffer labels;              // *batch
  opgen::Tensor<const Acc> top;      // *batch
  opgen::Tensor<const Acc> log_sum;  // *batch
  opgen::Tensor<const Acc> count;    // scalar

  explicit LinearCrossEntropyBwdCudaView(const LinearCrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dhidden(args.dhidden), dweight(args.dweight),
        dlogits(args.dlogits), dloss(args.dloss), hidden(args.hidden), weight(args.weight),
        labels(args.labels), top(args.top), log_sum(args.log_sum), count(args.count) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_bwd_cpu(
    const LinearCrossEntropyBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_bwd_cuda(
    const LinearCrossEntropyBwdArgs*) noexcept;

}  // namespace generated
