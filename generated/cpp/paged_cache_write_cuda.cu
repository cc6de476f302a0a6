// The cuda kernels of the paged_cache_write family, one instance for each combination of dtypes.
// Rendered by opgen from paged_cache_write.toml.
#include "paged_cache_write.h"

#include "opgen/cuda.h"
#include "paged_cache_write/paged_cache_write_cuda.cu"

namespace generated {

static opgen::Status paged_cache_write_dispatch(const PagedCacheWriteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.k, &args.v});
  const opgen::ElementType C_ = opgen::dtype_of({&args.k_cache, &args.v_cache});
  switch (opgen::row(T_, C_)) {
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::paged_cache_write(PagedCacheWriteView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F8E4M3):
      return cuda::paged_cache_write(PagedCacheWriteView<opgen::bf16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::paged_cache_write(PagedCacheWriteView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F8E4M3):
      return cuda::paged_cache_write(PagedCacheWriteView<opgen::f16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::paged_cache_write(PagedCacheWriteView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F8E4M3):
      return cuda::paged_cache_write(PagedCacheWriteView<float, opgen::f8e4m3>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_paged_cache_write_cuda(
    const PagedCacheWriteArgs* args) noexcept {
  if (opgen::all_empty({&args->k_cache, &args->v_cache})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return paged_cache_write_dispatch(*args);
}

}  // namespace generated
