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

/// The facts of a call for a kernel of `class_top`: 24 bytes, padding is zero.
struct ClassTopDescriptor {
  int64_t outer;  // prod(batch) if classes == 'last' else n
  int64_t c;      // v
  int64_t inner;  // 1 if classes == 'last' else prod(d)
};
static_assert(sizeof(ClassTopDescriptor) == 24);
static_assert(offsetof(ClassTopDescriptor, outer) == 0);
static_assert(offsetof(ClassTopDescriptor, c) == 8);
static_assert(offsetof(ClassTopDescriptor, inner) == 16);

/// The arguments of a kernel of `class_top`: outputs, residuals, workspace, inputs.
struct ClassTopArgs {
  const ClassTopDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch v or n v *d
};

/// `ClassTopArgs` with types, as a kernel of `class_top` takes it.
template <class T>
struct ClassTopView {
  using Acc = opgen::accum_t<T>;

  const ClassTopDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> top;         // *batch or n *d
  opgen::Tensor<const T> logits;  // *batch v or n v *d

  explicit ClassTopView(const ClassTopArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), top(args.top), logits(args.logits) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_class_top_cpu(const ClassTopArgs*) noexcept;

/// The facts of a call for a kernel of `class_total`: 24 bytes, padding is zero.
struct ClassTotalDescriptor {
  int64_t outer;  // prod(batch) if classes == 'last' else n
  int64_t c;      // v
  int64_t inner;  // 1 if classes == 'last' else prod(d)
};
static_assert(sizeof(ClassTotalDescriptor) == 24);
static_assert(offsetof(ClassTotalDescriptor, outer) == 0);
static_assert(offsetof(ClassTotalDescriptor, c) == 8);
static_assert(offsetof(ClassTotalDescriptor, inner) == 16);

/// The arguments of a kernel of `class_total`: outputs, residuals, workspace, inputs.
struct ClassTotalArgs {
  const ClassTotalDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer total;   // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch v or n v *d
  opgen::Buffer top;     // Acc: *batch or n *d
};

/// `ClassTotalArgs` with types, as a kernel of `class_total` takes it.
template <class T>
struct ClassTotalView {
  using Acc = opgen::accum_t<T>;

  const ClassTotalDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> total;       // *batch or n *d
  opgen::Tensor<const T> logits;  // *batch v or n v *d
  opgen::Tensor<const Acc> top;   // *batch or n *d

  explicit ClassTotalView(const ClassTotalArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), total(args.total), logits(args.logits), top(args.top) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_class_total_cpu(const ClassTotalArgs*) noexcept;

/// The facts of a call for a kernel of `soft_cross_entropy_part`: 48 bytes, padding is zero.
struct SoftCrossEntropyPartDescriptor {
  int64_t outer;     // prod(batch) if classes == 'last' else n
  int64_t c;         // v
  int64_t inner;     // 1 if classes == 'last' else prod(d)
  double smoothing;  // label_smoothing
  int64_t classes;   // c
  int64_t divisor;   // numel(logits) // v if reduction == 'mean' else 1
};
static_assert(sizeof(SoftCrossEntropyPartDescriptor) == 48);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, outer) == 0);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, c) == 8);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, inner) == 16);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, smoothing) == 24);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, classes) == 32);
static_assert(offsetof(SoftCrossEntropyPartDescriptor, divisor) == 40);

/// The arguments of a kernel of `soft_cross_entropy_part`: outputs, residuals, workspace, inputs.
struct SoftCrossEntropyPartArgs {
  const SoftCrossEntropyPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: scalar or *batch or n *d
  opgen::Buffer rest;    // Acc: *batch or n *d
  opgen::Buffer mass;    // Acc: *batch or n *d
  opgen::Buffer losses;  // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch v or n v *d
  opgen::Buffer target;  // T: *batch v or n v *d
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer total;   // Acc: *batch or n *d
  opgen::Buffer weight;  // Acc: v
};

/// `SoftCrossEntropyPartArgs` with types, as a kernel of `soft_cross_entropy_part` takes it.
template <class T>
struct SoftCrossEntropyPartView {
  using Acc = opgen::accum_t<T>;

  const SoftCrossEntropyPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;          // scalar or *batch or n *d
  opgen::Tensor<Acc> rest;          // *batch or n *d
  opgen::Tensor<Acc> mass;          // *batch or n *d
  opgen::Tensor<Acc> losses;        // *batch or n *d
  opgen::Tensor<const T> logits;    // *batch v or n v *d
  opgen::Tensor<const T> target;    // *batch v or n v *d
  opgen::Tensor<const Acc> top;     // *batch or n *d
  opgen::Tensor<const Acc> total;   // *batch or n *d
  opgen::Tensor<const Acc> weight;  // v

  explicit SoftCrossEntropyPartView(const SoftCrossEntropyPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), rest(args.rest), mass(args.mass),
        losses(args.losses), logits(args.logits), target(args.target), top(args.top),
        total(args.total), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_part_cpu(
    const SoftCrossEntropyPartArgs*) noexcept;

/// The facts of a call for a kernel of `soft_cross_entropy_bwd_part`: 48 bytes, padding is zero.
struct SoftCrossEntropyBwdPartDescriptor {
  int64_t outer;     // prod(batch) if classes == 'last' else n
  int64_t c;         // v
  int64_t inner;     // 1 if classes == 'last' else prod(d)
  double smoothing;  // label_smoothing
  int64_t classes;   // c
  int64_t divisor;   // positions if reduction == 'mean' else 1
};
static_assert(sizeof(SoftCrossEntropyBwdPartDescriptor) == 48);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, outer) == 0);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, c) == 8);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, inner) == 16);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, smoothing) == 24);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, classes) == 32);
static_assert(offsetof(SoftCrossEntropyBwdPartDescriptor, divisor) == 40);

/// The arguments of a kernel of `soft_cross_entropy_bwd_part`: outputs, residuals, workspace,
/// inputs.
struct SoftCrossEntropyBwdPartArgs {
  const SoftCrossEntropyBwdPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch v or n v *d
  opgen::Buffer dtarget;  // T: *batch v or n v *d
  opgen::Buffer dloss;    // Acc: scalar or *batch or n *d
  opgen::Buffer logits;   // T: *batch v or n v *d
  opgen::Buffer target;   // T: *batch v or n v *d
  opgen::Buffer top;      // Acc: *batch or n *d
  opgen::Buffer rest;     // Acc: *batch or n *d
  opgen::Buffer mass;     // Acc: *batch or n *d
  opgen::Buffer weight;   // Acc: v
};

/// `SoftCrossEntropyBwdPartArgs` with types, as a kernel of `soft_cross_entropy_bwd_part` takes it.
template <class T>
struct SoftCrossEntropyBwdPartView {
  using Acc = opgen::accum_t<T>;

  const SoftCrossEntropyBwdPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;         // *batch v or n v *d
  opgen::Tensor<T> dtarget;         // *batch v or n v *d
  opgen::Tensor<const Acc> dloss;   // scalar or *batch or n *d
  opgen::Tensor<const T> logits;    // *batch v or n v *d
  opgen::Tensor<const T> target;    // *batch v or n v *d
  opgen::Tensor<const Acc> top;     // *batch or n *d
  opgen::Tensor<const Acc> rest;    // *batch or n *d
  opgen::Tensor<const Acc> mass;    // *batch or n *d
  opgen::Tensor<const Acc> weight;  // v

  explicit SoftCrossEntropyBwdPartView(const SoftCrossEntropyBwdPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dtarget(args.dtarget),
        dloss(args.dloss), logits(args.logits), target(args.target), top(args.top), rest(args.rest),
        mass(args.mass), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_soft_cross_entropy_bwd_part_cpu(
    const SoftCrossEntropyBwdPartArgs*) noexcept;

/// The facts of a call for a kernel of `weighted_cross_entropy_total`: 48 bytes, padding is zero.
struct WeightedCrossEntropyTotalDescriptor {
  int64_t outer;         // prod(batch) if classes == 'last' else n
  int64_t c;             // v
  int64_t inner;         // 1 if classes == 'last' else prod(d)
  double smoothing;      // 0.0
  int64_t classes;       // c
  int64_t ignore_index;  // ignore_index
};
static_assert(sizeof(WeightedCrossEntropyTotalDescriptor) == 48);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, outer) == 0);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, c) == 8);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, inner) == 16);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, smoothing) == 24);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, classes) == 32);
static_assert(offsetof(WeightedCrossEntropyTotalDescriptor, ignore_index) == 40);

/// The arguments of a kernel of `weighted_cross_entropy_total`: outputs, residuals, workspace,
/// inputs.
struct WeightedCrossEntropyTotalArgs {
  const WeightedCrossEntropyTotalDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer total;   // Acc: *batch or n *d
  opgen::Buffer count;   // Acc: scalar
  opgen::Buffer logits;  // T: *batch v or n v *d
  opgen::Buffer labels;  // I: *batch or n *d
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer first;   // i64: scalar
  opgen::Buffer weight;  // Acc: v
};

/// `WeightedCrossEntropyTotalArgs` with types, as a kernel of `weighted_cross_entropy_total` takes
/// it.
template <class T>
struct WeightedCrossEntropyTotalView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyTotalDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> total;            // *batch or n *d
  opgen::Tensor<Acc> count;            // scalar
  opgen::Tensor<const T> logits;       // *batch v or n v *d
  opgen::Buffer labels;                // *batch or n *d
  opgen::Tensor<const Acc> top;        // *batch or n *d
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> weight;     // v

  explicit WeightedCrossEntropyTotalView(const WeightedCrossEntropyTotalArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), total(args.total), count(args.count), logits(args.logits),
        labels(args.labels), top(args.top), first(args.first), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_total_cpu(
    const WeightedCrossEntropyTotalArgs*) noexcept;

/// The facts of a call for a kernel of `weighted_cross_entropy_part`: 48 bytes, padding is zero.
struct WeightedCrossEntropyPartDescriptor {
  int64_t outer;         // prod(batch) if classes == 'last' else n
  int64_t c;             // v
  int64_t inner;         // 1 if classes == 'last' else prod(d)
  double smoothing;      // label_smoothing
  int64_t classes;       // c
  int64_t ignore_index;  // ignore_index
};
static_assert(sizeof(WeightedCrossEntropyPartDescriptor) == 48);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, outer) == 0);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, c) == 8);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, inner) == 16);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, smoothing) == 24);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, classes) == 32);
static_assert(offsetof(WeightedCrossEntropyPartDescriptor, ignore_index) == 40);

/// The arguments of a kernel of `weighted_cross_entropy_part`: outputs, residuals, workspace,
/// inputs.
struct WeightedCrossEntropyPartArgs {
  const WeightedCrossEntropyPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: scalar or *batch or n *d
  opgen::Buffer rest;    // Acc: *batch or n *d
  opgen::Buffer mass;    // Acc: *batch or n *d
  opgen::Buffer losses;  // Acc: *batch or n *d
  opgen::Buffer logits;  // T: *batch v or n v *d
  opgen::Buffer labels;  // I: *batch or n *d
  opgen::Buffer top;     // Acc: *batch or n *d
  opgen::Buffer total;   // Acc: *batch or n *d
  opgen::Buffer first;   // i64: scalar
  opgen::Buffer count;   // Acc: scalar
  opgen::Buffer weight;  // Acc: v
};

/// `WeightedCrossEntropyPartArgs` with types, as a kernel of `weighted_cross_entropy_part` takes
/// it.
template <class T>
struct WeightedCrossEntropyPartView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;             // scalar or *batch or n *d
  opgen::Tensor<Acc> rest;             // *batch or n *d
  opgen::Tensor<Acc> mass;             // *batch or n *d
  opgen::Tensor<Acc> losses;           // *batch or n *d
  opgen::Tensor<const T> logits;       // *batch v or n v *d
  opgen::Buffer labels;                // *batch or n *d
  opgen::Tensor<const Acc> top;        // *batch or n *d
  opgen::Tensor<const Acc> total;      // *batch or n *d
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> count;      // scalar
  opgen::Tensor<const Acc> weight;     // v

  explicit WeightedCrossEntropyPartView(const WeightedCrossEntropyPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), rest(args.rest), mass(args.mass),
        losses(args.losses), logits(args.logits), labels(args.labels), top(args.top),
        total(args.total), first(args.first), count(args.count), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_part_cpu(
    const WeightedCrossEntropyPartArgs*) noexcept;

/// The facts of a call for a kernel of `weighted_cross_entropy_bwd_part`: 48 bytes, padding is
/// zero.
struct WeightedCrossEntropyBwdPartDescriptor {
  int64_t outer;         // prod(batch) if classes == 'last' else n
  int64_t c;             // v
  int64_t inner;         // 1 if classes == 'last' else prod(d)
  double smoothing;      // label_smoothing
  int64_t classes;       // c
  int64_t ignore_index;  // ignore_index
};
static_assert(sizeof(WeightedCrossEntropyBwdPartDescriptor) == 48);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, outer) == 0);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, c) == 8);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, inner) == 16);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, smoothing) == 24);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, classes) == 32);
static_assert(offsetof(WeightedCrossEntropyBwdPartDescriptor, ignore_index) == 40);

/// The arguments of a kernel of `weighted_cross_entropy_bwd_part`: outputs, residuals, workspace,
/// inputs.
struct WeightedCrossEntropyBwdPartArgs {
  const WeightedCrossEntropyBwdPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch v or n v *d
  opgen::Buffer dloss;    // Acc: scalar or *batch or n *d
  opgen::Buffer logits;   // T: *batch v or n v *d
  opgen::Buffer labels;   // I: *batch or n *d
  opgen::Buffer top;      // Acc: *batch or n *d
  opgen::Buffer rest;     // Acc: *batch or n *d
  opgen::Buffer mass;     // Acc: *batch or n *d
  opgen::Buffer first;    // i64: scalar
  opgen::Buffer count;    // Acc: scalar
  opgen::Buffer weight;   // Acc: v
};

/// `WeightedCrossEntropyBwdPartArgs` with types, as a kernel of `weighted_cross_entropy_bwd_part`
/// takes it.
template <class T>
struct WeightedCrossEntropyBwdPartView {
  using Acc = opgen::accum_t<T>;

  const WeightedCrossEntropyBwdPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;            // *batch v or n v *d
  opgen::Tensor<const Acc> dloss;      // scalar or *batch or n *d
  opgen::Tensor<const T> logits;       // *batch v or n v *d
  opgen::Buffer labels;                // *batch or n *d
  opgen::Tensor<const Acc> top;        // *batch or n *d
  opgen::Tensor<const Acc> rest;       // *batch or n *d
  opgen::Tensor<const Acc> mass;       // *batch or n *d
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> count;      // scalar
  opgen::Tensor<const Acc> weight;     // v

  explicit WeightedCrossEntropyBwdPartView(const WeightedCrossEntropyBwdPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest), mass(args.mass),
        first(args.first), count(args.count), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_weighted_cross_entropy_bwd_part_cpu(
    const WeightedCrossEntropyBwdPartArgs*) noexcept;

}  // namespace generated
