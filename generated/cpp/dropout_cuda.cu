// The cuda kernels of the dropout family, one instance for each combination of dtypes.
// Rendered by opgen from dropout.toml.
#include "dropout.h"

#include "opgen/cuda.h"
#include "dropout/dropout_cuda.cu"

namespace generated {

static opgen::Status dropout_dispatch(const DropoutArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::dropout(opgen::view<DropoutView>(row, args));
  });
}

extern "C" opgen::Status generated_dropout_cuda(const DropoutArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return dropout_dispatch(*args);
}

}  // namespace generated
