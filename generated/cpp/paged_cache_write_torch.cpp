// The paged_cache_write family in PyTorch, through its stable ABI.
// Rendered by opgen from paged_cache_write.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "paged_cache_write_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const PagedCacheWriteArgs*) noexcept>
void paged_cache_write_(Tensor k_in, Tensor v_in, Tensor k_cache_in, Tensor v_cache_in,
                        Tensor slots_in, std::optional<Tensor> k_scale_in,
                        std::optional<Tensor> v_scale_in, std::string_view order_in) {
  const char* op = "paged_cache_write";
  const opgen::torch::Input k_(op, "k", k_in, opgen::Layout::last);
  const opgen::torch::Input v_(op, "v", v_in, opgen::Layout::last);
  const opgen::torch::Updated k_cache_(op, "k_cache", k_cache_in);
  const opgen::torch::Updated v_cache_(op, "v_cache", v_cache_in);
  const opgen::torch::Input slots_(op, "slots", slots_in);
  const opgen::torch::Input k_scale_(op, "k_scale", k_scale_in);
  const opgen::torch::Input v_scale_(op, "v_scale", v_scale_in);
  const auto device = opgen::torch::device_of(
      op, {&k_, &v_, &k_cache_, &v_cache_, &slots_, &k_scale_, &v_scale_});
  const PagedCacheWriteCall call(k_.buffer, v_.buffer, k_cache_.buffer, v_cache_.buffer,
                                 slots_.buffer, k_scale_.buffer, v_scale_.buffer, order_in);
  opgen::torch::check_overlap(op, {&k_, &v_, &k_cache_, &v_cache_, &slots_, &k_scale_, &v_scale_});
  const Context ctx(device);
  const PagedCacheWriteDescriptor desc = call.descriptor();
  const PagedCacheWriteArgs args{&desc, &ctx, k_.buffer, v_.buffer, k_cache_.buffer,
                                 v_cache_.buffer, slots_.buffer, k_scale_.buffer, v_scale_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("paged_cache_write(Tensor k, Tensor v, Tensor(c!) k_cache, Tensor(d!) v_cache, Tensor slots, Tensor\? k_scale=None, Tensor\? v_scale=None, str order=\"NHD\") -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["paged_cache_write"] = 0x27ea5b7cbd64;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "paged_cache_write",
            ways<&paged_cache_write_<CpuContext, generated_paged_cache_write_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "paged_cache_write",
            ways<&paged_cache_write_<CudaContext, generated_paged_cache_write_cuda>>);
}
#endif
#endif
