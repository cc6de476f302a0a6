// The common declarations for kernels and adapters of the embedding_bag family.
// Rendered by opgen from embedding_bag.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `embedding_bag`: 56 bytes, padding is zero.
struct EmbeddingBagDescriptor {
  int64_t rows;  // rows
  int64_t d;     // d
  int64_t n;     // n
  int64_t b;     // b
  int64_t mode;  // mode
  int64_t T;     // T
  int64_t I;     // I
};
static_assert(sizeof(EmbeddingBagDescriptor) == 56);
static_assert(offsetof(EmbeddingBagDescriptor, rows) == 0);
static_assert(offsetof(EmbeddingBagDescriptor, d) == 8);
static_assert(offsetof(EmbeddingBagDescriptor, n) == 16);
static_assert(offsetof(EmbeddingBagDescriptor, b) == 24);
static_assert(offsetof(EmbeddingBagDescriptor, mode) == 32);
static_assert(offsetof(EmbeddingBagDescriptor, T) == 40);
static_assert(offsetof(EmbeddingBagDescriptor, I) == 48);

/// The arguments of a kernel of `embedding_bag`: outputs, residuals, workspace, inputs.
struct EmbeddingBagArgs {
  const EmbeddingBagDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;               // T: b d
  opgen::Buffer argmax;          // I: b d
  opgen::Buffer weight;          // T: rows d
  opgen::Buffer indices;         // I: n
  opgen::Buffer offsets;         // I: b+1
  opgen::Buffer sample_weights;  // T: n
};

/// `EmbeddingBagArgs` with types, as a kernel of `embedding_bag` takes it.
template <class T, class I>
struct EmbeddingBagView {
  const EmbeddingBagDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                     // b d
  opgen::Tensor<I> argmax;                // b d
  opgen::Tensor<const T> weight;          // rows d
  opgen::Tensor<const I> indices;         // n
  opgen::Tensor<const I> offsets;         // b+1
  opgen::Tensor<const T> sample_weights;  // n

  explicit EmbeddingBagView(const EmbeddingBagArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), argmax(args.argmax), weight(args.weight),
        indices(args.indices), offsets(args.offsets), sample_weights(args.sample_weights) {}
};

/// `EmbeddingBagArgs` with types, as a kernel of `embedding_bag` takes it.
template <class T>
struct EmbeddingBagCudaView {
  const EmbeddingBagDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;                     // b d
  opgen::Buffer argmax;                   // b d
  opgen::Tensor<const T> weight;          // rows d
  opgen::Buffer indices;                  // n
  opgen::Buffer offsets;                  // b+1
  opgen::Tensor<const T> sample_weights;  // n

  explicit EmbeddingBagCudaView(const EmbeddingBagArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), argmax(args.argmax), weight(args.weight),
        indices(args.indices), offsets(args.offsets), sample_weights(args.sample_weights) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bag_cpu(const EmbeddingBagArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bag_cuda(
    const EmbeddingBagArgs*) noexcept;

/// The facts of a call for a kernel of `embedding_bag_bwd`: 56 bytes, padding is zero.
struct EmbeddingBagBwdDescriptor {
  int64_t b;     // b
  int64_t d;     // d
  int64_t n;     // n
  int64_t rows;  // rows
  int64_t mode;  // mode
  int64_t T;     // T
  int64_t I;     // I
};
static_assert(sizeof(EmbeddingBagBwdDescriptor) == 56);
static_assert(offsetof(EmbeddingBagBwdDescriptor, b) == 0);
static_assert(offsetof(EmbeddingBagBwdDescriptor, d) == 8);
static_assert(offsetof(EmbeddingBagBwdDescriptor, n) == 16);
static_assert(offsetof(EmbeddingBagBwdDescriptor, rows) == 24);
static_assert(offsetof(EmbeddingBagBwdDescriptor, mode) == 32);
static_assert(offsetof(EmbeddingBagBwdDescriptor, T) == 40);
static_assert(offsetof(EmbeddingBagBwdDescriptor, I) == 48);

/// The arguments of a kernel of `embedding_bag_bwd`: outputs, residuals, workspace, inputs.
struct EmbeddingBagBwdArgs {
  const EmbeddingBagBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweight;          // T: rows d
  opgen::Buffer dsample_weights;  // T: n
  opgen::Buffer ends;             // i64: rows
  opgen::Buffer order;            // i64: n
  opgen::Buffer bags;             // i64: n
  opgen::Buffer dy;               // T: b d
  opgen::Buffer indices;          // I: n
  opgen::Buffer offsets;          // I: b+1
  opgen::Buffer sample_weights;   // T: n
  opgen::Buffer argmax;           // I: b d
  opgen::Buffer weight;           // T: rows d
};

/// `EmbeddingBagBwdArgs` with types, as a kernel of `embedding_bag_bwd` takes it.
template <class T, class I>
struct EmbeddingBagBwdView {
  const EmbeddingBagBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;               // rows d
  opgen::Tensor<T> dsample_weights;       // n
  opgen::Tensor<int64_t> ends;            // rows
  opgen::Tensor<int64_t> order;           // n
  opgen::Tensor<int64_t> bags;            // n
  opgen::Tensor<const T> dy;              // b d
  opgen::Tensor<const I> indices;         // n
  opgen::Tensor<const I> offsets;         // b+1
  opgen::Tensor<const T> sample_weights;  // n
  opgen::Tensor<const I> argmax;          // b d
  opgen::Tensor<const T> weight;          // rows d

  explicit EmbeddingBagBwdView(const EmbeddingBagBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight),
        dsample_weights(args.dsample_weights), ends(args.ends), order(args.order), bags(args.bags),
        dy(args.dy), indices(args.indices), offsets(args.offsets),
        sample_weights(args.sample_weights), argmax(args.argmax), weight(args.weight) {}
};

/// `EmbeddingBagBwdArgs` with types, as a kernel of `embedding_bag_bwd` takes it.
template <class T>
struct EmbeddingBagBwdCudaView {
  const EmbeddingBagBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;               // rows d
  opgen::Tensor<T> dsample_weights;       // n
  opgen::Tensor<int64_t> ends;            // rows
  opgen::Tensor<int64_t> order;           // n
  opgen::Tensor<int64_t> bags;            // n
  opgen::Tensor<const T> dy;              // b d
  opgen::Buffer indices;                  // n
  opgen::Buffer offsets;                  // b+1
  opgen::Tensor<const T> sample_weights;  // n
  opgen::Buffer argmax;                   // b d
  opgen::Tensor<const T> weight;          // rows d

  explicit EmbeddingBagBwdCudaView(const EmbeddingBagBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight),
        dsample_weights(args.dsample_weights), ends(args.ends), order(args.order), bags(args.bags),
        dy(args.dy), indices(args.indices), offsets(args.offsets),
        sample_weights(args.sample_weights), argmax(args.argmax), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bag_bwd_cpu(
    const EmbeddingBagBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_embedding_bag_bwd_cuda(
    const EmbeddingBagBwdArgs*) noexcept;

}  // namespace generated
