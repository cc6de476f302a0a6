// The common declarations for kernels and adapters of the parts family.
// Rendered by opgen from parts.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `column_totals`: 32 bytes, padding is zero.
struct ColumnTotalsDescriptor {
  int64_t m;      // m
  int64_t n;      // n
  int64_t parts;  // parts
  int64_t T;      // T
};
static_assert(sizeof(ColumnTotalsDescriptor) == 32);
static_assert(offsetof(ColumnTotalsDescriptor, m) == 0);
static_assert(offsetof(ColumnTotalsDescriptor, n) == 8);
static_assert(offsetof(ColumnTotalsDescriptor, parts) == 16);
static_assert(offsetof(ColumnTotalsDescriptor, T) == 24);

/// The arguments of a kernel of `column_totals`: outputs, residuals, workspace, inputs.
struct ColumnTotalsArgs {
  const ColumnTotalsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;     // T: n
  opgen::Buffer sums;  // T: parts n
  opgen::Buffer x;     // T: m n
};

/// `ColumnTotalsArgs` with types, as a kernel of `column_totals` takes it.
template <class T>
struct ColumnTotalsView {
  const ColumnTotalsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // n
  opgen::Tensor<T> sums;     // parts n
  opgen::Tensor<const T> x;  // m n

  explicit ColumnTotalsView(const ColumnTotalsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), sums(args.sums), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_column_totals_cpu(
    const ColumnTotalsArgs*) noexcept;

}  // namespace language_ops
