// The common declarations for kernels and adapters of the windows family.
// Rendered by opgen from windows.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `window_sums`: 56 bytes, padding is zero.
struct WindowSumsDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t n;           // n
  int64_t m;           // m
  int64_t width;       // width
  int64_t step;        // step
  int64_t T;           // T
};
static_assert(sizeof(WindowSumsDescriptor) == 56);
static_assert(offsetof(WindowSumsDescriptor, batch) == 0);
static_assert(offsetof(WindowSumsDescriptor, batch_rank) == 8);
static_assert(offsetof(WindowSumsDescriptor, n) == 16);
static_assert(offsetof(WindowSumsDescriptor, m) == 24);
static_assert(offsetof(WindowSumsDescriptor, width) == 32);
static_assert(offsetof(WindowSumsDescriptor, step) == 40);
static_assert(offsetof(WindowSumsDescriptor, T) == 48);

/// The arguments of a kernel of `window_sums`: outputs, residuals, workspace, inputs.
struct WindowSumsArgs {
  const WindowSumsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer sums;  // T: *batch m
  opgen::Buffer x;     // T: *batch n
};

/// `WindowSumsArgs` with types, as a kernel of `window_sums` takes it.
template <class T>
struct WindowSumsView {
  const WindowSumsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> sums;     // *batch m
  opgen::Tensor<const T> x;  // *batch n

  explicit WindowSumsView(const WindowSumsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), sums(args.sums), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_window_sums_cpu(const WindowSumsArgs*) noexcept;

}  // namespace language_ops
