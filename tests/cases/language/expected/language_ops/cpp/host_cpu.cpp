// The cpu kernels of the host family, one instance for each combination of dtypes.
// Rendered by opgen from host.toml.
#include "host.h"

#include "host/host.cpp"

namespace language_ops {

static opgen::Status segment_sums_dispatch(const SegmentSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::segment_sums(SegmentSumsView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::segment_sums(SegmentSumsView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_segment_sums_cpu(const SegmentSumsArgs* args) noexcept {
  return segment_sums_dispatch(*args);
}

}  // namespace language_ops
