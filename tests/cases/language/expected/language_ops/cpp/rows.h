// The common declarations for kernels and adapters of the rows family.
// Rendered by opgen from rows.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace language_ops {

/// The facts of a call for a kernel of `unit_rows`: 32 bytes, padding is zero.
struct UnitRowsDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t T;           // T
};
static_assert(sizeof(UnitRowsDescriptor) == 32);
static_assert(offsetof(UnitRowsDescriptor, batch) == 0);
static_assert(offsetof(UnitRowsDescriptor, batch_rank) == 8);
static_assert(offsetof(UnitRowsDescriptor, d) == 16);
static_assert(offsetof(UnitRowsDescriptor, T) == 24);

/// The arguments of a kernel of `unit_rows`: outputs, residuals, workspace, inputs.
struct UnitRowsArgs {
  const UnitRowsDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // T: *batch d
  opgen::Buffer length;  // T: *batch
  opgen::Buffer x;       // T: *batch d
  opgen::Buffer weight;  // T: d
};

/// `UnitRowsArgs` with types, as a kernel of `unit_rows` takes it.
template <class T>
struct UnitRowsView {
  const UnitRowsDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;             // *batch d
  opgen::Tensor<T> length;        // *batch
  opgen::Tensor<const T> x;       // *batch d
  opgen::Tensor<const T> weight;  // d

  explicit UnitRowsView(const UnitRowsArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), length(args.length), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_unit_rows_cpu(const UnitRowsArgs*) noexcept;

/// The facts of a call for a kernel of `unit_rows_dx`: 32 bytes, padding is zero.
struct UnitRowsDxDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t T;           // T
};
static_assert(sizeof(UnitRowsDxDescriptor) == 32);
static_assert(offsetof(UnitRowsDxDescriptor, batch) == 0);
static_assert(offsetof(UnitRowsDxDescriptor, batch_rank) == 8);
static_assert(offsetof(UnitRowsDxDescriptor, d) == 16);
static_assert(offsetof(UnitRowsDxDescriptor, T) == 24);

/// The arguments of a kernel of `unit_rows_dx`: outputs, residuals, workspace, inputs.
struct UnitRowsDxArgs {
  const UnitRowsDxDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;      // T: *batch d
  opgen::Buffer dy;      // T: *batch d
  opgen::Buffer x;       // T: *batch d
  opgen::Buffer weight;  // T: d
  opgen::Buffer length;  // T: *batch
};

/// `UnitRowsDxArgs` with types, as a kernel of `unit_rows_dx` takes it.
template <class T>
struct UnitRowsDxView {
  const UnitRowsDxDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;            // *batch d
  opgen::Tensor<const T> dy;      // *batch d
  opgen::Tensor<const T> x;       // *batch d
  opgen::Tensor<const T> weight;  // d
  opgen::Tensor<const T> length;  // *batch

  explicit UnitRowsDxView(const UnitRowsDxArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), x(args.x), weight(args.weight),
        length(args.length) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_unit_rows_dx_cpu(const UnitRowsDxArgs*) noexcept;

/// The facts of a call for a kernel of `unit_rows_dw`: 32 bytes, padding is zero.
struct UnitRowsDwDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t T;           // T
};
static_assert(sizeof(UnitRowsDwDescriptor) == 32);
static_assert(offsetof(UnitRowsDwDescriptor, batch) == 0);
static_assert(offsetof(UnitRowsDwDescriptor, batch_rank) == 8);
static_assert(offsetof(UnitRowsDwDescriptor, d) == 16);
static_assert(offsetof(UnitRowsDwDescriptor, T) == 24);

/// The arguments of a kernel of `unit_rows_dw`: outputs, residuals, workspace, inputs.
struct UnitRowsDwArgs {
  const UnitRowsDwDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dweight;  // T: d
  opgen::Buffer dy;       // T: *batch d
  opgen::Buffer x;        // T: *batch d
  opgen::Buffer length;   // T: *batch
};

/// `UnitRowsDwArgs` with types, as a kernel of `unit_rows_dw` takes it.
template <class T>
struct UnitRowsDwView {
  const UnitRowsDwDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dweight;       // d
  opgen::Tensor<const T> dy;      // *batch d
  opgen::Tensor<const T> x;       // *batch d
  opgen::Tensor<const T> length;  // *batch

  explicit UnitRowsDwView(const UnitRowsDwArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dweight(args.dweight), dy(args.dy), x(args.x),
        length(args.length) {}
};

extern "C" OPGEN_EXPORT opgen::Status language_ops_unit_rows_dw_cpu(const UnitRowsDwArgs*) noexcept;

}  // namespace language_ops
