// The cpu kernels of the samples family, one instance for each combination of dtypes.
// Rendered by opgen from samples.toml.
#include "samples.h"

namespace language_ops {

extern "C" void foreign_swap_bytes_cpu(const void* x, void* y, int64_t count) __asm__("swab");

extern "C" opgen::Status language_ops_swap_bytes_cpu(const SwapBytesArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  foreign_swap_bytes_cpu(args->x.data, args->y.data, args->desc->count);
  return opgen::Status::ok;
}

}  // namespace language_ops
