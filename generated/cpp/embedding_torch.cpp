// The embedding family in PyTorch, through its stable ABI.
// Rendered by opgen from embedding.toml.
#include "opgen/torch.h"

#include "embedding_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const EmbeddingArgs*) noexcept>
Owned embedding(Tensor weight_, Tensor indices_, std::optional<int64_t> padding_idx_) {
  const char* op = "embedding";
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const auto device = opgen::torch::device_of(op, {&weight, &indices});
  const EmbeddingCall call(weight.buffer, indices.buffer, padding_idx_);
  const Context ctx(device);
  Output y(call.y(), device);
  const EmbeddingDescriptor desc = call.descriptor();
  const EmbeddingArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdArgs*) noexcept>
Owned embedding_bwd(Tensor dy_, Tensor indices_, int64_t rows_,
                    std::optional<int64_t> padding_idx_) {
  const char* op = "embedding_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const auto device = opgen::torch::device_of(op, {&dy, &indices});
  const EmbeddingBwdCall call(dy.buffer, indices.buffer, rows_, padding_idx_);
  const Context ctx(device);
  Output dweight(call.dweight(), device);
  const Output ends(call.ends(), device);
  const Output order(call.order(), device);
  const EmbeddingBwdDescriptor desc = call.descriptor();
  const EmbeddingBwdArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer, dy.buffer,
                              indices.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdBwdArgs*) noexcept>
Owned embedding_bwd_bwd(Tensor ddweight_, Tensor indices_, std::optional<int64_t> padding_idx_) {
  const char* op = "embedding_bwd_bwd";
  const opgen::torch::Input ddweight(op, "ddweight", ddweight_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const auto device = opgen::torch::device_of(op, {&ddweight, &indices});
  const EmbeddingBwdBwdCall call(ddweight.buffer, indices.buffer, padding_idx_);
  const Context ctx(device);
  Output ddy(call.ddy(), device);
  const EmbeddingBwdBwdDescriptor desc = call.descriptor();
  const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy.buffer, ddweight.buffer, indices.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return ddy.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingRowsArgs*) noexcept>
Owned embedding_rows(Tensor weight_, Tensor indices_, Tensor first_, int64_t rows_) {
  const char* op = "embedding_rows";
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const opgen::torch::Input first(op, "first", first_);
  const auto device = opgen::torch::device_of(op, {&weight, &indices, &first});
  const EmbeddingRowsCall call(weight.buffer, indices.buffer, first.buffer, rows_);
  const Context ctx(device);
  Output y(call.y(), device);
  const EmbeddingRowsDescriptor desc = call.descriptor();
  const EmbeddingRowsArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer, first.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const EmbeddingBwdRowsArgs*) noexcept>
Owned embedding_bwd_rows(Tensor dy_, Tensor indices_, Tensor first_, int64_t n_, int64_t rows_,
                         std::optional<int64_t> padding_idx_) {
  const char* op = "embedding_bwd_rows";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input indices(op, "indices", indices_);
  const opgen::torch::Input first(op, "first", first_);
  const auto device = opgen::torch::device_of(op, {&dy, &indices, &first});
  const EmbeddingBwdRowsCall call(dy.buffer, indices.buffer, first.buffer, n_, rows_, padding_idx_);
  const Context ctx(device);
  Output dweight(call.dweight(), device);
  const Output ends(call.ends(), device);
  const Output order(call.order(), device);
  const EmbeddingBwdRowsDescriptor desc = call.descriptor();
  const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer, dy.buffer,
                                  indices.buffer, first.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("embedding(Tensor weight, Tensor indices, int\? padding_idx=None) -> (Tensor y)");
  m.def("embedding_bwd(Tensor dy, Tensor indices, SymInt rows, int\? padding_idx=None) -> (Tensor dweight)");
  m.def(
      "embedding_bwd_bwd(Tensor ddweight, Tensor indices, int\? padding_idx=None) -> (Tensor ddy)");
  m.def("embedding_rows(Tensor weight, Tensor indices, Tensor first, int rows) -> (Tensor y)");
  m.def("embedding_bwd_rows(Tensor dy, Tensor indices, Tensor first, SymInt n, int rows, int\? padding_idx=None) -> (Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "embedding",
            ways<&embedding<CpuContext, generated_embedding_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd",
            ways<&embedding_bwd<CpuContext, generated_embedding_bwd_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd_bwd",
            ways<&embedding_bwd_bwd<CpuContext, generated_embedding_bwd_bwd_cpu>>);
  implement(m, CpuContext::platform, "embedding_rows",
            ways<&embedding_rows<CpuContext, generated_embedding_rows_cpu>>);
  implement(m, CpuContext::platform, "embedding_bwd_rows",
            ways<&embedding_bwd_rows<CpuContext, generated_embedding_bwd_rows_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "embedding",
            ways<&embedding<CudaContext, generated_embedding_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd",
            ways<&embedding_bwd<CudaContext, generated_embedding_bwd_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd_bwd",
            ways<&embedding_bwd_bwd<CudaContext, generated_embedding_bwd_bwd_cuda>>);
  implement(m, CudaContext::platform, "embedding_rows",
            ways<&embedding_rows<CudaContext, generated_embedding_rows_cuda>>);
  implement(m, CudaContext::platform, "embedding_bwd_rows",
            ways<&embedding_bwd_rows<CudaContext, generated_embedding_bwd_rows_cuda>>);
}
#endif
