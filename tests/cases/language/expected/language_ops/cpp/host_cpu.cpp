// The cpu kernels of the host family, one instance for each combination of dtypes.
// Rendered by opgen from host.toml.
#include "host.h"

#include "host/host.cpp"

namespace language_ops {

static opgen::Status segment_sums_dispatch(const SegmentSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::segment_sums(opgen::view<SegmentSumsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_segment_sums_cpu(const SegmentSumsArgs* args) noexcept {
  return segment_sums_dispatch(*args);
}

}  // namespace language_ops
