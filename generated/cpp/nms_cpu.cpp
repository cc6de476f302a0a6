// The cpu kernels of the nms family, one instance for each combination of dtypes.
// Rendered by opgen from nms.toml.
#include "nms.h"

#include "nms/nms_cpu.cpp"

namespace generated {

extern "C" opgen::Status generated_nms_cpu(const NmsArgs* args) noexcept {
  if (opgen::all_empty({&args->keep, &args->count})) return opgen::Status::ok;
  return nms(args);
}

}  // namespace generated
