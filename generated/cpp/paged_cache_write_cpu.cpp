// The cpu kernels of the paged_cache_write family, one instance for each combination of dtypes.
// Rendered by opgen from paged_cache_write.toml.
#include "paged_cache_write.h"

#include "paged_cache_write/paged_cache_write_cpu.cpp"

namespace generated {

static opgen::Status paged_cache_write_dispatch(const PagedCacheWriteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.k, &args.v});
  const opgen::ElementType C_ = opgen::dtype_of({&args.k_cache, &args.v_cache});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f8e4m3>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<opgen::f16, opgen::f8e4m3>,
      opgen::Row<float, float>, opgen::Row<float, opgen::f8e4m3>>;
  return Table::dispatch(opgen::row(T_, C_), [&](auto row) {
    return cpu::paged_cache_write(opgen::view<PagedCacheWriteView>(row, args));
  });
}

extern "C" opgen::Status generated_paged_cache_write_cpu(const PagedCacheWriteArgs* args) noexcept {
  if (opgen::all_empty({&args->k_cache, &args->v_cache})) return opgen::Status::ok;
  return paged_cache_write_dispatch(*args);
}

}  // namespace generated
