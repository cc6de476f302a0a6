// The conv2d family in PyTorch, through its stable ABI.
// Rendered by opgen from conv2d.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "conv2d_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Conv2dArgs*) noexcept>
Owned conv2d_(Tensor x_in, Tensor weight_in, std::optional<Tensor> bias_in,
              opgen::torch::List<int64_t> stride_in, opgen::torch::List<int64_t> padding_in,
              opgen::torch::List<int64_t> dilation_in, int64_t groups_in) {
  const char* op = "conv2d";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input bias_(op, "bias", bias_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &bias_});
  const Conv2dCall call(x_.buffer, weight_.buffer, bias_.buffer, opgen::torch::sizes(stride_in),
                        opgen::torch::sizes(padding_in), opgen::torch::sizes(dilation_in),
                        groups_in);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output y_(call.y_(), device);
  const Conv2dDescriptor desc = call.descriptor();
  const Conv2dArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, bias_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const Conv2dDgradArgs*) noexcept>
Owned conv2d_dgrad_(Tensor dy_in, Tensor weight_in, int64_t h_in, int64_t w_in,
                    opgen::torch::List<int64_t> stride_in, opgen::torch::List<int64_t> padding_in,
                    opgen::torch::List<int64_t> dilation_in, int64_t groups_in) {
  const char* op = "conv2d_dgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &weight_});
  const Conv2dDgradCall call(dy_.buffer, weight_.buffer, h_in, w_in, opgen::torch::sizes(stride_in),
                             opgen::torch::sizes(padding_in), opgen::torch::sizes(dilation_in),
                             groups_in);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output dx_(call.dx_(), device);
  const auto sums_ = call.sums_present() ? Output(call.sums_(), device) : Output();
  const Conv2dDgradDescriptor desc = call.descriptor();
  const Conv2dDgradArgs args{&desc, &ctx, dx_.buffer, sums_.buffer, dy_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

template <class Context, opgen::Status (*kernel)(const Conv2dWgradArgs*) noexcept,
          opgen::WorkspaceOf<Conv2dWgradDescriptor>* workspace>
std::tuple<Owned, OptionalOwned> conv2d_wgrad_(
    Tensor dy_in, Tensor x_in, int64_t r_in, int64_t s_in, opgen::torch::List<int64_t> stride_in,
    opgen::torch::List<int64_t> padding_in, opgen::torch::List<int64_t> dilation_in,
    int64_t groups_in, int64_t wanted) {
  const char* op = "conv2d_wgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_});
  const Conv2dWgradCall call(dy_.buffer, x_.buffer, r_in, s_in, opgen::torch::sizes(stride_in),
                             opgen::torch::sizes(padding_in), opgen::torch::sizes(dilation_in),
                             groups_in, wanted);
  Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  auto dbias_ = call.dbias_present() ? Output(call.dbias_(), device) : Output();
  const Conv2dWgradDescriptor desc = call.descriptor();
  const int64_t bytes = workspace == nullptr ? 0 : workspace(&desc, ctx.properties());
  const Output memory(opgen::scratch(op, bytes), device);
  ctx.use(memory.buffer);
  const Conv2dWgradArgs args{&desc, &ctx, dweight_.buffer, dbias_.buffer, dy_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dweight_.tensor(), dbias_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("conv2d(Tensor x, Tensor weight, Tensor\? bias=None, SymInt[] stride=[1, 1], SymInt[] padding=[0, 0], SymInt[] dilation=[1, 1], SymInt groups=1) -> (Tensor y)");
  m.def("conv2d_dgrad(Tensor dy, Tensor weight, SymInt h, SymInt w, SymInt[] stride=[1, 1], SymInt[] padding=[0, 0], SymInt[] dilation=[1, 1], SymInt groups=1) -> (Tensor dx)");
  m.def("conv2d_wgrad(Tensor dy, Tensor x, SymInt r, SymInt s, SymInt[] stride=[1, 1], SymInt[] padding=[0, 0], SymInt[] dilation=[1, 1], SymInt groups=1, int wanted=-1) -> (Tensor dweight, Tensor\? dbias)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["conv2d"] = 0xbd8242533d41;
  hashes["conv2d_dgrad"] = 0xe85bac496adf;
  hashes["conv2d_wgrad"] = 0x67dd022ef593;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "conv2d", ways<&conv2d_<CpuContext, generated_conv2d_cpu>>);
  implement(m, CpuContext::platform, "conv2d_dgrad",
            ways<&conv2d_dgrad_<CpuContext, generated_conv2d_dgrad_cpu>>);
  implement(m, CpuContext::platform, "conv2d_wgrad",
            ways<&conv2d_wgrad_<CpuContext, generated_conv2d_wgrad_cpu, nullptr>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "conv2d", ways<&conv2d_<CudaContext, generated_conv2d_cuda>>);
  implement(m, CudaContext::platform, "conv2d_dgrad",
            ways<&conv2d_dgrad_<CudaContext, generated_conv2d_dgrad_cuda>>);
  implement(m, CudaContext::platform, "conv2d_wgrad", ways<&conv2d_wgrad_<
                                                          CudaContext, generated_conv2d_wgrad_cuda,
                                                          generated_conv2d_wgrad_cuda_workspace>>);
}
#endif
#endif
