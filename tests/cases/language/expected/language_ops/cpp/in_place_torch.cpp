// The in_place family in PyTorch, through its stable ABI.
// Rendered by opgen from in_place.toml.
#include "opgen/torch.h"

#include "in_place_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Average_Args*) noexcept>
void average_(opgen::torch::List<Tensor> averages_, opgen::torch::List<Tensor> values_,
              double rate_) {
  const char* op = "average_";
  const opgen::torch::UpdatedList averages(op, "averages", averages_);
  const opgen::torch::InputList values(op, "values", values_);
  const auto device = opgen::torch::device_of(op, {&averages, &values});
  const Average_Call call(averages.buffer, values.buffer, rate_);
  opgen::torch::check_overlap(op, {&averages, &values});
  const Context ctx(device);
  const Average_Descriptor desc = call.descriptor();
  const Average_Args args{&desc, &ctx, averages.buffer, values.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("average_(Tensor(a!)[] averages, Tensor[] values, float rate) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "average_",
            ways<&average_<CpuContext, language_ops_average__cpu>>);
}
