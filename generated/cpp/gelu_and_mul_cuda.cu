// The cuda kernels of the gelu_and_mul family, one instance for each combination of dtypes.
// Rendered by opgen from gelu_and_mul.toml.
#include "gelu_and_mul.h"

#include "opgen/cuda.h"
#include "gelu_and_mul/gelu_and_mul_cuda.cu"

namespace generated {

static opgen::Status gelu_and_mul_dispatch(const GeluAndMulArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::gelu_and_mul(opgen::view<GeluAndMulView>(row, args));
  });
}

extern "C" opgen::Status generated_gelu_and_mul_cuda(const GeluAndMulArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return gelu_and_mul_dispatch(*args);
}

static opgen::Status gelu_and_mul_bwd_dispatch(const GeluAndMulBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::gelu_and_mul_bwd(opgen::view<GeluAndMulBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_gelu_and_mul_bwd_cuda(const GeluAndMulBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return gelu_and_mul_bwd_dispatch(*args);
}

static opgen::Status geglu_dispatch(const GegluArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.gate, &args.up});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::geglu(opgen::view<GegluView>(row, args));
  });
}

extern "C" opgen::Status generated_geglu_cuda(const GegluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return geglu_dispatch(*args);
}

static opgen::Status geglu_bwd_dispatch(const GegluBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dgate, &args.dup, &args.dy, &args.gate, &args.up});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::geglu_bwd(opgen::view<GegluBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_geglu_bwd_cuda(const GegluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dgate, &args->dup})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return geglu_bwd_dispatch(*args);
}

}  // namespace generated
