// The common declarations for kernels and adapters of the weighted_cross_entropy family.
// Rendered by opgen from weighted_cross_entropy.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"
#include "opgen/tuned.h"

namespace generated {

/// The facts of a call for a kernel of `weighted_cross_entropy`: 40 bytes, padding is zero.
struct WeightedCrossEntropyDescriptor {
  int64_t outer;         // prod(batch) if classes == 'last' else n
  int64_t c;             // c
  int64_t inner;         // 1 if classes == 'last' else prod(d)
  double smoothing;      // label_smoothing
  int64_t ignore_index;  // ignore_index
};
static_assert(sizeof(WeightedCrossEntropyDescriptor) == 40);
static_assert(offsetof(WeightedCrossEntropyDescriptor, outer) == 0);
static_assert(offsetof(WeightedCrossEntropyDescriptor, c) == 8);
static_assert(offsetof(WeightedCrossEntropyDescriptor, inner) == 16);
static_assert(offsetof(WeightedCrossEntropyDescriptor, smoothing) == 24);
static_assert(offsetof(WeightedCrossEntropyDescriptor, ignore_index) == 32);

/// The arguments of a kernel of `weighted_cross_entropy`: outputs, residuals, workspace, inputs.
struct WeightedCrossEntropyArgs {
  const WeightedCrossEntropyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: scalar or *batch or n *d
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer rest;    // Acc: *batch or n *d
  opgen::Buffer mass;    // Acc: *batch or n *d
  opgen::Buffer count;   // Acc: scalar
  opgen::Buffer losses;  // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch c or n c *d
  opgen::Buffer labels;  // I: *batch or n *d
  opgen::Buffer weight;  // Acc: c
};

/// The values that `opgen tune` chooses for the cpu kernel `weighted_cross_entropy`, and all
/// candidates.
struct WeightedCrossEntropyCpuTune {
  int64_t kib;  // 128, 32, 64, 256, 512, 1024
};

/// `WeightedCrossEntropyArgs` with types, as a kernel of `weighted_cross_entropy` takes it.
template <class T>
struct WeightedCrossEntropyCpuView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  WeightedCrossEntropyCpuTune tune;
  opgen::Tensor<Acc> loss;          // scalar or *batch or n *d
  opgen::Tensor<Acc> top;           // *batch or n *d
  opgen::Tensor<Acc> rest;          // *batch or n *d
  opgen::Tensor<Acc> mass;          // *batch or n *d
  opgen::Tensor<Acc> count;         // scalar
  opgen::Tensor<Acc> losses;        // *batch or n *d
  opgen::Tensor<const T> logits;    // *batch c or n c *d
  opgen::Buffer labels;             // *batch or n *d
  opgen::Tensor<const Acc> weight;  // c

  WeightedCrossEntropyCpuView(const WeightedCrossEntropyArgs& args,
                              const WeightedCrossEntropyCpuTune& chosen) noexcept
      : desc(*args.desc), ctx(*args.ctx), tune(chosen), loss(args.loss), top(args.top),
        rest(args.rest), mass(args.mass), count(args.count), losses(args.losses),
        logits(args.logits), labels(args.labels), weight(args.weight) {}
};

/// `WeightedCrossEntropyArgs` with types, as a kernel of `weighted_cross_entropy` takes it.
template <class T>
struct WeightedCrossEntropyView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;          // scalar or *batch or n *d
  opgen::Tensor<Acc> top;           // *batch or n *d
  opgen::Tensor<Acc> rest;          // *batch or n *d
  opgen::Tensor<Acc> mass;          // *batch or n *d
  opgen::Tensor<Acc> count;         // scalar
  opgen::Tensor<Acc> losses;        // *batch or n *d
  opgen::Tensor<const T> logits;    // *batch c or n c *d
  opgen::Buffer labels;             // *batch or n *d
  opgen::Tensor<const Acc> weight;  // c

  explicit WeightedCrossEntropyView(const WeightedCrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), rest(args.rest),
        mass(args.mass), count(args.count), losses(args.losses), logits(args.logits),
        labels(args.labels), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_cpu(
    const WeightedCrossEntropyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_cuda(
    const WeightedCrossEntropyArgs*) noexcept;

extern opgen::Tuned<WeightedCrossEntropyCpuTune, 3> generated_weighted_cross_entropy_cpu_tuned;
extern "C" OPGEN_EXPORT void generated_weighted_cross_entropy_cpu_tuned_force(
    const WeightedCrossEntropyCpuTune* values) noexcept;
extern "C" OPGEN_EXPORT void generated_weighted_cross_entropy_cpu_tuned_for(
    const int64_t* sizes, uint64_t dtypes, int32_t threads, int32_t device,
    WeightedCrossEntropyCpuTune* values) noexcept;
extern "C" OPGEN_EXPORT opgen::DeviceName generated_weighted_cross_entropy_cpu_tuned_device(
    int32_t device) noexcept;

/// The facts of a call for a kernel of `weighted_cross_entropy_bwd`: 40 bytes, padding is zero.
struct WeightedCrossEntropyBwdDescriptor {
  int64_t outer;         // prod(batch) if classes == 'last' else n
  int64_t c;             // c
  int64_t inner;         // 1 if classes == 'last' else prod(d)
  double smoothing;      // label_smoothing
  int64_t ignore_index;  // ignore_index
};
static_assert(sizeof(WeightedCrossEntropyBwdDescriptor) == 40);
static_assert(offsetof(WeightedCrossEntropyBwdDescriptor, outer) == 0);
static_assert(offsetof(WeightedCrossEntropyBwdDescriptor, c) == 8);
static_assert(offsetof(WeightedCrossEntropyBwdDescriptor, inner) == 16);
static_assert(offsetof(WeightedCrossEntropyBwdDescriptor, smoothing) == 24);
static_assert(offsetof(WeightedCrossEntropyBwdDescriptor, ignore_index) == 32);

/// The arguments of a kernel of `weighted_cross_entropy_bwd`: outputs, residuals, workspace,
/// inputs.
struct WeightedCrossEntropyBwdArgs {
  const WeightedCrossEntropyBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch c or n c *d
  opgen::Buffer dloss;    // Acc: scalar or *batch or n *d
  opgen::Buffer logits;   // T: *batch c or n c *d
  opgen::Buffer labels;   // I: *batch or n *d
  opgen::Buffer top;      // Acc: *batch or n *d
  opgen::Buffer rest;     // Acc: *batch or n *d
  opgen::Buffer mass;     // Acc: *batch or n *d
  opgen::Buffer count;    // Acc: scalar
  opgen::Buffer weight;   // Acc: c
};

/// `WeightedCrossEntropyBwdArgs` with types, as a kernel of `weighted_cross_entropy_bwd` takes it.
template <class T>
struct WeightedCrossEntropyBwdView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;         // *batch c or n c *d
  opgen::Tensor<const Acc> dloss;   // scalar or *batch or n *d
  opgen::Tensor<const T> logits;    // *batch c or n c *d
  opgen::Buffer labels;             // *batch or n *d
  opgen::Tensor<const Acc> top;     // *batch or n *d
  opgen::Tensor<const Acc> rest;    // *batch or n *d
  opgen::Tensor<const Acc> mass;    // *batch or n *d
  opgen::Tensor<const Acc> count;   // scalar
  opgen::Tensor<const Acc> weight;  // c

  explicit WeightedCrossEntropyBwdView(const WeightedCrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest), mass(args.mass),
        count(args.count), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_bwd_cpu(
    const WeightedCrossEntropyBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_bwd_cuda(
    const WeightedCrossEntropyBwdArgs*) noexcept;

/// The facts of a call for a kernel of `soft_cross_entropy`: 40 bytes, padding is zero.
struct SoftCrossEntropyDescriptor {
  int64_t outer;     // prod(batch) if classes == 'last' else n
  int64_t c;         // c
  int64_t inner;     // 1 if classes == 'last' else prod(d)
  double smoothing;  // label_smoothing
  int64_t divisor;   // numel(logits) // c if reduction == 'mean' else 1
};
static_assert(sizeof(SoftCrossEntropyDescriptor) == 40);
static_assert(offsetof(SoftCrossEntropyDescriptor, outer) == 0);
static_assert(offsetof(SoftCrossEntropyDescriptor, c) == 8);
static_assert(offsetof(SoftCrossEntropyDescriptor, inner) == 16);
static_assert(offsetof(SoftCrossEntropyDescriptor, smoothing) == 24);
static_assert(offsetof(SoftCrossEntropyDescriptor, divisor) == 32);

/// The arguments of a kernel of `soft_cross_entropy`: outputs, residuals, workspace, inputs.
struct SoftCrossEntropyArgs {
  const SoftCrossEntropyDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: scalar or *batch or n *d
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer rest;    // Acc: *batch or n *d
  opgen::Buffer mass;    // Acc: *batch or n *d
  opgen::Buffer losses;  // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch c or n c *d
  opgen::Buffer target;  // T: *batch c or n c *d
  opgen::Buffer weight;  // Acc: c
};

/// `SoftCrossEntropyArgs` with types, as a kernel of `soft_cross_entropy` takes it.
template <class T>
struct SoftCrossEntropyView {
  using Acc = opgen::accum_t<T>;

  const SoftCrossEntropyDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;          // scalar or *batch or n *d
  opgen::Tensor<Acc> top;           // *batch or n *d
  opgen::Tensor<Acc> rest;          // *batch or n *d
  opgen::Tensor<Acc> mass;          // *batch or n *d
  opgen::Tensor<Acc> losses;        // *batch or n *d
  opgen::Tensor<const T> logits;    // *batch c or n c *d
  opgen::Tensor<const T> target;    // *batch c or n c *d
  opgen::Tensor<const Acc> weight;  // c

  explicit SoftCrossEntropyView(const SoftCrossEntropyArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), top(args.top), rest(args.rest),
        mass(args.mass), losses(args.losses), logits(args.logits), target(args.target),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_cpu(
    const SoftCrossEntropyArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_cuda(
    const SoftCrossEntropyArgs*) noexcept;

/// The facts of a call for a kernel of `soft_cross_entropy_bwd`: 40 bytes, padding is zero.
struct SoftCrossEntropyBwdDescriptor {
  int64_t outer;     // prod(batch) if classes == 'last' else n
  int64_t c;         // c
  int64_t inner;     // 1 if classes == 'last' else prod(d)
  double smoothing;  // label_smoothing
  int64_t divisor;   // positions if reduction == 'mean' else 1
};
static_assert(sizeof(SoftCrossEntropyBwdDescriptor) == 40);
static_assert(offsetof(SoftCrossEntropyBwdDescriptor, outer) == 0);
static_assert(offsetof(SoftCrossEntropyBwdDescriptor, c) == 8);
static_assert(offsetof(SoftCrossEntropyBwdDescriptor, inner) == 16);
static_assert(offsetof(SoftCrossEntropyBwdDescriptor, smoothing) == 24);
static_assert(offsetof(SoftCrossEntropyBwdDescriptor, divisor) == 32);

/// The arguments of a kernel of `soft_cross_entropy_bwd`: outputs, residuals, workspace, inputs.
struct SoftCrossEntropyBwdArgs {
  const SoftCrossEntropyBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch c or n c *d
  opgen::Buffer dtarget;  // T: *batch c or n c *d
  opgen::Buffer dloss;    // Acc: scalar or *batch or n *d
  opgen::Buffer logits;   // T: *batch c or n c *d
  opgen::Buffer target;   // T: *batch c or n c *d
  opgen::Buffer top;      // Acc: *batch or n *d
  opgen::Buffer rest;     // Acc: *batch or n *d
  opgen::Buffer mass;     // Acc: *batch or n *d
  opgen::Buffer weight;   // Acc: c
};

/// `SoftCrossEntropyBwdArgs` with types, as a kernel of `soft_cross_entropy_bwd` takes it.
template <class T>
struct SoftCrossEntropyBwdView {
  using Acc = opgen::accum_t<T>;

  const SoftCrossEntropyBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;         // *batch c or n c *d
  opgen::Tensor<T> dtarget;         // *batch c or n c *d
  opgen::Tensor<const Acc> dloss;   // scalar or *batch or n *d
  opgen::Tensor<const T> logits;    // *batch c or n c *d
  opgen::Tensor<const T> target;    // *batch c or n c *d
  opgen::Tensor<const Acc> top;     // *batch or n *d
  opgen::Tensor<const Acc> rest;    // *batch or n *d
  opgen::Tensor<const Acc> mass;    // *batch or n *d
  opgen::Tensor<const Acc> weight;  // c

  explicit SoftCrossEntropyBwdView(const SoftCrossEntropyBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dtarget(args.dtarget),
        dloss(args.dloss), logits(args.logits), target(args.target), top(args.top), rest(args.rest),
        mass(args.mass), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_bwd_cpu(
    const SoftCrossEntropyBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_bwd_cuda(
    const SoftCrossEntropyBwdArgs*) noexcept;

}  // namespace generated
