// The common declarations for kernels and adapters of the bins family.
// Rendered by opgen from bins.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `bin_sums`: 40 bytes, padding is zero.
struct BinSumsDescriptor {
  int64_t m;     // m
  int64_t n;     // n
  int64_t bins;  // bins
  int64_t T;     // T
  int64_t Acc;   // Acc
};
static_assert(sizeof(BinSumsDescriptor) == 40);
static_assert(offsetof(BinSumsDescriptor, m) == 0);
static_assert(offsetof(BinSumsDescriptor, n) == 8);
static_assert(offsetof(BinSumsDescriptor, bins) == 16);
static_assert(offsetof(BinSumsDescriptor, T) == 24);
static_assert(offsetof(BinSumsDescriptor, Acc) == 32);

/// The arguments of a kernel of `bin_sums`: outputs, residuals, workspace, inputs.
struct BinSumsArgs {
  const BinSumsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer sums;    // Acc: bins n
  opgen::Buffer counts;  // i64: bins
  opgen::Buffer x;       // T: m n
  opgen::Buffer bin;     // i64: m
};

/// `BinSumsArgs` with types, as a kernel of `bin_sums` takes it.
template <class T>
struct BinSumsView {
  using Index = int32_t;
  using Acc = opgen::accum_t<T>;

  const BinSumsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Acc> sums;           // bins n
  opgen::Tensor<int64_t> counts;     // bins
  opgen::Tensor<const T> x;          // m n
  opgen::Tensor<const int64_t> bin;  // m

  explicit BinSumsView(const BinSumsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), sums(args.sums), counts(args.counts), x(args.x),
        bin(args.bin) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_bin_sums_cpu(const BinSumsArgs*) noexcept;
extern "C" OPGEN_EXPORT int64_t language_ops_bin_sums_cpu_workspace(
    const BinSumsDescriptor* desc, opgen::DeviceProperties device) noexcept;

}  // namespace language_ops
