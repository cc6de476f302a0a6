// The cpu kernels of the bins family, one instance for each combination of dtypes.
// Rendered by opgen from bins.toml.
#include "bins.h"

#include "bins/bins.cpp"

namespace language_ops {

static opgen::Status bin_sums_dispatch(const BinSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::bin_sums(opgen::view<BinSumsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_bin_sums_cpu(const BinSumsArgs* args) noexcept {
  if (opgen::all_empty({&args->sums, &args->counts})) return opgen::Status::ok;
  return bin_sums_dispatch(*args);
}

extern "C" int64_t language_ops_bin_sums_cpu_workspace(const BinSumsDescriptor* desc,
                                                       opgen::DeviceProperties device) noexcept {
  return cpu::bin_sums_bytes(*desc, device);
}

}  // namespace language_ops
