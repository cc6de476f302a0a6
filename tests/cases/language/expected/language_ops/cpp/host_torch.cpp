// The host family in PyTorch, through its stable ABI.
// Rendered by opgen from host.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "host_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SegmentSumsArgs*) noexcept>
Owned segment_sums_(Tensor x_in, Tensor bounds_in) {
  const char* op = "segment_sums";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input bounds_(op, "bounds", bounds_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  opgen::torch::check_on_host(op, {&bounds_});
  const SegmentSumsCall call(x_.buffer, bounds_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SegmentSumsDescriptor desc = call.descriptor();
  const SegmentSumsArgs args{&desc, &ctx, y_.buffer, x_.buffer, bounds_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("segment_sums(Tensor x, Tensor bounds) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["segment_sums"] = 0xe120973865b7;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "segment_sums",
            ways<&segment_sums_<CpuContext, language_ops_segment_sums_cpu>>);
}
#endif
