// The embedding_bag family in PyTorch, through its stable ABI.
// Rendered by opgen from embedding_bag.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "embedding_bag_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const EmbeddingBagArgs*) noexcept>
std::tuple<Owned, OptionalOwned> embedding_bag_(
    Tensor weight_in, Tensor indices_in, Tensor offsets_in, std::optional<Tensor> sample_weights_in,
    std::string_view mode_in) {
  const char* op = "embedding_bag";
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const opgen::torch::Input offsets_(op, "offsets", offsets_in);
  const opgen::torch::Input sample_weights_(op, "sample_weights", sample_weights_in);
  const auto device = opgen::torch::device_of(op,
                                              {&weight_, &indices_, &offsets_, &sample_weights_});
  const EmbeddingBagCall call(weight_.buffer, indices_.buffer, offsets_.buffer,
                              sample_weights_.buffer, mode_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  auto argmax_ = call.argmax_present() ? Output(call.argmax_(), device) : Output();
  const EmbeddingBagDescriptor desc = call.descriptor();
  const EmbeddingBagArgs args{&desc, &ctx, y_.buffer, argmax_.buffer, weight_.buffer,
                              indices_.buffer, offsets_.buffer, sample_weights_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), argmax_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBagBwdArgs*) noexcept>
std::tuple<Owned, OptionalOwned> embedding_bag_bwd_(
    Tensor dy_in, Tensor indices_in, Tensor offsets_in, std::optional<Tensor> sample_weights_in,
    std::optional<Tensor> argmax_in, std::optional<Tensor> weight_in, int64_t rows_in,
    std::string_view mode_in, int64_t wanted) {
  const char* op = "embedding_bag_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const opgen::torch::Input offsets_(op, "offsets", offsets_in);
  const opgen::torch::Input sample_weights_(op, "sample_weights", sample_weights_in);
  const opgen::torch::Input argmax_(op, "argmax", argmax_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&dy_, &indices_, &offsets_, &sample_weights_, &argmax_, &weight_});
  const EmbeddingBagBwdCall call(dy_.buffer, indices_.buffer, offsets_.buffer,
                                 sample_weights_.buffer, argmax_.buffer, weight_.buffer, rows_in,
                                 mode_in, wanted);
  const Context ctx(device);
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  auto dsample_weights_ =
      call.dsample_weights_present() ? Output(call.dsample_weights_(), device) : Output();
  const Output ends_(call.ends_(), device);
  const Output order_(call.order_(), device);
  const Output bags_(call.bags_(), device);
  const EmbeddingBagBwdDescriptor desc = call.descriptor();
  const EmbeddingBagBwdArgs args{&desc, &ctx, dweight_.buffer, dsample_weights_.buffer,
                                 ends_.buffer, order_.buffer, bags_.buffer, dy_.buffer,
                                 indices_.buffer, offsets_.buffer, sample_weights_.buffer,
                                 argmax_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dweight_.tensor(), dsample_weights_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("embedding_bag(Tensor weight, Tensor indices, Tensor offsets, Tensor\? sample_weights=None, str mode=\"mean\") -> (Tensor y, Tensor\? argmax)");
  m.def("embedding_bag_bwd(Tensor dy, Tensor indices, Tensor offsets, Tensor\? sample_weights, Tensor\? argmax, Tensor\? weight, SymInt rows, str mode, int wanted=-1) -> (Tensor dweight, Tensor\? dsample_weights)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["embedding_bag"] = 0x258cff81cfd2;
  hashes["embedding_bag_bwd"] = 0xfed3660dcf1b;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "embedding_bag",
            ways<&embedding_bag_<CpuContext, generated_embedding_bag_cpu>>);
  implement(m, CpuContext::platform, "embedding_bag_bwd",
            ways<&embedding_bag_bwd_<CpuContext, generated_embedding_bag_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "embedding_bag",
            ways<&embedding_bag_<CudaContext, generated_embedding_bag_cuda>>);
  implement(m, CudaContext::platform, "embedding_bag_bwd",
            ways<&embedding_bag_bwd_<CudaContext, generated_embedding_bag_bwd_cuda>>);
}
#endif
#endif
