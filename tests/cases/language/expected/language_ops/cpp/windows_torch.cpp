// The windows family in PyTorch, through its stable ABI.
// Rendered by opgen from windows.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "windows_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const WindowSumsArgs*) noexcept>
Owned window_sums_(Tensor x_in, int64_t width_in, int64_t step_in) {
  const char* op = "window_sums";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const WindowSumsCall call(x_.buffer, width_in, step_in);
  const Context ctx(device);
  Output sums_(call.sums_(), device);
  const WindowSumsDescriptor desc = call.descriptor();
  const WindowSumsArgs args{&desc, &ctx, sums_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return sums_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("window_sums(Tensor x, SymInt width, SymInt step=1) -> (Tensor sums)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["window_sums"] = 0x02c2169a23e4;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "window_sums",
            ways<&window_sums_<CpuContext, language_ops_window_sums_cpu>>);
}
#endif
