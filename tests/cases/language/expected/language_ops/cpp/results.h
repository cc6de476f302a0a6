// The common declarations for kernels and adapters of the results family.
// Rendered by opgen from results.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `moments`: 32 bytes, padding is zero.
struct MomentsDescriptor {
  int64_t m;       // m
  int64_t n;       // n
  int64_t spread;  // spread
  int64_t T;       // T
};
static_assert(sizeof(MomentsDescriptor) == 32);
static_assert(offsetof(MomentsDescriptor, m) == 0);
static_assert(offsetof(MomentsDescriptor, n) == 8);
static_assert(offsetof(MomentsDescriptor, spread) == 16);
static_assert(offsetof(MomentsDescriptor, T) == 24);

/// The arguments of a kernel of `moments`: outputs, residuals, workspace, inputs.
struct MomentsArgs {
  const MomentsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer mean;      // T: m
  opgen::Buffer variance;  // T: m
  opgen::Buffer x;         // T: m n
};

/// `MomentsArgs` with types, as a kernel of `moments` takes it.
template <class T>
struct MomentsView {
  const MomentsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> mean;      // m
  opgen::Tensor<T> variance;  // m
  opgen::Tensor<const T> x;   // m n

  explicit MomentsView(const MomentsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), mean(args.mean), variance(args.variance), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_moments_cpu(const MomentsArgs*) noexcept;

/// The facts of a call for a kernel of `split_rows`: 16 bytes, padding is zero.
struct SplitRowsDescriptor {
  int64_t n;  // n
  int64_t T;  // T
};
static_assert(sizeof(SplitRowsDescriptor) == 16);
static_assert(offsetof(SplitRowsDescriptor, n) == 0);
static_assert(offsetof(SplitRowsDescriptor, T) == 8);

/// The arguments of a kernel of `split_rows`: outputs, residuals, workspace, inputs.
struct SplitRowsArgs {
  const SplitRowsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::BufferList parts;  // T: sizes[i] n
  opgen::Buffer x;          // T: sum(sizes) n
};

/// `SplitRowsArgs` with types, as a kernel of `split_rows` takes it.
template <class T>
struct SplitRowsView {
  const SplitRowsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::List<T> parts;      // sizes[i] n
  opgen::Tensor<const T> x;  // sum(sizes) n

  explicit SplitRowsView(const SplitRowsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), parts(args.parts), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_split_rows_cpu(const SplitRowsArgs*) noexcept;

/// The facts of a call for a kernel of `accumulate`: 32 bytes, padding is zero.
struct AccumulateDescriptor {
  int64_t s;         // prod(s)
  int64_t s_rank;    // len(s)
  int64_t in_place;  // in_place
  int64_t T;         // T
};
static_assert(sizeof(AccumulateDescriptor) == 32);
static_assert(offsetof(AccumulateDescriptor, s) == 0);
static_assert(offsetof(AccumulateDescriptor, s_rank) == 8);
static_assert(offsetof(AccumulateDescriptor, in_place) == 16);
static_assert(offsetof(AccumulateDescriptor, T) == 24);

/// The arguments of a kernel of `accumulate`: outputs, residuals, workspace, inputs.
struct AccumulateArgs {
  const AccumulateDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer sum;    // T: *s
  opgen::Buffer total;  // T: *s
  opgen::Buffer x;      // T: *s
};

/// `AccumulateArgs` with types, as a kernel of `accumulate` takes it.
template <class T>
struct AccumulateView {
  const AccumulateDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> sum;      // *s
  opgen::Tensor<T> total;    // *s
  opgen::Tensor<const T> x;  // *s

  explicit AccumulateView(const AccumulateArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), sum(args.sum), total(args.total), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_accumulate_cpu(const AccumulateArgs*) noexcept;

}  // namespace language_ops
