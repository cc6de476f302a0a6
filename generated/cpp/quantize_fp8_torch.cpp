// The quantize_fp8 family in PyTorch, through its stable ABI.
// Rendered by opgen from quantize_fp8.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "quantize_fp8_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const QuantizeFp8Args*) noexcept>
std::tuple<Owned, Owned> quantize_fp8_(Tensor x_in, opgen::torch::DType out_dtype_in,
                                       int64_t block_in, bool column_major_in, double floor_in) {
  const char* op = "quantize_fp8";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const QuantizeFp8Call call(x_.buffer, opgen::torch::from_torch(out_dtype_in, op, "out_dtype"),
                             block_in, column_major_in, floor_in);
  const Context ctx(device);
  Output q_(call.q_(), device);
  Output scale_(call.scale_(), device);
  const QuantizeFp8Descriptor desc = call.descriptor();
  const QuantizeFp8Args args{&desc, &ctx, q_.buffer, scale_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q_.tensor(), scale_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("quantize_fp8(Tensor x, ScalarType out_dtype, SymInt block=128, bool column_major=False, float floor=1e-10) -> (Tensor q, Tensor scale)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["quantize_fp8"] = 0x471e2d5a4d18;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "quantize_fp8",
            ways<&quantize_fp8_<CpuContext, generated_quantize_fp8_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "quantize_fp8",
            ways<&quantize_fp8_<CudaContext, generated_quantize_fp8_cuda>>);
}
#endif
#endif
