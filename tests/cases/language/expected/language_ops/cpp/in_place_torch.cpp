// The in_place family in PyTorch, through its stable ABI.
// Rendered by opgen from in_place.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "in_place_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Average_Args*) noexcept>
void average__(opgen::torch::List<Tensor> averages_in, opgen::torch::List<Tensor> values_in,
               double rate_in) {
  const char* op = "average_";
  const opgen::torch::UpdatedList averages_(op, "averages", averages_in);
  const opgen::torch::InputList values_(op, "values", values_in);
  const auto device = opgen::torch::device_of(op, {&averages_, &values_});
  const Average_Call call(averages_.buffer, values_.buffer, rate_in);
  opgen::torch::check_overlap(op, {&averages_, &values_});
  const Context ctx(device);
  const Average_Descriptor desc = call.descriptor();
  const Average_Args args{&desc, &ctx, averages_.buffer, values_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("average_(Tensor(a!)[] averages, Tensor[] values, float rate) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["average_"] = 0xf0aba503af4b;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "average_",
            ways<&average__<CpuContext, language_ops_average__cpu>>);
}
#endif
