// The common declarations for kernels and adapters of the columns family.
// Rendered by opgen from columns.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `column_sums`: 24 bytes, padding is zero.
struct ColumnSumsDescriptor {
  int64_t n;  // n
  int64_t d;  // d
  int64_t T;  // T
};
static_assert(sizeof(ColumnSumsDescriptor) == 24);
static_assert(offsetof(ColumnSumsDescriptor, n) == 0);
static_assert(offsetof(ColumnSumsDescriptor, d) == 8);
static_assert(offsetof(ColumnSumsDescriptor, T) == 16);

/// The arguments of a kernel of `column_sums`: outputs, residuals, workspace, inputs.
struct ColumnSumsArgs {
  const ColumnSumsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer sums;  // T: d
  opgen::Buffer x;     // T: n d
};

}  // namespace language_ops
