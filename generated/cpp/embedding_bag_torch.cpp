// The embedding_bag family in PyTorch, through its stable ABI.
// Rendered by opgen from embedding_bag.toml.
#include "opgen/torch.h"

#include "embedding_bag_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const EmbeddingBagArgs*) noexcept>
std::tuple<Owned, Owned> embedding_bag(Tensor weight_, Tensor indices_, Tensor offsets_,
                                       std::optional<Tensor> sample_weights_,
                                       std::string_view mode_) {
  const char* op = "embedding_bag";
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const opgen::torch::Input offsets(op, "offsets", offsets_);
  const opgen::torch::Input sample_weights(op, "sample_weights", sample_weights_);
  const auto device = opgen::torch::device_of(op, {&weight, &indices, &offsets, &sample_weights});
  const EmbeddingBagCall call(weight.buffer, indices.buffer, offsets.buffer, sample_weights.buffer,
                              mode_);
  const Context ctx(device);
  Output y(call.y(), device);
  auto argmax = call.has_argmax() ? Output(call.argmax(), device) : Output();
  const EmbeddingBagDescriptor desc = call.descriptor();
  const EmbeddingBagArgs args{&desc, &ctx, y.buffer, argmax.buffer, weight.buffer, indices.buffer,
                              offsets.buffer, sample_weights.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), argmax.tensor()};
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBagBwdArgs*) noexcept>
std::tuple<Owned, Owned> embedding_bag_bwd(
    Tensor dy_, Tensor indices_, Tensor offsets_, std::optional<Tensor> sample_weights_,
    std::optional<Tensor> argmax_, std::optional<Tensor> weight_, int64_t rows_,
    std::string_view mode_, int64_t wanted_) {
  const char* op = "embedding_bag_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const opgen::torch::Input offsets(op, "offsets", offsets_);
  const opgen::torch::Input sample_weights(op, "sample_weights", sample_weights_);
  const opgen::torch::Input argmax(op, "argmax", argmax_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(
      op, {&dy, &indices, &offsets, &sample_weights, &argmax, &weight});
  const EmbeddingBagBwdCall call(dy.buffer, indices.buffer, offsets.buffer, sample_weights.buffer,
                                 argmax.buffer, weight.buffer, rows_, mode_, wanted_);
  const Context ctx(device);
  auto dweight = call.has_dweight() ? Output(call.dweight(), device) : Output();
  auto dsample_weights =
      call.has_dsample_weights() ? Output(call.dsample_weights(), device) : Output();
  const Output ends(call.ends(), device);
  const Output order(call.order(), device);
  const Output bags(call.bags(), device);
  const EmbeddingBagBwdDescriptor desc = call.descriptor();
  const EmbeddingBagBwdArgs args{&desc, &ctx, dweight.buffer, dsample_weights.buffer, ends.buffer,
                                 order.buffer, bags.buffer, dy.buffer, indices.buffer,
                                 offsets.buffer, sample_weights.buffer, argmax.buffer,
                                 weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dweight.tensor(), dsample_weights.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("embedding_bag(Tensor weight, Tensor indices, Tensor offsets, Tensor\? sample_weights=None, str mode=\"mean\") -> (Tensor y, Tensor argmax)");
  m.def("embedding_bag_bwd(Tensor dy, Tensor indices, Tensor offsets, Tensor\? sample_weights, Tensor\? argmax, Tensor\? weight, SymInt rows, str mode, int wanted=-1) -> (Tensor dweight, Tensor dsample_weights)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "embedding_bag",
            ways<&embedding_bag<CpuContext, generated_embedding_bag_cpu>>);
  implement(m, CpuContext::platform, "embedding_bag_bwd",
            ways<&embedding_bag_bwd<CpuContext, generated_embedding_bag_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "embedding_bag",
            ways<&embedding_bag<CudaContext, generated_embedding_bag_cuda>>);
  implement(m, CudaContext::platform, "embedding_bag_bwd",
            ways<&embedding_bag_bwd<CudaContext, generated_embedding_bag_bwd_cuda>>);
}
#endif
