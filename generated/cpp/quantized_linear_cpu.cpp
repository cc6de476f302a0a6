// The cpu kernels of the quantized_linear family, one instance for each combination of dtypes.
// Rendered by opgen from quantized_linear.toml.
#include "quantized_linear.h"

#include "quantized_linear/quantized_linear_cpu.cpp"

namespace generated {

static opgen::Status int8_linear_dispatch(const Int8LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>>;
  return Table::dispatch(opgen::row(T_, S_), [&](auto row) {
    return cpu::int8_linear(opgen::view<Int8LinearView>(row, args));
  });
}

extern "C" opgen::Status generated_int8_linear_cpu(const Int8LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return int8_linear_dispatch(*args);
}

static opgen::Status int8_linear_dgrad_dispatch(const Int8LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>>;
  return Table::dispatch(opgen::row(T_, S_), [&](auto row) {
    return cpu::int8_linear_dgrad(opgen::view<Int8LinearDgradView>(row, args));
  });
}

extern "C" opgen::Status generated_int8_linear_dgrad_cpu(const Int8LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return int8_linear_dgrad_dispatch(*args);
}

static opgen::Status int4_linear_dispatch(const Int4LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale, &args.zero});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>>;
  return Table::dispatch(opgen::row(T_, S_), [&](auto row) {
    return cpu::int4_linear(opgen::view<Int4LinearView>(row, args));
  });
}

extern "C" opgen::Status generated_int4_linear_cpu(const Int4LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return int4_linear_dispatch(*args);
}

static opgen::Status int4_linear_dgrad_dispatch(const Int4LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale, &args.zero});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>>;
  return Table::dispatch(opgen::row(T_, S_), [&](auto row) {
    return cpu::int4_linear_dgrad(opgen::view<Int4LinearDgradView>(row, args));
  });
}

extern "C" opgen::Status generated_int4_linear_dgrad_cpu(const Int4LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return int4_linear_dgrad_dispatch(*args);
}

}  // namespace generated
