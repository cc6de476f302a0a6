// The cpu kernels of the seeds family, one instance for each combination of dtypes.
// Rendered by opgen from seeds.toml.
#include "seeds.h"

#include "seeds/seeds.cpp"

namespace language_ops {

static opgen::Status masked_dispatch(const MaskedArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::masked(opgen::view<MaskedView>(row, args));
  });
}

extern "C" opgen::Status language_ops_masked_cpu(const MaskedArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return masked_dispatch(*args);
}

}  // namespace language_ops
