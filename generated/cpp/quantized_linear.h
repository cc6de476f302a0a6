// The common declarations for kernels and adapters of the quantized_linear family.
// Rendered by opgen from quantized_linear.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `int8_linear`: 48 bytes, padding is zero.
struct Int8LinearDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t k;           // k
  int64_t n;           // n
  int64_t T;           // T
  int64_t S;           // S
};
static_assert(sizeof(Int8LinearDescriptor) == 48);
static_assert(offsetof(Int8LinearDescriptor, batch) == 0);
static_assert(offsetof(Int8LinearDescriptor, batch_rank) == 8);
static_assert(offsetof(Int8LinearDescriptor, k) == 16);
static_assert(offsetof(Int8LinearDescriptor, n) == 24);
static_assert(offsetof(Int8LinearDescriptor, T) == 32);
static_assert(offsetof(Int8LinearDescriptor, S) == 40);

/// The arguments of a kernel of `int8_linear`: outputs, residuals, workspace, inputs.
struct Int8LinearArgs {
  const Int8LinearDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *batch n
  opgen::Buffer x;       // T: *batch k
  opgen::Buffer weight;  // i8: n k
  opgen::Buffer scale;   // S: n
};

/// `Int8LinearArgs` with types, as a kernel of `int8_linear` takes it.
template <class T, class S>
struct Int8LinearView {
  const Int8LinearDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                  // *batch n
  opgen::Tensor<const T> x;            // *batch k
  opgen::Tensor<const int8_t> weight;  // n k
  opgen::Tensor<const S> scale;        // n

  explicit Int8LinearView(const Int8LinearArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), weight(args.weight),
        scale(args.scale) {}
};

/// `Int8LinearArgs` with types, as a kernel of `int8_linear` takes it.
template <class T>
struct Int8LinearCudaView {
  const Int8LinearDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                  // *batch n
  opgen::Tensor<const T> x;            // *batch k
  opgen::Tensor<const int8_t> weight;  // n k
  opgen::Buffer scale;                 // n

  explicit Int8LinearCudaView(const Int8LinearArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), weight(args.weight),
        scale(args.scale) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_int8_linear_cpu(const Int8LinearArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_int8_linear_cuda(const Int8LinearArgs*) noexcept;

/// The facts of a call for a kernel of `int8_linear_dgrad`: 48 bytes, padding is zero.
struct Int8LinearDgradDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t n;           // n
  int64_t k;           // k
  int64_t T;           // T
  int64_t S;           // S
};
static_assert(sizeof(Int8LinearDgradDescriptor) == 48);
static_assert(offsetof(Int8LinearDgradDescriptor, batch) == 0);
static_assert(offsetof(Int8LinearDgradDescriptor, batch_rank) == 8);
static_assert(offsetof(Int8LinearDgradDescriptor, n) == 16);
static_assert(offsetof(Int8LinearDgradDescriptor, k) == 24);
static_assert(offsetof(Int8LinearDgradDescriptor, T) == 32);
static_assert(offsetof(Int8LinearDgradDescriptor, S) == 40);

/// The arguments of a kernel of `int8_linear_dgrad`: outputs, residuals, workspace, inputs.
struct Int8LinearDgradArgs {
  const Int8LinearDgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;      // T: *batch k
  opgen::Buffer dy;      // T: *batch n
  opgen::Buffer weight;  // i8: n k
  opgen::Buffer scale;   // S: n
};

/// `Int8LinearDgradArgs` with types, as a kernel of `int8_linear_dgrad` takes it.
template <class T, class S>
struct Int8LinearDgradView {
  const Int8LinearDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;                 // *batch k
  opgen::Tensor<const T> dy;           // *batch n
  opgen::Tensor<const int8_t> weight;  // n k
  opgen::Tensor<const S> scale;        // n

  explicit Int8LinearDgradView(const Int8LinearDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), weight(args.weight),
        scale(args.scale) {}
};

/// `Int8LinearDgradArgs` with types, as a kernel of `int8_linear_dgrad` takes it.
template <class T>
struct Int8LinearDgradCudaView {
  const Int8LinearDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;                 // *batch k
  opgen::Tensor<const T> dy;           // *batch n
  opgen::Tensor<const int8_t> weight;  // n k
  opgen::Buffer scale;                 // n

  explicit Int8LinearDgradCudaView(const Int8LinearDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), weight(args.weight),
        scale(args.scale) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_int8_linear_dgrad_cpu(
    const Int8LinearDgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_int8_linear_dgrad_cuda(
    const Int8LinearDgradArgs*) noexcept;

/// The facts of a call for a kernel of `int4_linear`: 56 bytes, padding is zero.
struct Int4LinearDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t g;           // g
  int64_t h;           // h
  int64_t n;           // n
  int64_t T;           // T
  int64_t S;           // S
};
static_assert(sizeof(Int4LinearDescriptor) == 56);
static_assert(offsetof(Int4LinearDescriptor, batch) == 0);
static_assert(offsetof(Int4LinearDescriptor, batch_rank) == 8);
static_assert(offsetof(Int4LinearDescriptor, g) == 16);
static_assert(offsetof(Int4LinearDescriptor, h) == 24);
static_assert(offsetof(Int4LinearDescriptor, n) == 32);
static_assert(offsetof(Int4LinearDescriptor, T) == 40);
static_assert(offsetof(Int4LinearDescriptor, S) == 48);

/// The arguments of a kernel of `int4_linear`: outputs, residuals, workspace, inputs.
struct Int4LinearArgs {
  const Int4LinearDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *batch n
  opgen::Buffer x;       // T: *batch g*h*2
  opgen::Buffer weight;  // u8: n g*h
  opgen::Buffer scale;   // S: n g
  opgen::Buffer zero;    // S: n g
};

/// `Int4LinearArgs` with types, as a kernel of `int4_linear` takes it.
template <class T, class S>
struct Int4LinearView {
  const Int4LinearDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                   // *batch n
  opgen::Tensor<const T> x;             // *batch g*h*2
  opgen::Tensor<const uint8_t> weight;  // n g*h
  opgen::Tensor<const S> scale;         // n g
  opgen::Tensor<const S> zero;          // n g

  explicit Int4LinearView(const Int4LinearArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), weight(args.weight),
        scale(args.scale), zero(args.zero) {}
};

/// `Int4LinearArgs` with types, as a kernel of `int4_linear` takes it.
template <class T>
struct Int4LinearCudaView {
  const Int4LinearDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                   // *batch n
  opgen::Tensor<const T> x;             // *batch g*h*2
  opgen::Tensor<const uint8_t> weight;  // n g*h
  opgen::Buffer scale;                  // n g
  opgen::Buffer zero;                   // n g

  explicit Int4LinearCudaView(const Int4LinearArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), weight(args.weight),
        scale(args.scale), zero(args.zero) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_int4_linear_cpu(const Int4LinearArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_int4_linear_cuda(const Int4LinearArgs*) noexcept;

/// The facts of a call for a kernel of `int4_linear_dgrad`: 56 bytes, padding is zero.
struct Int4LinearDgradDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t n;           // n
  int64_t g;           // g
  int64_t h;           // h
  int64_t T;           // T
  int64_t S;           // S
};
static_assert(sizeof(Int4LinearDgradDescriptor) == 56);
static_assert(offsetof(Int4LinearDgradDescriptor, batch) == 0);
static_assert(offsetof(Int4LinearDgradDescriptor, batch_rank) == 8);
static_assert(offsetof(Int4LinearDgradDescriptor, n) == 16);
static_assert(offsetof(Int4LinearDgradDescriptor, g) == 24);
static_assert(offsetof(Int4LinearDgradDescriptor, h) == 32);
static_assert(offsetof(Int4LinearDgradDescriptor, T) == 40);
static_assert(offsetof(Int4LinearDgradDescriptor, S) == 48);

/// The arguments of a kernel of `int4_linear_dgrad`: outputs, residuals, workspace, inputs.
struct Int4LinearDgradArgs {
  const Int4LinearDgradDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;      // T: *batch g*h*2
  opgen::Buffer dy;      // T: *batch n
  opgen::Buffer weight;  // u8: n g*h
  opgen::Buffer scale;   // S: n g
  opgen::Buffer zero;    // S: n g
};

/// `Int4LinearDgradArgs` with types, as a kernel of `int4_linear_dgrad` takes it.
template <class T, class S>
struct Int4LinearDgradView {
  const Int4LinearDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;                  // *batch g*h*2
  opgen::Tensor<const T> dy;            // *batch n
  opgen::Tensor<const uint8_t> weight;  // n g*h
  opgen::Tensor<const S> scale;         // n g
  opgen::Tensor<const S> zero;          // n g

  explicit Int4LinearDgradView(const Int4LinearDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), weight(args.weight),
        scale(args.scale), zero(args.zero) {}
};

/// `Int4LinearDgradArgs` with types, as a kernel of `int4_linear_dgrad` takes it.
template <class T>
struct Int4LinearDgradCudaView {
  const Int4LinearDgradDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;                  // *batch g*h*2
  opgen::Tensor<const T> dy;            // *batch n
  opgen::Tensor<const uint8_t> weight;  // n g*h
  opgen::Buffer scale;                  // n g
  opgen::Buffer zero;                   // n g

  explicit Int4LinearDgradCudaView(const Int4LinearDgradArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), weight(args.weight),
        scale(args.scale), zero(args.zero) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_int4_linear_dgrad_cpu(
    const Int4LinearDgradArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_int4_linear_dgrad_cuda(
    const Int4LinearDgradArgs*) noexcept;

}  // namespace generated
