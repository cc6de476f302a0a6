// The cpu kernels of the samples family, one instance for each combination of dtypes.
// Rendered by opgen from samples.toml.
#include "samples.h"

namespace language_ops {

extern "C" void swap_bytes_cpu_foreign(const void* x_, void* y_, int64_t count_) __asm__("swab");

extern "C" opgen::Status language_ops_swap_bytes_cpu(const SwapBytesArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  swap_bytes_cpu_foreign(args->x.data, args->y.data, args->desc->count);
  return opgen::Status::ok;
}

}  // namespace language_ops
