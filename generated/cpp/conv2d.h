// The common declarations for kernels and adapters of the conv2d family.
// Rendered by opgen from conv2d.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `conv2d`: 304 bytes, padding is zero.
struct Conv2dDescriptor {
  int64_t n;              // n
  int64_t cg;             // cg
  int64_t h;              // h
  int64_t w;              // w
  int64_t k;              // k
  int64_t r;              // r
  int64_t s;              // s
  int64_t p;              // p
  int64_t q;              // q
  int64_t stride[8];      // stride
  int64_t stride_rank;    // len(stride)
  int64_t padding[8];     // padding
  int64_t padding_rank;   // len(padding)
  int64_t dilation[8];    // dilation
  int64_t dilation_rank;  // len(dilation)
  int64_t groups;         // groups
  int64_t T;              // T
};
static_assert(sizeof(Conv2dDescriptor) == 304);
static_assert(offsetof(Conv2dDescriptor, n) == 0);
static_assert(offsetof(Conv2dDescriptor, cg) == 8);
static_assert(offsetof(Conv2dDescriptor, h) == 16);
static_assert(offsetof(Conv2dDescriptor, w) == 24);
static_assert(offsetof(Conv2dDescriptor, k) == 32);
static_assert(offsetof(Conv2dDescriptor, r) == 40);
static_assert(offsetof(Conv2dDescriptor, s) == 48);
static_assert(offsetof(Conv2dDescriptor, p) == 56);
static_assert(offsetof(Conv2dDescriptor, q) == 64);
static_assert(offsetof(Conv2dDescriptor, stride) == 72);
static_assert(offsetof(Conv2dDescriptor, stride_rank) == 136);
static_assert(offsetof(Conv2dDescriptor, padding) == 144);
static_assert(offsetof(Conv2dDescriptor, padding_rank) == 208);
static_assert(offsetof(Conv2dDescriptor, dilation) == 216);
static_assert(offsetof(Conv2dDescriptor, dilation_rank) == 280);
static_assert(offsetof(Conv2dDescriptor, groups) == 288);
static_assert(offsetof(Conv2dDescriptor, T) == 296);

/// The arguments of a kernel of `conv2d`: outputs, residuals, workspace, inputs.
struct Conv2dArgs {
  const Conv2dDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: n k p q
  opgen::Buffer x;       // T: n groups*cg h w
  opgen::Buffer weight;  // T: k cg r s
  opgen::Buffer bias;    // T: k
};

/// `Conv2dArgs` with types, as a kernel of `conv2d` takes it.
template <class T>
struct Conv2dView {
  const Conv2dDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;             // n k p q
  opgen::Tensor<const T> x;       // n groups*cg h w
  opgen::Tensor<const T> weight;  // k cg r s
  opgen::Tensor<const T> bias;    // k

  explicit Conv2dView(const Conv2dArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), weight(args.weight),
        bias(args.bias) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_cpu(const Conv2dArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_cuda(const Conv2dArgs*) noexcept;

/// The facts of a call for a kernel of `conv2d_dgrad`: 304 bytes, padding is zero.
struct Conv2dDgradDescriptor {
  int64_t n;              // n
  int64_t k;              // k
  int64_t p;              // p
  int64_t q;              // q
  int64_t cg;             // cg
  int64_t r;              // r
  int64_t s;              // s
  int64_t stride[8];      // stride
  int64_t stride_rank;    // len(stride)
  int64_t padding[8];     // padding
  int64_t padding_rank;   // len(padding)
  int64_t dilation[8];    // dilation
  int64_t dilation_rank;  // len(dilation)
  int64_t groups;         // groups
  int64_t h;              // h
  int64_t w;              // w
  int64_t T;              // T
};
static_assert(sizeof(Conv2dDgradDescriptor) == 304);
static_assert(offsetof(Conv2dDgradDescriptor, n) == 0);
static_assert(offsetof(Conv2dDgradDescriptor, k) == 8);
static_assert(offsetof(Conv2dDgradDescriptor, p) == 16);
static_assert(offsetof(Conv2dDgradDescriptor, q) == 24);
static_assert(offsetof(Conv2dDgradDescriptor, cg) == 32);
static_assert(offsetof(Conv2dDgradDescriptor, r) == 40);
static_assert(offsetof(Conv2dDgradDescriptor, s) == 48);
static_assert(offsetof(Conv2dDgradDescriptor, stride) == 56);
static_assert(offsetof(Conv2dDgradDescriptor, stride_rank) == 120);
static_assert(offsetof(Conv2dDgradDescriptor, padding) == 128);
static_assert(offsetof(Conv2dDgradDescriptor, padding_rank) == 192);
static_assert(offsetof(Conv2dDgradDescriptor, dilation) == 200);
static_assert(offsetof(Conv2dDgradDescriptor, dilation_rank) == 264);
static_assert(offsetof(Conv2dDgradDescriptor, groups) == 272);
static_assert(offsetof(Conv2dDgradDescriptor, h) == 280);
static_assert(offsetof(Conv2dDgradDescriptor, w) == 288);
static_assert(offsetof(Conv2dDgradDescriptor, T) == 296);

/// The arguments of a kernel of `conv2d_dgrad`: outputs, residuals, workspace, inputs.
struct Conv2dDgradArgs {
  const Conv2dDgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;      // T: n groups*cg h w
  opgen::Buffer sums;    // f32: n groups*cg h w
  opgen::Buffer dy;      // T: n k p q
  opgen::Buffer weight;  // T: k cg r s
};

/// `Conv2dDgradArgs` with types, as a kernel of `conv2d_dgrad` takes it.
template <class T>
struct Conv2dDgradView {
  const Conv2dDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;            // n groups*cg h w
  opgen::Tensor<float> sums;      // n groups*cg h w
  opgen::Tensor<const T> dy;      // n k p q
  opgen::Tensor<const T> weight;  // k cg r s

  explicit Conv2dDgradView(const Conv2dDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), sums(args.sums), dy(args.dy),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_dgrad_cpu(const Conv2dDgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_dgrad_cuda(const Conv2dDgradArgs*) noexcept;

/// The facts of a call for a kernel of `conv2d_wgrad`: 304 bytes, padding is zero.
struct Conv2dWgradDescriptor {
  int64_t n;              // n
  int64_t k;              // k
  int64_t p;              // p
  int64_t q;              // q
  int64_t cg;             // cg
  int64_t h;              // h
  int64_t w;              // w
  int64_t stride[8];      // stride
  int64_t stride_rank;    // len(stride)
  int64_t padding[8];     // padding
  int64_t padding_rank;   // len(padding)
  int64_t dilation[8];    // dilation
  int64_t dilation_rank;  // len(dilation)
  int64_t groups;         // groups
  int64_t r;              // r
  int64_t s;              // s
  int64_t T;              // T
};
static_assert(sizeof(Conv2dWgradDescriptor) == 304);
static_assert(offsetof(Conv2dWgradDescriptor, n) == 0);
static_assert(offsetof(Conv2dWgradDescriptor, k) == 8);
static_assert(offsetof(Conv2dWgradDescriptor, p) == 16);
static_assert(offsetof(Conv2dWgradDescriptor, q) == 24);
static_assert(offsetof(Conv2dWgradDescriptor, cg) == 32);
static_assert(offsetof(Conv2dWgradDescriptor, h) == 40);
static_assert(offsetof(Conv2dWgradDescriptor, w) == 48);
static_assert(offsetof(Conv2dWgradDescriptor, stride) == 56);
static_assert(offsetof(Conv2dWgradDescriptor, stride_rank) == 120);
static_assert(offsetof(Conv2dWgradDescriptor, padding) == 128);
static_assert(offsetof(Conv2dWgradDescriptor, padding_rank) == 192);
static_assert(offsetof(Conv2dWgradDescriptor, dilation) == 200);
static_assert(offsetof(Conv2dWgradDescriptor, dilation_rank) == 264);
static_assert(offsetof(Conv2dWgradDescriptor, groups) == 272);
static_assert(offsetof(Conv2dWgradDescriptor, r) == 280);
static_assert(offsetof(Conv2dWgradDescriptor, s) == 288);
static_assert(offsetof(Conv2dWgradDescriptor, T) == 296);

/// The arguments of a kernel of `conv2d_wgrad`: outputs, residuals, workspace, inputs.
struct Conv2dWgradArgs {
  const Conv2dWgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweight;  // T: k cg r s
  opgen::Buffer dbias;    // T: k
  opgen::Buffer dy;       // T: n k p q
  opgen::Buffer x;        // T: n groups*cg h w
};

/// `Conv2dWgradArgs` with types, as a kernel of `conv2d_wgrad` takes it.
template <class T>
struct Conv2dWgradView {
  const Conv2dWgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;   // k cg r s
  opgen::Tensor<T> dbias;     // k
  opgen::Tensor<const T> dy;  // n k p q
  opgen::Tensor<const T> x;   // n groups*cg h w

  explicit Conv2dWgradView(const Conv2dWgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), dbias(args.dbias), dy(args.dy),
        x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_wgrad_cpu(const Conv2dWgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_conv2d_wgrad_cuda(const Conv2dWgradArgs*) noexcept;
extern "C" OPGEN_EXPORT int64_t generated_conv2d_wgrad_cuda_workspace(
    const Conv2dWgradDescriptor* desc, opgen::DeviceProperties device) noexcept;

}  // namespace generated
