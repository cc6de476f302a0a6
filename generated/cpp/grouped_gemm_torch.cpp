// The grouped_gemm family in PyTorch, through its stable ABI.
// Rendered by opgen from grouped_gemm.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "grouped_gemm_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const GroupedGemmArgs*) noexcept>
Owned grouped_gemm_(Tensor a_in, Tensor b_in, Tensor offsets_in, bool trans_b_in) {
  const char* op = "grouped_gemm";
  const opgen::torch::Input a_(op, "a", a_in);
  const opgen::torch::Input b_(op, "b", b_in);
  const opgen::torch::Input offsets_(op, "offsets", offsets_in);
  const auto device = opgen::torch::device_of(op, {&a_, &b_, &offsets_});
  const GroupedGemmCall call(a_.buffer, b_.buffer, offsets_.buffer, trans_b_in);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output c_(call.c_(), device);
  const GroupedGemmDescriptor desc = call.descriptor();
  const GroupedGemmArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer, offsets_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return c_.tensor();
}

template <class Context, opgen::Status (*kernel)(const GroupedGemmWgradArgs*) noexcept>
Owned grouped_gemm_wgrad_(Tensor a_in, Tensor dc_in, Tensor offsets_in, bool trans_b_in) {
  const char* op = "grouped_gemm_wgrad";
  const opgen::torch::Input a_(op, "a", a_in);
  const opgen::torch::Input dc_(op, "dc", dc_in);
  const opgen::torch::Input offsets_(op, "offsets", offsets_in);
  const auto device = opgen::torch::device_of(op, {&a_, &dc_, &offsets_});
  const GroupedGemmWgradCall call(a_.buffer, dc_.buffer, offsets_.buffer, trans_b_in);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output db_(call.db_(), device);
  const GroupedGemmWgradDescriptor desc = call.descriptor();
  const GroupedGemmWgradArgs args{&desc, &ctx, db_.buffer, a_.buffer, dc_.buffer, offsets_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return db_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("grouped_gemm(Tensor a, Tensor b, Tensor offsets, bool trans_b=False) -> (Tensor c)");
  m.def("grouped_gemm_wgrad(Tensor a, Tensor dc, Tensor offsets, bool trans_b) -> (Tensor db)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["grouped_gemm"] = 0xf1c6450ab988;
  hashes["grouped_gemm_wgrad"] = 0x1ab6f41f4a44;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "grouped_gemm",
            ways<&grouped_gemm_<CpuContext, generated_grouped_gemm_cpu>>);
  implement(m, CpuContext::platform, "grouped_gemm_wgrad",
            ways<&grouped_gemm_wgrad_<CpuContext, generated_grouped_gemm_wgrad_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "grouped_gemm",
            ways<&grouped_gemm_<CudaContext, generated_grouped_gemm_cuda>>);
  implement(m, CudaContext::platform, "grouped_gemm_wgrad",
            ways<&grouped_gemm_wgrad_<CudaContext, generated_grouped_gemm_wgrad_cuda>>);
}
#endif
#endif
