// The cpu kernels of the quantize_fp8 family, one instance for each combination of dtypes.
// Rendered by opgen from quantize_fp8.toml.
#include "quantize_fp8.h"

#include "quantize_fp8/quantize_fp8_cpu.cpp"

namespace generated {

static opgen::Status quantize_fp8_dispatch(const QuantizeFp8Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType out_dtype_ = opgen::dtype_of({&args.q});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16, opgen::f8e4m3>, opgen::Row<opgen::bf16, opgen::f8e5m2>,
      opgen::Row<opgen::f16, opgen::f8e4m3>, opgen::Row<opgen::f16, opgen::f8e5m2>,
      opgen::Row<float, opgen::f8e4m3>, opgen::Row<float, opgen::f8e5m2>>;
  return Table::dispatch(opgen::row(T_, out_dtype_), [&](auto row) {
    return cpu::quantize_fp8(opgen::view<QuantizeFp8View>(row, args));
  });
}

extern "C" opgen::Status generated_quantize_fp8_cpu(const QuantizeFp8Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->scale})) return opgen::Status::ok;
  return quantize_fp8_dispatch(*args);
}

}  // namespace generated
