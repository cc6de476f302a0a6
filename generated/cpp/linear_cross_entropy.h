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

/// The facts of a call for a kernel of `linear_cross_entropy_terms`: 72 bytes, padding is zero.
struct LinearCrossEntropyTermsDescriptor {
  int64_t batch;         // prod(batch)
  int64_t batch_rank;    // len(batch)
  int64_t d;             // d
  int64_t v;             // v
  int64_t ignore_index;  // ignore_index
  int64_t c;             // c
  int64_t T;             // T
  int64_t I;             // I
  int64_t Acc;           // Acc
};
static_assert(sizeof(LinearCrossEntropyTermsDescriptor) == 72);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, batch) == 0);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, d) == 16);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, v) == 24);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, ignore_index) == 32);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, c) == 40);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, T) == 48);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, I) == 56);
static_assert(offsetof(LinearCrossEntropyTermsDescriptor, Acc) == 64);

/// The arguments of a kernel of `linear_cross_entropy_terms`: outputs, residuals, workspace,
/// inputs.
struct LinearCrossEntropyTermsArgs {
  const LinearCrossEntropyTermsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer top;       // Acc: *batch
  opgen::Buffer total;     // Acc: *batch
  opgen::Buffer at_label;  // Acc: *batch
  opgen::Buffer parts;     // Acc: 3 16 prod(batch)
  opgen::Buffer hidden;    // T: *batch d
  opgen::Buffer weight;    // T: v d
  opgen::Buffer labels;    // I: *batch
  opgen::Buffer first;     // i64: scalar
};

/// `LinearCrossEntropyTermsArgs` with types, as a kernel of `linear_cross_entropy_terms` takes it.
template <class T, class I>
struct LinearCrossEntropyTermsView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyTermsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> top;              // *batch
  opgen::Tensor<Acc> total;            // *batch
  opgen::Tensor<Acc> at_label;         // *batch
  opgen::Tensor<Acc> parts;            // 3 16 prod(batch)
  opgen::Tensor<const T> hidden;       // *batch d
  opgen::Tensor<const T> weight;       // v d
  opgen::Tensor<const I> labels;       // *batch
  opgen::Tensor<const int64_t> first;  // scalar

  explicit LinearCrossEntropyTermsView(const LinearCrossEntropyTermsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), top(args.top), total(args.total), at_label(args.at_label),
        parts(args.parts), hidden(args.hidden), weight(args.weight), labels(args.labels),
        first(args.first) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_terms_cpu(
    const LinearCrossEntropyTermsArgs*) noexcept;

/// The facts of a call for a kernel of `linear_cross_entropy_loss`: 64 bytes, padding is zero.
struct LinearCrossEntropyLossDescriptor {
  int64_t batch;         // prod(batch)
  int64_t batch_rank;    // len(batch)
  int64_t d;             // d
  int64_t ignore_index;  // ignore_index
  int64_t reduction;     // reduction
  int64_t T;             // T
  int64_t I;             // I
  int64_t Acc;           // Acc
};
static_assert(sizeof(LinearCrossEntropyLossDescriptor) == 64);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, batch) == 0);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, d) == 16);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, ignore_index) == 24);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, reduction) == 32);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, T) == 40);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, I) == 48);
static_assert(offsetof(LinearCrossEntropyLossDescriptor, Acc) == 56);

/// The arguments of a kernel of `linear_cross_entropy_loss`: outputs, residuals, workspace, inputs.
struct LinearCrossEntropyLossArgs {
  const LinearCrossEntropyLossDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer loss;      // Acc: *batch or scalar
  opgen::Buffer log_sum;   // Acc: *batch
  opgen::Buffer count;     // Acc: scalar
  opgen::Buffer losses;    // Acc: *batch
  opgen::Buffer hidden;    // T: *batch d
  opgen::Buffer labels;    // I: *batch
  opgen::Buffer top;       // Acc: *batch
  opgen::Buffer total;     // Acc: *batch
  opgen::Buffer at_label;  // Acc: *batch
};

/// `LinearCrossEntropyLossArgs` with types, as a kernel of `linear_cross_entropy_loss` takes it.
template <class T, class I>
struct LinearCrossEntropyLossView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyLossDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> loss;            // *batch or scalar
  opgen::Tensor<Acc> log_sum;         // *batch
  opgen::Tensor<Acc> count;           // scalar
  opgen::Tensor<Acc> losses;          // *batch
  opgen::Tensor<const T> hidden;      // *batch d
  opgen::Tensor<const I> labels;      // *batch
  opgen::Tensor<const Acc> top;       // *batch
  opgen::Tensor<const Acc> total;     // *batch
  opgen::Tensor<const Acc> at_label;  // *batch

  explicit LinearCrossEntropyLossView(const LinearCrossEntropyLossArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), loss(args.loss), log_sum(args.log_sum), count(args.count),
        losses(args.losses), hidden(args.hidden), labels(args.labels), top(args.top),
        total(args.total), at_label(args.at_label) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_loss_cpu(
    const LinearCrossEntropyLossArgs*) noexcept;

/// The facts of a call for a kernel of `linear_cross_entropy_bwd_part`: 80 bytes, padding is zero.
struct LinearCrossEntropyBwdPartDescriptor {
  int64_t batch;         // prod(batch)
  int64_t batch_rank;    // len(batch)
  int64_t d;             // d
  int64_t v;             // v
  int64_t ignore_index;  // ignore_index
  int64_t c;             // c
  int64_t reduction;     // reduction
  int64_t T;             // T
  int64_t I;             // I
  int64_t Acc;           // Acc
};
static_assert(sizeof(LinearCrossEntropyBwdPartDescriptor) == 80);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, batch) == 0);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, batch_rank) == 8);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, d) == 16);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, v) == 24);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, ignore_index) == 32);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, c) == 40);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, reduction) == 48);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, T) == 56);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, I) == 64);
static_assert(offsetof(LinearCrossEntropyBwdPartDescriptor, Acc) == 72);

/// The arguments of a kernel of `linear_cross_entropy_bwd_part`: outputs, residuals, workspace,
/// inputs.
struct LinearCrossEntropyBwdPartArgs {
  const LinearCrossEntropyBwdPartDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dhidden;  // Acc: *batch d
  opgen::Buffer dweight;  // T: v d
  opgen::Buffer dlogits;  // Acc: prod(batch) min(v,1024)
  opgen::Buffer dloss;    // Acc: *batch or scalar
  opgen::Buffer hidden;   // T: *batch d
  opgen::Buffer weight;   // T: v d
  opgen::Buffer labels;   // I: *batch
  opgen::Buffer top;      // Acc: *batch
  opgen::Buffer log_sum;  // Acc: *batch
  opgen::Buffer first;    // i64: scalar
  opgen::Buffer count;    // Acc: scalar
};

/// `LinearCrossEntropyBwdPartArgs` with types, as a kernel of `linear_cross_entropy_bwd_part` takes
/// it.
template <class T, class I>
struct LinearCrossEntropyBwdPartView {
  using Acc = opgen::accum_t<T>;

  const LinearCrossEntropyBwdPartDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> dhidden;          // *batch d
  opgen::Tensor<T> dweight;            // v d
  opgen::Tensor<Acc> dlogits;          // prod(batch) min(v,1024)
  opgen::Tensor<const Acc> dloss;      // *batch or scalar
  opgen::Tensor<const T> hidden;       // *batch d
  opgen::Tensor<const T> weight;       // v d
  opgen::Tensor<const I> labels;       // *batch
  opgen::Tensor<const Acc> top;        // *batch
  opgen::Tensor<const Acc> log_sum;    // *batch
  opgen::Tensor<const int64_t> first;  // scalar
  opgen::Tensor<const Acc> count;      // scalar

  explicit LinearCrossEntropyBwdPartView(const LinearCrossEntropyBwdPartArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dhidden(args.dhidden), dweight(args.dweight),
        dlogits(args.dlogits), dloss(args.dloss), hidden(args.hidden), weight(args.weight),
        labels(args.labels), top(args.top), log_sum(args.log_sum), first(args.first),
        count(args.count) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_linear_cross_entropy_bwd_part_cpu(
    const LinearCrossEntropyBwdPartArgs*) noexcept;

}  // namespace generated
