// Kernels that another library adds to the op `ranked`. One of them was compiled for another
// version of the argument structs.
#include "listed.h"

namespace {

using boundary::RankedArgs;

// The results do not exist yet when this function is called.
bool takes(const RankedArgs* args) noexcept {
  return args->desc->d % 5 == 0 && args->y.data == nullptr && args->x.data != nullptr;
}

opgen::Status run(const RankedArgs* args) noexcept {
  if (args->x.dtype != opgen::ElementType::F32) return opgen::Status::no_kernel;
  const auto* x = static_cast<const float*>(args->x.data);
  auto* y = static_cast<float*>(args->y.data);
  for (int64_t i = 0; i < args->x.numel(); ++i) {
    y[i] = x[i] * static_cast<float>(args->desc->factor);
  }
  auto* ran = static_cast<int32_t*>(args->ran.data);
  for (int64_t row = 0; row < args->ran.numel(); ++row) ran[row] = 5;
  return opgen::Status::ok;
}

}  // namespace

extern "C" {
OPGEN_EXPORT opgen::AddedKernel<RankedArgs> outsider_fives = {boundary::RankedLayout, takes, run};
OPGEN_EXPORT opgen::AddedKernel<RankedArgs> outsider_kept = {boundary::RankedLayout, takes, run,
                                                             opgen::guarantee::deterministic};
OPGEN_EXPORT opgen::AddedKernel<RankedArgs> outsider_stale = {"000000000000", nullptr, run};
}
