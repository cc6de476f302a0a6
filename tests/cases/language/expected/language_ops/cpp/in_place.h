// The common declarations for kernels and adapters of the in_place family.
// Rendered by opgen from in_place.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `average_`: 16 bytes, padding is zero.
struct Average_Descriptor {
  double rate;  // rate
  int64_t T;    // T
};
static_assert(sizeof(Average_Descriptor) == 16);
static_assert(offsetof(Average_Descriptor, rate) == 0);
static_assert(offsetof(Average_Descriptor, T) == 8);

/// The arguments of a kernel of `average_`: outputs, residuals, workspace, inputs.
struct Average_Args {
  const Average_Descriptor* desc;
  const opgen::Context* ctx;
  opgen::BufferList averages;  // T: *s[i]
  opgen::BufferList values;    // T: *s[i]
};

/// `Average_Args` with types, as a kernel of `average_` takes it.
template <class T>
struct Average_View {
  const Average_Descriptor& desc;
  const opgen::Context& ctx;
  opgen::List<T> averages;      // *s[i]
  opgen::List<const T> values;  // *s[i]

  explicit Average_View(const Average_Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), averages(args.averages), values(args.values) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_average__cpu(const Average_Args*) noexcept;

}  // namespace language_ops
