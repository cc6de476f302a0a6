// The moe family in PyTorch, through its stable ABI.
// Rendered by opgen from moe.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "moe_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const MoePermuteArgs*) noexcept>
std::tuple<Owned, Owned, Owned> moe_permute_(Tensor x_in, Tensor ids_in, int64_t e_in) {
  const char* op = "moe_permute";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input ids_(op, "ids", ids_in);
  const auto device = opgen::torch::device_of(op, {&x_, &ids_});
  const MoePermuteCall call(x_.buffer, ids_.buffer, e_in);
  const Context ctx(device);
  Output rows_(call.rows_(), device);
  Output offsets_(call.offsets_(), device);
  Output places_(call.places_(), device);
  const MoePermuteDescriptor desc = call.descriptor();
  const MoePermuteArgs args{&desc, &ctx, rows_.buffer, offsets_.buffer, places_.buffer, x_.buffer,
                            ids_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {rows_.tensor(), offsets_.tensor(), places_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const MoeUnpermuteArgs*) noexcept>
Owned moe_unpermute_(Tensor rows_in, Tensor places_in, std::optional<Tensor> weights_in) {
  const char* op = "moe_unpermute";
  const opgen::torch::Input rows_(op, "rows", rows_in);
  const opgen::torch::Input places_(op, "places", places_in);
  const opgen::torch::Input weights_(op, "weights", weights_in);
  const auto device = opgen::torch::device_of(op, {&rows_, &places_, &weights_});
  const MoeUnpermuteCall call(rows_.buffer, places_.buffer, weights_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const MoeUnpermuteDescriptor desc = call.descriptor();
  const MoeUnpermuteArgs args{&desc, &ctx, y_.buffer, rows_.buffer, places_.buffer,
                              weights_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const MoeUnpermuteDgradArgs*) noexcept>
Owned moe_unpermute_dgrad_(Tensor dy_in, Tensor places_in, std::optional<Tensor> weights_in) {
  const char* op = "moe_unpermute_dgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input places_(op, "places", places_in);
  const opgen::torch::Input weights_(op, "weights", weights_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &places_, &weights_});
  const MoeUnpermuteDgradCall call(dy_.buffer, places_.buffer, weights_.buffer);
  const Context ctx(device);
  Output drows_(call.drows_(), device);
  const Output ends_(call.ends_(), device);
  const Output order_(call.order_(), device);
  const MoeUnpermuteDgradDescriptor desc = call.descriptor();
  const MoeUnpermuteDgradArgs args{&desc, &ctx, drows_.buffer, ends_.buffer, order_.buffer,
                                   dy_.buffer, places_.buffer, weights_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return drows_.tensor();
}

template <class Context, opgen::Status (*kernel)(const MoeUnpermuteWgradArgs*) noexcept>
Owned moe_unpermute_wgrad_(Tensor dy_in, Tensor places_in, Tensor rows_in) {
  const char* op = "moe_unpermute_wgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input places_(op, "places", places_in);
  const opgen::torch::Input rows_(op, "rows", rows_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &places_, &rows_});
  const MoeUnpermuteWgradCall call(dy_.buffer, places_.buffer, rows_.buffer);
  const Context ctx(device);
  Output dweights_(call.dweights_(), device);
  const MoeUnpermuteWgradDescriptor desc = call.descriptor();
  const MoeUnpermuteWgradArgs args{&desc, &ctx, dweights_.buffer, dy_.buffer, places_.buffer,
                                   rows_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweights_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("moe_permute(Tensor x, Tensor ids, SymInt e) -> (Tensor rows, Tensor offsets, Tensor places)");
  m.def("moe_unpermute(Tensor rows, Tensor places, Tensor\? weights=None) -> (Tensor y)");
  m.def("moe_unpermute_dgrad(Tensor dy, Tensor places, Tensor\? weights=None) -> (Tensor drows)");
  m.def("moe_unpermute_wgrad(Tensor dy, Tensor places, Tensor rows) -> (Tensor dweights)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["moe_permute"] = 0xb19801a3e232;
  hashes["moe_unpermute"] = 0xcc4f80539b43;
  hashes["moe_unpermute_dgrad"] = 0xf35bf9c6f166;
  hashes["moe_unpermute_wgrad"] = 0xea3e64bd5054;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "moe_permute",
            ways<&moe_permute_<CpuContext, generated_moe_permute_cpu>>);
  implement(m, CpuContext::platform, "moe_unpermute",
            ways<&moe_unpermute_<CpuContext, generated_moe_unpermute_cpu>>);
  implement(m, CpuContext::platform, "moe_unpermute_dgrad",
            ways<&moe_unpermute_dgrad_<CpuContext, generated_moe_unpermute_dgrad_cpu>>);
  implement(m, CpuContext::platform, "moe_unpermute_wgrad",
            ways<&moe_unpermute_wgrad_<CpuContext, generated_moe_unpermute_wgrad_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "moe_permute",
            ways<&moe_permute_<CudaContext, generated_moe_permute_cuda>>);
  implement(m, CudaContext::platform, "moe_unpermute",
            ways<&moe_unpermute_<CudaContext, generated_moe_unpermute_cuda>>);
  implement(m, CudaContext::platform, "moe_unpermute_dgrad",
            ways<&moe_unpermute_dgrad_<CudaContext, generated_moe_unpermute_dgrad_cuda>>);
  implement(m, CudaContext::platform, "moe_unpermute_wgrad",
            ways<&moe_unpermute_wgrad_<CudaContext, generated_moe_unpermute_wgrad_cuda>>);
}
#endif
#endif
