// The common declarations for kernels and adapters of the embedding family.
// Rendered by opgen from embedding.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `embedding`: 32 bytes, padding is zero.
struct EmbeddingDescriptor {
  int64_t s;        // prod(s)
  int64_t rows;     // rows
  int64_t d;        // d
  // (padding_idx if padding_idx >= 0 else rows + padding_idx) if present(padding_idx) else -1
  int64_t padding;
};
static_assert(sizeof(EmbeddingDescriptor) == 32);
static_assert(offsetof(EmbeddingDescriptor, s) == 0);
static_assert(offsetof(EmbeddingDescriptor, rows) == 8);
static_assert(offsetof(EmbeddingDescriptor, d) == 16);
static_assert(offsetof(EmbeddingDescriptor, padding) == 24);

/// The arguments of a kernel of `embedding`: outputs, residuals, workspace, inputs.
struct EmbeddingArgs {
  const EmbeddingDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // T: *s d
  opgen::Buffer weight;   // T: rows d
  opgen::Buffer indices;  // I: *s
};

/// `EmbeddingArgs` with types, as a kernel of `embedding` takes it.
template <class I>
struct EmbeddingView {
  const EmbeddingDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Buffer y;                 // *s d
  opgen::Buffer weight;            // rows d
  opgen::Tensor<const I> indices;  // *s

  explicit EmbeddingView(const EmbeddingArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), weight(args.weight), indices(args.indices) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_cpu(const EmbeddingArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_cuda(const EmbeddingArgs*) noexcept;

/// The facts of a call for a kernel of `embedding_bwd`: 32 bytes, padding is zero.
struct EmbeddingBwdDescriptor {
  int64_t s;        // prod(s)
  int64_t rows;     // rows
  int64_t d;        // d
  // (padding_idx if padding_idx >= 0 else rows + padding_idx) if present(padding_idx) else -1
  int64_t padding;
};
static_assert(sizeof(EmbeddingBwdDescriptor) == 32);
static_assert(offsetof(EmbeddingBwdDescriptor, s) == 0);
static_assert(offsetof(EmbeddingBwdDescriptor, rows) == 8);
static_assert(offsetof(EmbeddingBwdDescriptor, d) == 16);
static_assert(offsetof(EmbeddingBwdDescriptor, padding) == 24);

/// The arguments of a kernel of `embedding_bwd`: outputs, residuals, workspace, inputs.
struct EmbeddingBwdArgs {
  const EmbeddingBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweight;  // T: rows d
  opgen::Buffer ends;     // i64: rows
  opgen::Buffer order;    // i64: prod(s)
  opgen::Buffer dy;       // T: *s d
  opgen::Buffer indices;  // I: *s
};

/// `EmbeddingBwdArgs` with types, as a kernel of `embedding_bwd` takes it.
template <class T, class I>
struct EmbeddingBwdView {
  const EmbeddingBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;        // rows d
  opgen::Tensor<int64_t> ends;     // rows
  opgen::Tensor<int64_t> order;    // prod(s)
  opgen::Tensor<const T> dy;       // *s d
  opgen::Tensor<const I> indices;  // *s

  explicit EmbeddingBwdView(const EmbeddingBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), ends(args.ends), order(args.order),
        dy(args.dy), indices(args.indices) {}
};

/// `EmbeddingBwdArgs` with types, as a kernel of `embedding_bwd` takes it.
template <class T>
struct EmbeddingBwdCudaView {
  const EmbeddingBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;      // rows d
  opgen::Tensor<int64_t> ends;   // rows
  opgen::Tensor<int64_t> order;  // prod(s)
  opgen::Tensor<const T> dy;     // *s d
  opgen::Buffer indices;         // *s

  explicit EmbeddingBwdCudaView(const EmbeddingBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), ends(args.ends), order(args.order),
        dy(args.dy), indices(args.indices) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_cpu(const EmbeddingBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_cuda(
    const EmbeddingBwdArgs*) noexcept;

/// The facts of a call for a kernel of `embedding_bwd_bwd`: 32 bytes, padding is zero.
struct EmbeddingBwdBwdDescriptor {
  int64_t s;        // prod(s)
  int64_t rows;     // rows
  int64_t d;        // d
  // (padding_idx if padding_idx >= 0 else rows + padding_idx) if present(padding_idx) else -1
  int64_t padding;
};
static_assert(sizeof(EmbeddingBwdBwdDescriptor) == 32);
static_assert(offsetof(EmbeddingBwdBwdDescriptor, s) == 0);
static_assert(offsetof(EmbeddingBwdBwdDescriptor, rows) == 8);
static_assert(offsetof(EmbeddingBwdBwdDescriptor, d) == 16);
static_assert(offsetof(EmbeddingBwdBwdDescriptor, padding) == 24);

/// The arguments of a kernel of `embedding_bwd_bwd`: outputs, residuals, workspace, inputs.
struct EmbeddingBwdBwdArgs {
  const EmbeddingBwdBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer ddy;       // T: *s d
  opgen::Buffer ddweight;  // T: rows d
  opgen::Buffer indices;   // I: *s
};

/// `EmbeddingBwdBwdArgs` with types, as a kernel of `embedding_bwd_bwd` takes it.
template <class I>
struct EmbeddingBwdBwdView {
  const EmbeddingBwdBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Buffer ddy;               // *s d
  opgen::Buffer ddweight;          // rows d
  opgen::Tensor<const I> indices;  // *s

  explicit EmbeddingBwdBwdView(const EmbeddingBwdBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), ddy(args.ddy), ddweight(args.ddweight),
        indices(args.indices) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_bwd_cpu(
    const EmbeddingBwdBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_bwd_cuda(
    const EmbeddingBwdBwdArgs*) noexcept;

/// The facts of a call for a kernel of `embedding_rows`: 56 bytes, padding is zero.
struct EmbeddingRowsDescriptor {
  int64_t n;       // n
  int64_t d;       // d
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t rows;    // rows
  int64_t T;       // T
  int64_t I;       // I
};
static_assert(sizeof(EmbeddingRowsDescriptor) == 56);
static_assert(offsetof(EmbeddingRowsDescriptor, n) == 0);
static_assert(offsetof(EmbeddingRowsDescriptor, d) == 8);
static_assert(offsetof(EmbeddingRowsDescriptor, s) == 16);
static_assert(offsetof(EmbeddingRowsDescriptor, s_rank) == 24);
static_assert(offsetof(EmbeddingRowsDescriptor, rows) == 32);
static_assert(offsetof(EmbeddingRowsDescriptor, T) == 40);
static_assert(offsetof(EmbeddingRowsDescriptor, I) == 48);

/// The arguments of a kernel of `embedding_rows`: outputs, residuals, workspace, inputs.
struct EmbeddingRowsArgs {
  const EmbeddingRowsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;        // T: *s d
  opgen::Buffer weight;   // T: n d
  opgen::Buffer indices;  // I: *s
  opgen::Buffer first;    // i64: scalar
};

/// `EmbeddingRowsArgs` with types, as a kernel of `embedding_rows` takes it.
template <class I>
struct EmbeddingRowsView {
  const EmbeddingRowsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Buffer y;                     // *s d
  opgen::Buffer weight;                // n d
  opgen::Tensor<const I> indices;      // *s
  opgen::Tensor<const int64_t> first;  // scalar

  explicit EmbeddingRowsView(const EmbeddingRowsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), weight(args.weight), indices(args.indices),
        first(args.first) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_rows_cpu(
    const EmbeddingRowsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_rows_cuda(
    const EmbeddingRowsArgs*) noexcept;

/// The facts of a call for a kernel of `embedding_bwd_rows`: 40 bytes, padding is zero.
struct EmbeddingBwdRowsDescriptor {
  int64_t s;        // prod(s)
  int64_t rows;     // rows
  int64_t d;        // d
  // (padding_idx if padding_idx >= 0 else rows + padding_idx) if present(padding_idx) else -1
  int64_t padding;
  int64_t n;        // n
};
static_assert(sizeof(EmbeddingBwdRowsDescriptor) == 40);
static_assert(offsetof(EmbeddingBwdRowsDescriptor, s) == 0);
static_assert(offsetof(EmbeddingBwdRowsDescriptor, rows) == 8);
static_assert(offsetof(EmbeddingBwdRowsDescriptor, d) == 16);
static_assert(offsetof(EmbeddingBwdRowsDescriptor, padding) == 24);
static_assert(offsetof(EmbeddingBwdRowsDescriptor, n) == 32);

/// The arguments of a kernel of `embedding_bwd_rows`: outputs, residuals, workspace, inputs.
struct EmbeddingBwdRowsArgs {
  const EmbeddingBwdRowsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweight;  // T: n d
  opgen::Buffer ends;     // i64: n
  opgen::Buffer order;    // i64: prod(s)
  opgen::Buffer dy;       // T: *s d
  opgen::Buffer indices;  // I: *s
  opgen::Buffer first;    // i64: scalar
};

/// `EmbeddingBwdRowsArgs` with types, as a kernel of `embedding_bwd_rows` takes it.
template <class T, class I>
struct EmbeddingBwdRowsView {
  const EmbeddingBwdRowsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;            // n d
  opgen::Tensor<int64_t> ends;         // n
  opgen::Tensor<int64_t> order;        // prod(s)
  opgen::Tensor<const T> dy;           // *s d
  opgen::Tensor<const I> indices;      // *s
  opgen::Tensor<const int64_t> first;  // scalar

  explicit EmbeddingBwdRowsView(const EmbeddingBwdRowsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), ends(args.ends), order(args.order),
        dy(args.dy), indices(args.indices), first(args.first) {}
};

/// `EmbeddingBwdRowsArgs` with types, as a kernel of `embedding_bwd_rows` takes it.
template <class T>
struct EmbeddingBwdRowsCudaView {
  const EmbeddingBwdRowsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;            // n d
  opgen::Tensor<int64_t> ends;         // n
  opgen::Tensor<int64_t> order;        // prod(s)
  opgen::Tensor<const T> dy;           // *s d
  opgen::Buffer indices;               // *s
  opgen::Tensor<const int64_t> first;  // scalar

  explicit EmbeddingBwdRowsCudaView(const EmbeddingBwdRowsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), ends(args.ends), order(args.order),
        dy(args.dy), indices(args.indices), first(args.first) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_rows_cpu(
    const EmbeddingBwdRowsArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bwd_rows_cuda(
    const EmbeddingBwdRowsArgs*) noexcept;

}  // namespace generated
