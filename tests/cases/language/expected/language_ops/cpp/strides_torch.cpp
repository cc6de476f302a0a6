// The strides family in PyTorch, through its stable ABI.
// Rendered by opgen from strides.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "strides_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::OutputList;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SquareArgs*) noexcept>
Owned square_(Tensor x_in) {
  const char* op = "square";
  const opgen::torch::Input x_(op, "x", x_in, opgen::Layout::strided);
  const auto device = opgen::torch::device_of(op, {&x_});
  const SquareCall call(x_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SquareDescriptor desc = call.descriptor();
  const SquareArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const HeadNormsArgs*) noexcept>
Owned head_norms_(Tensor x_in) {
  const char* op = "head_norms";
  const opgen::torch::Input x_(op, "x", x_in, opgen::Order{{0, 1, 2}, 3, -1, 1});
  const auto device = opgen::torch::device_of(op, {&x_});
  const HeadNormsCall call(x_.buffer);
  const Context ctx(device);
  Output norms_(call.norms_(), device);
  const HeadNormsDescriptor desc = call.descriptor();
  const HeadNormsArgs args{&desc, &ctx, norms_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return norms_.tensor();
}

template <class Context, opgen::Status (*kernel)(const ScaleAllArgs*) noexcept>
std::vector<Owned> scale_all_(opgen::torch::List<Tensor> xs_in, Tensor factor_in) {
  const char* op = "scale_all";
  const opgen::torch::InputList xs_(op, "xs", xs_in, opgen::Layout::dense);
  const opgen::torch::Input factor_(op, "factor", factor_in);
  const auto device = opgen::torch::device_of(op, {&xs_, &factor_});
  const ScaleAllCall call(xs_.buffer, factor_.buffer);
  const Context ctx(device);
  OutputList ys_(call.ys_(), device);
  const ScaleAllDescriptor desc = call.descriptor();
  const ScaleAllArgs args{&desc, &ctx, ys_.buffer, xs_.buffer, factor_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return ys_.tensors();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("square(Tensor x) -> (Tensor y)");
  m.def("head_norms(Tensor x) -> (Tensor norms)");
  m.def("scale_all(Tensor[] xs, Tensor factor) -> (Tensor[] ys)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["square"] = 0xa2e7304d0098;
  hashes["head_norms"] = 0x6d2d1e6ebdd9;
  hashes["scale_all"] = 0xbccfe8016c04;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "square", ways<&square_<CpuContext, language_ops_square_cpu>>);
  implement(m, CpuContext::platform, "head_norms",
            ways<&head_norms_<CpuContext, language_ops_head_norms_cpu>>);
  implement(m, CpuContext::platform, "scale_all",
            ways<&scale_all_<CpuContext, language_ops_scale_all_cpu>>);
}
#endif
