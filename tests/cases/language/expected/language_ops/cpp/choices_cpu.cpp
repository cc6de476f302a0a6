// The cpu kernels of the choices family, one instance for each combination of dtypes.
// Rendered by opgen from choices.toml.
#include "choices.h"

#include "choices/choices.cpp"

namespace language_ops {

static opgen::Status row_sums_dispatch_0(const RowSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::row_sums_by_fours(opgen::view<RowSumsView>(row, args));
  });
}

static opgen::Status row_sums_dispatch_1(const RowSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::row_sums(opgen::view<RowSumsView>(row, args));
  });
}

static constexpr const char* language_ops_row_sums_cpu_names[] = {"by_fours", "row_sums"};
static constexpr uint32_t language_ops_row_sums_cpu_guarantees[] = {0, 3, 0};
opgen::Kernels<RowSumsArgs> language_ops_row_sums_cpu_kernels(
    RowSumsLayout, language_ops_row_sums_cpu_names, language_ops_row_sums_cpu_guarantees);

extern "C" void language_ops_row_sums_cpu_ask(uint32_t guarantees) noexcept {
  language_ops_row_sums_cpu_kernels.ask(guarantees);
}

extern "C" void language_ops_row_sums_cpu_force(int32_t kernel) noexcept {
  language_ops_row_sums_cpu_kernels.force(kernel);
}

extern "C" int32_t language_ops_row_sums_cpu_add(const opgen::AddedKernel<RowSumsArgs>* kernel,
                                                 const char* name) noexcept {
  return language_ops_row_sums_cpu_kernels.add(*kernel, name);
}

extern "C" opgen::Status language_ops_row_sums_cpu(const RowSumsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  switch (args->ctx->kernel) {
    case 0:
      return row_sums_dispatch_0(*args);
    case 1:
      return row_sums_dispatch_1(*args);
    default:
      return language_ops_row_sums_cpu_kernels.run(args->ctx->kernel, args);
  }
}

}  // namespace language_ops
