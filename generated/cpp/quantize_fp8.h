// The common declarations for kernels and adapters of the quantize_fp8 family.
// Rendered by opgen from quantize_fp8.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `quantize_fp8`: 56 bytes, padding is zero.
struct QuantizeFp8Descriptor {
  int64_t m;             // m
  int64_t kb;            // kb
  int64_t block;         // block
  int64_t out_dtype;     // out_dtype
  int64_t column_major;  // column_major
  double floor;          // floor
  int64_t T;             // T
};
static_assert(sizeof(QuantizeFp8Descriptor) == 56);
static_assert(offsetof(QuantizeFp8Descriptor, m) == 0);
static_assert(offsetof(QuantizeFp8Descriptor, kb) == 8);
static_assert(offsetof(QuantizeFp8Descriptor, block) == 16);
static_assert(offsetof(QuantizeFp8Descriptor, out_dtype) == 24);
static_assert(offsetof(QuantizeFp8Descriptor, column_major) == 32);
static_assert(offsetof(QuantizeFp8Descriptor, floor) == 40);
static_assert(offsetof(QuantizeFp8Descriptor, T) == 48);

/// The arguments of a kernel of `quantize_fp8`: outputs, residuals, workspace, inputs.
struct QuantizeFp8Args {
  const QuantizeFp8Descriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer q;      // out_dtype: m kb*block
  opgen::Buffer scale;  // f32: m kb
  opgen::Buffer x;      // T: m kb*block
};

/// `QuantizeFp8Args` with types, as a kernel of `quantize_fp8` takes it.
template <class T, class out_dtype>
struct QuantizeFp8View {
  const QuantizeFp8Descriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<out_dtype> q;  // m kb*block
  opgen::Tensor<float> scale;  // m kb
  opgen::Tensor<const T> x;    // m kb*block

  explicit QuantizeFp8View(const QuantizeFp8Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), q(args.q), scale(args.scale), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_quantize_fp8_cpu(const QuantizeFp8Args*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_quantize_fp8_cuda(const QuantizeFp8Args*) noexcept;

}  // namespace generated
