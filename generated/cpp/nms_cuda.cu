// The cuda kernels of the nms family, one instance for each combination of dtypes.
// Rendered by opgen from nms.toml.
#include "nms.h"

#include "opgen/cuda.h"
#include "nms/nms_cuda.cu"

namespace generated {

extern "C" opgen::Status generated_nms_cuda(const NmsArgs* args) noexcept {
  if (opgen::all_empty({&args->keep, &args->count})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return nms_by_tiles(args);
}

}  // namespace generated
