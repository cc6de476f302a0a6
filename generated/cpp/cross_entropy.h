// The common declarations for kernels and adapters of the cross_entropy family.
// Rendered by opgen from cross_entropy.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `cross_entropy`: 72 bytes, padding is zero.
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

/// `CrossEntropyArgs` with types, as a kernel of `cross_entropy` takes it.
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

/// `CrossEntropyArgs` with types, as a kernel of `cross_entropy` takes it.
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

/// The facts of a call for a kernel of `cross_entropy_bwd`: 72 bytes, padding is zero.
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

/// `CrossEntropyBwdArgs` with types, as a kernel of `cross_entropy_bwd` takes it.
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

/// `CrossEntropyBwdArgs` with types, as a kernel of `cross_entropy_bwd` takes it.
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

/// The facts of a call for a kernel of `cross_entropy_top`: 40 bytes, padding is zero.
struct CrossEntropyTopDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t v;           // v
  int64_t T;           // T
  int64_t Acc;         // Acc
};
static_assert(sizeof(CrossEntropyTopDescriptor) == 40);
static_assert(offsetof(CrossEntropyTopDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyTopDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyTopDescriptor, v) == 16);
static_assert(offsetof(CrossEntropyTopDescriptor, T) == 24);
static_assert(offsetof(CrossEntropyTopDescriptor, Acc) == 32);

/// The arguments of a kernel of `cross_entropy_top`: outputs, residuals, workspace, inputs.
struct CrossEntropyTopArgs {
  const CrossEntropyTopDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer top;     // Acc: *batch
  opgen::Buffer logits;  // T: *batch v
};

/// `CrossEntropyTopArgs` with types, as a kernel of `cross_entropy_top` takes it.
template <class T>
struct CrossEntropyTopView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyTopDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> top;         // *batch
  opgen::Tensor<const T> logits;  // *batch v

  explicit CrossEntropyTopView(const CrossEntropyTopArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), top(args.top), logits(args.logits) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_top_cpu(
    const CrossEntropyTopArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_top_cuda(
    const CrossEntropyTopArgs*) noexcept;

/// The facts of a call for a kernel of `cross_entropy_terms`: 72 bytes, padding is zero.
struct CrossEntropyTermsDescriptor {
  int64_t batch;           // prod(batch)
  int64_t batch_rank;      // len(batch)
  int64_t v;               // v
  int64_t c;               // c
  int64_t ignore_index;    // ignore_index
  double label_smoothing;  // label_smoothing
  int64_t T;               // T
  int64_t I;               // I
  int64_t Acc;             // Acc
};
static_assert(sizeof(CrossEntropyTermsDescriptor) == 72);
static_assert(offsetof(CrossEntropyTermsDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyTermsDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyTermsDescriptor, v) == 16);
static_assert(offsetof(CrossEntropyTermsDescriptor, c) == 24);
static_assert(offsetof(CrossEntropyTermsDescriptor, ignore_index) == 32);
static_assert(offsetof(CrossEntropyTermsDescriptor, label_smoothing) == 40);
static_assert(offsetof(CrossEntropyTermsDescriptor, T) == 48);
static_assert(offsetof(CrossEntropyTermsDescriptor, I) == 56);
static_assert(offsetof(CrossEntropyTermsDescriptor, Acc) == 64);

/// The arguments of a kernel of `cross_entropy_terms`: outputs, residuals, workspace, inputs.
struct CrossEntropyTermsArgs {
  const CrossEntropyTermsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer total;   // Acc: *batch
  opgen::Buffer missed;  // Acc: *batch
  opgen::Buffer below;   // Acc: *batch
  opgen::Buffer logits;  // T: *batch v
  opgen::Buffer labels;  // I: *batch
  opgen::Buffer top;     // Acc: *batch
  opgen::Buffer first;   // i64: scalar
};

/// `CrossEntropyTermsArgs` with types, as a kernel of `cross_entropy_terms` takes it.
template <class T, class I>
struct CrossEntropyTermsView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyTermsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> total;            // *batch
  opgen::Tensor<Acc> missed;           // *batch
  opgen::Tensor<Acc> below;            // *batch
  opgen::Tensor<const T> logits;       // *batch v
  opgen::Tensor<const I> labels;       // *batch
  opgen::Tensor<const Acc> top;        // *batch
  opgen::Tensor<const int64_t> first;  // scalar

  explicit CrossEntropyTermsView(const CrossEntropyTermsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), total(args.total), missed(args.missed), below(args.below),
        logits(args.logits), labels(args.labels), top(args.top), first(args.first) {}
};

/// `CrossEntropyTermsArgs` with types, as a kernel of `cross_entropy_terms` takes it.
template <class T>
struct CrossEntropyTermsCudaView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyTermsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> total;            // *batch
  opgen::Tensor<Acc> missed;           // *batch
  opgen::Tensor<Acc> below;            // *batch
  opgen::Tensor<const T> logits;       // *batch v
  opgen::Buffer labels;                // *batch
  opgen::Tensor<const Acc> top;        // *batch
  opgen::Tensor<const int64_t> first;  // scalar

  explicit CrossEntropyTermsCudaView(const CrossEntropyTermsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), total(args.total), missed(args.missed), below(args.below),
        logits(args.logits), labels(args.labels), top(args.top), first(args.first) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_terms_cpu(
    const CrossEntropyTermsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_terms_cuda(
    const CrossEntropyTermsArgs*) noexcept;

/// The facts of a call for a kernel of `cross_entropy_loss`: 72 bytes, padding is zero.
struct CrossEntropyLossDescriptor {
  int64_t batch;           // prod(batch)
  int64_t batch_rank;      // len(batch)
  int64_t v;               // v
  int64_t ignore_index;    // ignore_index
  double label_smoothing;  // label_smoothing
  int64_t reduction;       // reduction
  int64_t T;               // T
  int64_t I;               // I
  int64_t Acc;             // Acc
};
static_assert(sizeof(CrossEntropyLossDescriptor) == 72);
static_assert(offsetof(CrossEntropyLossDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyLossDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyLossDescriptor, v) == 16);
static_assert(offsetof(CrossEntropyLossDescriptor, ignore_index) == 24);
static_assert(offsetof(CrossEntropyLossDescriptor, label_smoothing) == 32);
static_assert(offsetof(CrossEntropyLossDescriptor, reduction) == 40);
static_assert(offsetof(CrossEntropyLossDescriptor, T) == 48);
static_assert(offsetof(CrossEntropyLossDescriptor, I) == 56);
static_assert(offsetof(CrossEntropyLossDescriptor, Acc) == 64);

/// The arguments of a kernel of `cross_entropy_loss`: outputs, residuals, workspace, inputs.
struct CrossEntropyLossArgs {
  const CrossEntropyLossDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;    // Acc: *batch or scalar
  opgen::Buffer rest;    // Acc: *batch
  opgen::Buffer count;   // Acc: scalar
  opgen::Buffer losses;  // Acc: *batch
  opgen::Buffer logits;  // T: *batch v
  opgen::Buffer labels;  // I: *batch
  opgen::Buffer total;   // Acc: *batch
  opgen::Buffer missed;  // Acc: *batch
  opgen::Buffer below;   // Acc: *batch
};

/// `CrossEntropyLossArgs` with types, as a kernel of `cross_entropy_loss` takes it.
template <class T, class I>
struct CrossEntropyLossView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyLossDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;          // *batch or scalar
  opgen::Tensor<Acc> rest;          // *batch
  opgen::Tensor<Acc> count;         // scalar
  opgen::Tensor<Acc> losses;        // *batch
  opgen::Tensor<const T> logits;    // *batch v
  opgen::Tensor<const I> labels;    // *batch
  opgen::Tensor<const Acc> total;   // *batch
  opgen::Tensor<const Acc> missed;  // *batch
  opgen::Tensor<const Acc> below;   // *batch

  explicit CrossEntropyLossView(const CrossEntropyLossArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), rest(args.rest), count(args.count),
        losses(args.losses), logits(args.logits), labels(args.labels), total(args.total),
        missed(args.missed), below(args.below) {}
};

/// `CrossEntropyLossArgs` with types, as a kernel of `cross_entropy_loss` takes it.
template <class T>
struct CrossEntropyLossCudaView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyLossDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;          // *batch or scalar
  opgen::Tensor<Acc> rest;          // *batch
  opgen::Tensor<Acc> count;         // scalar
  opgen::Tensor<Acc> losses;        // *batch
  opgen::Tensor<const T> logits;    // *batch v
  opgen::Buffer labels;             // *batch
  opgen::Tensor<const Acc> total;   // *batch
  opgen::Tensor<const Acc> missed;  // *batch
  opgen::Tensor<const Acc> below;   // *batch

  explicit CrossEntropyLossCudaView(const CrossEntropyLossArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), rest(args.rest), count(args.count),
        losses(args.losses), logits(args.logits), labels(args.labels), total(args.total),
        missed(args.missed), below(args.below) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_loss_cpu(
    const CrossEntropyLossArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_loss_cuda(
    const CrossEntropyLossArgs*) noexcept;

/// The facts of a call for a kernel of `cross_entropy_bwd_part`: 80 bytes, padding is zero.
struct CrossEntropyBwdPartDescriptor {
  int64_t batch;           // prod(batch)
  int64_t batch_rank;      // len(batch)
  int64_t v;               // v
  int64_t c;               // c
  int64_t ignore_index;    // ignore_index
  double label_smoothing;  // label_smoothing
  int64_t reduction;       // reduction
  int64_t T;               // T
  int64_t I;               // I
  int64_t Acc;             // Acc
};
static_assert(sizeof(CrossEntropyBwdPartDescriptor) == 80);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, batch) == 0);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, batch_rank) == 8);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, v) == 16);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, c) == 24);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, ignore_index) == 32);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, label_smoothing) == 40);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, reduction) == 48);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, T) == 56);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, I) == 64);
static_assert(offsetof(CrossEntropyBwdPartDescriptor, Acc) == 72);

/// The arguments of a kernel of `cross_entropy_bwd_part`: outputs, residuals, workspace, inputs.
struct CrossEntropyBwdPartArgs {
  const CrossEntropyBwdPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dlogits;  // T: *batch v
  opgen::Buffer dloss;    // Acc: *batch or scalar
  opgen::Buffer logits;   // T: *batch v
  opgen::Buffer labels;   // I: *batch
  opgen::Buffer top;      // Acc: *batch
  opgen::Buffer rest;     // Acc: *batch
  opgen::Buffer first;    // i64: scalar
  opgen::Buffer count;    // Acc: scalar
};

/// `CrossEntropyBwdPartArgs` with types, as a kernel of `cross_entropy_bwd_part` takes it.
template <class T, class I>
struct CrossEntropyBwdPartView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyBwdPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;            // *batch v
  opgen::Tensor<const Acc> dloss;      // *batch or scalar
  opgen::Tensor<const T> logits;       // *batch v
  opgen::Tensor<const I> labels;       // *batch
  opgen::Tensor<const Acc> top;        // *batch
  opgen::Tensor<const Acc> rest;       // *batch
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> count;      // scalar

  explicit CrossEntropyBwdPartView(const CrossEntropyBwdPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest), first(args.first),
        count(args.count) {}
};

/// `CrossEntropyBwdPartArgs` with types, as a kernel of `cross_entropy_bwd_part` takes it.
template <class T>
struct CrossEntropyBwdPartCudaView {
  using Acc = opgen::accum_t<T>;

  const CrossEntropyBwdPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dlogits;            // *batch v
  opgen::Tensor<const Acc> dloss;      // *batch or scalar
  opgen::Tensor<const T> logits;       // *batch v
  opgen::Buffer labels;                // *batch
  opgen::Tensor<const Acc> top;        // *batch
  opgen::Tensor<const Acc> rest;       // *batch
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> count;      // scalar

  explicit CrossEntropyBwdPartCudaView(const CrossEntropyBwdPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dlogits(args.dlogits), dloss(args.dloss),
        logits(args.logits), labels(args.labels), top(args.top), rest(args.rest), first(args.first),
        count(args.count) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_bwd_part_cpu(
    const CrossEntropyBwdPartArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_cross_entropy_bwd_part_cuda(
    const CrossEntropyBwdPartArgs*) noexcept;

}  // namespace generated
