// The embedding family in PyTorch, through its stable ABI.
// Rendered by opgen from embedding.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "embedding_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const EmbeddingArgs*) noexcept>
Owned embedding_(Tensor weight_in, Tensor indices_in, std::optional<int64_t> padding_idx_in) {
  const char* op = "embedding";
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const auto device = opgen::torch::device_of(op, {&weight_, &indices_});
  const EmbeddingCall call(weight_.buffer, indices_.buffer, padding_idx_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const EmbeddingDescriptor desc = call.descriptor();
  const EmbeddingArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdArgs*) noexcept>
Owned embedding_bwd_(Tensor dy_in, Tensor indices_in, int64_t rows_in,
                     std::optional<int64_t> padding_idx_in) {
  const char* op = "embedding_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &indices_});
  const EmbeddingBwdCall call(dy_.buffer, indices_.buffer, rows_in, padding_idx_in);
  const Context ctx(device);
  Output dweight_(call.dweight_(), device);
  const Output ends_(call.ends_(), device);
  const Output order_(call.order_(), device);
  const EmbeddingBwdDescriptor desc = call.descriptor();
  const EmbeddingBwdArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer, dy_.buffer,
                              indices_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight_.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdBwdArgs*) noexcept>
Owned embedding_bwd_bwd_(Tensor ddweight_in, Tensor indices_in,
                         std::optional<int64_t> padding_idx_in) {
  const char* op = "embedding_bwd_bwd";
  const opgen::torch::Input ddweight_(op, "ddweight", ddweight_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const auto device = opgen::torch::device_of(op, {&ddweight_, &indices_});
  const EmbeddingBwdBwdCall call(ddweight_.buffer, indices_.buffer, padding_idx_in);
  const Context ctx(device);
  Output ddy_(call.ddy_(), device);
  const EmbeddingBwdBwdDescriptor desc = call.descriptor();
  const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy_.buffer, ddweight_.buffer, indices_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return ddy_.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingRowsArgs*) noexcept>
Owned embedding_rows_(Tensor weight_in, Tensor indices_in, Tensor first_in, int64_t rows_in) {
  const char* op = "embedding_rows";
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const auto device = opgen::torch::device_of(op, {&weight_, &indices_, &first_});
  const EmbeddingRowsCall call(weight_.buffer, indices_.buffer, first_.buffer, rows_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const EmbeddingRowsDescriptor desc = call.descriptor();
  const EmbeddingRowsArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer,
                               first_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdRowsArgs*) noexcept>
Owned embedding_bwd_rows_(Tensor dy_in, Tensor indices_in, Tensor first_in, int64_t n_in,
                          int64_t rows_in, std::optional<int64_t> padding_idx_in) {
  const char* op = "embedding_bwd_rows";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input indices_(op, "indices", indices_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &indices_, &first_});
  const EmbeddingBwdRowsCall call(dy_.buffer, indices_.buffer, first_.buffer, n_in, rows_in,
                                  padding_idx_in);
  const Context ctx(device);
  Output dweight_(call.dweight_(), device);
  const Output ends_(call.ends_(), device);
  const Output order_(call.order_(), device);
  const EmbeddingBwdRowsDescriptor desc = call.descriptor();
  const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer,
                                  dy_.buffer, indices_.buffer, first_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("embedding(Tensor weight, Tensor indices, SymInt\? padding_idx=None) -> (Tensor y)");
  m.def("embedding_bwd(Tensor dy, Tensor indices, SymInt rows, SymInt\? padding_idx=None) -> (Tensor dweight)");
  m.def("embedding_bwd_bwd(Tensor ddweight, Tensor indices, SymInt\? padding_idx=None) -> (Tensor ddy)");
  m.def("embedding_rows(Tensor weight, Tensor indices, Tensor first, SymInt rows) -> (Tensor y)");
  m.def("embedding_bwd_rows(Tensor dy, Tensor indices, Tensor first, SymInt n, SymInt rows, SymInt\? padding_idx=None) -> (Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["embedding"] = 0x46973271b437;
  hashes["embedding_bwd"] = 0xee2754c3d642;
  hashes["embedding_bwd_bwd"] = 0xa7c57682bc1a;
  hashes["embedding_rows"] = 0xbd6545dfc48c;
  hashes["embedding_bwd_rows"] = 0x0946b60899f1;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "embedding",
            ways<&embedding_<CpuContext, generated_embedding_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd",
            ways<&embedding_bwd_<CpuContext, generated_embedding_bwd_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd_bwd",
            ways<&embedding_bwd_bwd_<CpuContext, generated_embedding_bwd_bwd_cpu>>);
  implement(m, CpuContext::platform, "embedding_rows",
            ways<&embedding_rows_<CpuContext, generated_embedding_rows_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd_rows",
            ways<&embedding_bwd_rows_<CpuContext, generated_embedding_bwd_rows_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "embedding",
            ways<&embedding_<CudaContext, generated_embedding_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd",
            ways<&embedding_bwd_<CudaContext, generated_embedding_bwd_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd_bwd",
            ways<&embedding_bwd_bwd_<CudaContext, generated_embedding_bwd_bwd_cuda>>);
  implement(m, CudaContext::platform, "embedding_rows",
            ways<&embedding_rows_<CudaContext, generated_embedding_rows_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd_rows",
            ways<&embedding_bwd_rows_<CudaContext, generated_embedding_bwd_rows_cuda>>);
}
#endif
#endif
