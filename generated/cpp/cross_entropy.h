// What kernels and adapters of the cross_entropy family share.
// Rendered by opgen from cross_entropy.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// What a kernel of `cross_entropy` is told of a call: 72 bytes, padding is zero.
struct CrossEntropyDescriptor {
  int64_t batch;           // prod(batch)
  int64_t batch_rank;      // len(batch)
  int64_t c;               // c
  int64_t ignore_index;    // ignore_index
  double label_smoothing;  // label_smoothing
  int64_t reduction;       // reduction
  int64_t T;               // T
  int64_t I;               // I
  int64_t Acc;             // Acc
};
static_assert(sizeof(CrossEntropyDescriptor) == 72);
static_assert(offsetof(CrossEntropyDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyDescriptor, c) == 16);
static_assert(offsetof(CrossEntropyDescriptor, ignore_index) == 24);
static_assert(offsetof(CrossEntropyDescriptor, label_smoothing) == 32);
static_assert(offsetof(CrossEntropyDescriptor, reduction) == 40);
static_assert(offsetof(CrossEntropyDescriptor, T) == 48);
static_assert(offsetof(CrossEntropyDescriptor, I) == 56);
static_assert(offsetof(CrossEntropyDescriptor, Acc) == 64);

/// The arguments of a kernel of `cross_entropy`: outputs, residuals, workspace, inputs.
struct CrossEntropyArgs {
  const CrossEntropyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: *batch or scalar
  opgen::Buffer top;     // Acc: *batch
  opgen::Buffer rest;    // Acc: *batch
  opgen::Buffer count;   // Acc: scalar
  opgen::Buffer losses;  // Acc: *batch
  opgen::Buffer logits;  // T: *batch c
  opgen::Buffer labels;  // I: *batch
};

/// `CrossEntropyArgs` with types: what a kernel of `cross_entropy` takes.
template <class T, class I>
struct CrossEntropyView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;        // *batch or scalar
  opgen::Tensor<Acc> top;         // *batch
  opgen::Tensor<Acc> rest;        // *batch
  opgen::Tensor<Acc> count;       // scalar
  opgen::Tensor<Acc> losses;      // *batch
  opgen::Tensor<const T> logits;  // *batch c
  opgen::Tensor<const I> labels;  // *batch

  explicit CrossEntropyView(const CrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), rest(args.rest),
        count(args.count), losses(args.losses), logits(args.logits), labels(args.labels) {}
};

/// `CrossEntropyArgs` with types: what a kernel of `cross_entropy` takes.
template <class T>
struct CrossEntropyCudaView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;        // *batch or scalar
  opgen::Tensor<Acc> top;         // *batch
  opgen::Tensor<Acc> rest;        // *batch
  opgen::Tensor<Acc> count;       // scalar
  opgen::Tensor<Acc> losses;      // *batch
  opgen::Tensor<const T> logits;  // *batch c
  opgen::Buffer labels;           // *batch

  explicit CrossEntropyCudaView(const CrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), rest(args.rest),
        count(args.count), losses(args.losses), logits(args.logits), labels(args.labels) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_cpu(const CrossEntropyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_cuda(
    const CrossEntropyArgs*) noexcept;

/// What a kernel of `cross_entropy_bwd` is told of a call: 72 bytes, padding is zero.
struct CrossEntropyBwdDescriptor {
  int64_t batch;           // prod(batch)
  int64_t batch_rank;      // len(batch)
  int64_t c;               // c
  int64_t ignore_index;    // ignore_index
  double label_smoothing;  // label_smoothing
  int64_t reduction;       // reduction
  int64_t T;               // T
  int64_t I;               // I
  int64_t Acc;             // Acc
};
static_assert(sizeof(CrossEntropyBwdDescriptor) == 72);
static_assert(offsetof(CrossEntropyBwdDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyBwdDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyBwdDescriptor, c) == 16);
static_assert(offsetof(CrossEntropyBwdDescriptor, ignore_index) == 24);
static_assert(offsetof(CrossEntropyBwdDescriptor, label_smoothing) == 32);
static_assert(offsetof(CrossEntropyBwdDescriptor, reduction) == 40);
static_assert(offsetof(CrossEntropyBwdDescriptor, T) == 48);
static_assert(offsetof(CrossEntropyBwdDescriptor, I) == 56);
static_assert(offsetof(CrossEntropyBwdDescriptor, Acc) == 64);

/// The arguments of a kernel of `cross_entropy_bwd`: outputs, residuals, workspace, inputs.
struct CrossEntropyBwdArgs {
  const CrossEntropyBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch c
  opgen::Buffer dloss;    // Acc: *batch or scalar
  opgen::Buffer logits;   // T: *batch c
  opgen::Buffer labels;   // I: *batch
  opgen::Buffer top;      // Acc: *batch
  opgen::Buffer rest;     // Acc: *batch
  opgen::Buffer count;    // Acc: scalar
};

/// `CrossEntropyBwdArgs` with types: what a kernel of `cross_entropy_bwd` takes.
template <class T, class I>
struct CrossEntropyBwdView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;        // *batch c
  opgen::Tensor<const Acc> dloss;  // *batch or scalar
  opgen::Tensor<const T> logits;   // *batch c
  opgen::Tensor<const I> labels;   // *batch
  opgen::Tensor<const Acc> top;    // *batch
  opgen::Tensor<const Acc> rest;   // *batch
  opgen::Tensor<const Acc> count;  // scalar

  explicit CrossEntropyBwdView(const CrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest),
        count(args.count) {}
};

/// `CrossEntropyBwdArgs` with types: what a kernel of `cross_entropy_bwd` takes.
template <class T>
struct CrossEntropyBwdCudaView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;        // *batch c
  opgen::Tensor<const Acc> dloss;  // *batch or scalar
  opgen::Tensor<const T> logits;   // *batch c
  opgen::Buffer labels;            // *batch
  opgen::Tensor<const Acc> top;    // *batch
  opgen::Tensor<const Acc> rest;   // *batch
  opgen::Tensor<const Acc> count;  // scalar

  explicit CrossEntropyBwdCudaView(const CrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest),
        count(args.count) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_bwd_cpu(
    const CrossEntropyBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_bwd_cuda(
    const CrossEntropyBwdArgs*) noexcept;

}  // namespace generated
