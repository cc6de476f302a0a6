// The cuda kernels of the quantized_linear family, one instance for each combination of dtypes.
// Rendered by opgen from quantized_linear.toml.
#include "quantized_linear.h"

#include "opgen/cuda.h"
#include "quantized_linear/quantized_linear_cuda.cu"

namespace generated {

static opgen::Status int8_linear_dispatch(const Int8LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::int8_linear(opgen::view<Int8LinearCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_int8_linear_cuda(const Int8LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int8_linear_dispatch(*args);
}

static opgen::Status int8_linear_dgrad_dispatch(const Int8LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::int8_linear_dgrad(opgen::view<Int8LinearDgradCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_int8_linear_dgrad_cuda(
    const Int8LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int8_linear_dgrad_dispatch(*args);
}

static opgen::Status int4_linear_dispatch(const Int4LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::int4_linear(opgen::view<Int4LinearCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_int4_linear_cuda(const Int4LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int4_linear_dispatch(*args);
}

static opgen::Status int4_linear_dgrad_dispatch(const Int4LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::int4_linear_dgrad(opgen::view<Int4LinearDgradCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_int4_linear_dgrad_cuda(
    const Int4LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int4_linear_dgrad_dispatch(*args);
}

}  // namespace generated
