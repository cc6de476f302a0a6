// The common declarations for kernels and adapters of the choices family.
// Rendered by opgen from choices.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"
#include "opgen/kernels.h"

namespace language_ops {

/// The facts of a call for a kernel of `row_sums`: 24 bytes, padding is zero.
struct RowSumsDescriptor {
  int64_t m;  // m
  int64_t n;  // n
  int64_t T;  // T
};
static_assert(sizeof(RowSumsDescriptor) == 24);
static_assert(offsetof(RowSumsDescriptor, m) == 0);
static_assert(offsetof(RowSumsDescriptor, n) == 8);
static_assert(offsetof(RowSumsDescriptor, T) == 16);

/// The arguments of a kernel of `row_sums`: outputs, residuals, workspace, inputs.
struct RowSumsArgs {
  const RowSumsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: m
  opgen::Buffer x;  // T: m n
};

/// `RowSumsArgs` with types, as a kernel of `row_sums` takes it.
template <class T>
struct RowSumsView {
  const RowSumsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // m
  opgen::Tensor<const T> x;  // m n

  explicit RowSumsView(const RowSumsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

/// The layout that a kernel added to `row_sums` must agree on.
inline constexpr char RowSumsLayout[] = "41b30c322fd3";

extern "C" OPGEN_EXPORT opgen::Status language_ops_row_sums_cpu(const RowSumsArgs*) noexcept;
extern OPGEN_EXPORT opgen::Kernels<RowSumsArgs> language_ops_row_sums_cpu_kernels;
extern "C" OPGEN_EXPORT void language_ops_row_sums_cpu_force(int32_t kernel) noexcept;
extern "C" OPGEN_EXPORT void language_ops_row_sums_cpu_ask(uint32_t guarantees) noexcept;
extern "C" OPGEN_EXPORT int32_t language_ops_row_sums_cpu_add(
    const opgen::AddedKernel<RowSumsArgs>*, const char* name) noexcept;

}  // namespace language_ops
