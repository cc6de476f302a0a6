// The paged_cache_write family in PyTorch, through its stable ABI.
// Rendered by opgen from paged_cache_write.toml.
#include "opgen/torch.h"

#include "paged_cache_write_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const PagedCacheWriteArgs*) noexcept>
void paged_cache_write(Tensor k_, Tensor v_, Tensor k_cache_, Tensor v_cache_, Tensor slots_,
                       std::optional<Tensor> k_scale_, std::optional<Tensor> v_scale_,
                       std::string_view order_) {
  const char* op = "paged_cache_write";
  const opgen::torch::Input k(op, "k", k_, opgen::torch::Layout::last);
  const opgen::torch::Input v(op, "v", v_, opgen::torch::Layout::last);
  const opgen::torch::Updated k_cache(op, "k_cache", k_cache_);
  const opgen::torch::Updated v_cache(op, "v_cache", v_cache_);
  const opgen::torch::Input slots(op, "slots", slots_);
  const opgen::torch::Input k_scale(op, "k_scale", k_scale_);
  const opgen::torch::Input v_scale(op, "v_scale", v_scale_);
  const auto device = opgen::torch::device_of(
      op, {&k, &v, &k_cache, &v_cache, &slots, &k_scale, &v_scale});
  const PagedCacheWriteCall call(k.buffer, v.buffer, k_cache.buffer, v_cache.buffer, slots.buffer,
                                 k_scale.buffer, v_scale.buffer, order_);
  opgen::torch::check_overlap(op, {&k, &v, &k_cache, &v_cache, &slots, &k_scale, &v_scale});
  const Context ctx(device);
  const PagedCacheWriteDescriptor desc = call.descriptor();
  const PagedCacheWriteArgs args{&desc, &ctx, k.buffer, v.buffer, k_cache.buffer, v_cache.buffer,
                                 slots.buffer, k_scale.buffer, v_scale.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("paged_cache_write(Tensor k, Tensor v, Tensor(c!) k_cache, Tensor(d!) v_cache, Tensor slots, Tensor\? k_scale=None, Tensor\? v_scale=None, str order=\"NHD\") -> ()");
}
