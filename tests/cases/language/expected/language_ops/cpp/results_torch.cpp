// The results family in PyTorch, through its stable ABI.
// Rendered by opgen from results.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "results_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Given;
using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::OutputList;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const MomentsArgs*) noexcept>
std::tuple<Owned, OptionalOwned> moments_(Tensor x_in, bool spread_in) {
  const char* op = "moments";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const MomentsCall call(x_.buffer, spread_in);
  Context ctx(device);
  Output mean_(call.mean_(), device);
  auto variance_ = call.variance_present() ? Output(call.variance_(), device) : Output();
  const MomentsDescriptor desc = call.descriptor();
  ctx.symbol = call.symbol(Context::platform);
  const MomentsArgs args{&desc, &ctx, mean_.buffer, variance_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {mean_.tensor(), variance_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const MomentsArgs*) noexcept>
void moments_out(Tensor x_in, bool spread_in, Tensor mean_in, std::optional<Tensor> variance_in) {
  const char* op = "moments";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const MomentsCall call(x_.buffer, spread_in);
  Given mean_(op, "mean", mean_in, call.mean_(), device);
  auto variance_ = call.variance_present() ? Given(op, "variance", variance_in, call.variance_(),
                                                   device)
                                           : Given(op, "variance", variance_in);
  opgen::torch::check_overlap(op, {&x_, &mean_, &variance_});
  Context ctx(device);
  const MomentsDescriptor desc = call.descriptor();
  ctx.symbol = call.symbol(Context::platform);
  const MomentsArgs args{&desc, &ctx, mean_.buffer, variance_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  mean_.finish();
  variance_.finish();
}

template <class Context, opgen::Status (*kernel)(const SplitRowsArgs*) noexcept>
std::vector<Owned> split_rows_(Tensor x_in, opgen::torch::List<int64_t> sizes_in) {
  const char* op = "split_rows";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const SplitRowsCall call(x_.buffer, opgen::torch::sizes(sizes_in));
  const Context ctx(device);
  OutputList parts_(call.parts_(), device);
  const SplitRowsDescriptor desc = call.descriptor();
  const SplitRowsArgs args{&desc, &ctx, parts_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return parts_.tensors();
}

template <class Context, opgen::Status (*kernel)(const AccumulateArgs*) noexcept>
Owned accumulate_(Tensor total_in, Tensor x_in, bool in_place_in) {
  const char* op = "accumulate";
  opgen::torch::Input total_(op, "total", total_in, opgen::Layout::strided);
  const opgen::torch::Input x_(op, "x", x_in);
  {
    const AccumulateCall call(total_.buffer, x_.buffer, in_place_in);
    total_.arrange(op, call.total_layout(), call.total_written());
  }
  const auto device = opgen::torch::device_of(op, {&total_, &x_});
  const AccumulateCall call(total_.buffer, x_.buffer, in_place_in);
  opgen::torch::check_overlap(op, {&total_, &x_});
  const Context ctx(device);
  Output sum_(call.sum_(), device);
  const AccumulateDescriptor desc = call.descriptor();
  const AccumulateArgs args{&desc, &ctx, sum_.buffer, total_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return sum_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("moments.out(Tensor x, bool spread=False, *, Tensor(b!) mean, Tensor(c!)\? variance=None) -> ()");
  m.def("moments(Tensor x, bool spread=False) -> (Tensor mean, Tensor\? variance)");
  m.def("split_rows(Tensor x, SymInt[] sizes) -> (Tensor[] parts)");
  m.def("accumulate(Tensor(a!) total, Tensor x, bool in_place=False) -> (Tensor sum)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["moments"] = 0x9990ad3dcd36;
  hashes["split_rows"] = 0x03d1b6e7d548;
  hashes["accumulate"] = 0x693bd32960af;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "moments",
            ways<&moments_<CpuContext, language_ops_moments_cpu>>);
  implement(m, CpuContext::platform, "moments.out",
            ways<&moments_out<CpuContext, language_ops_moments_cpu>>);
  implement(m, CpuContext::platform, "split_rows",
            ways<&split_rows_<CpuContext, language_ops_split_rows_cpu>>);
  implement(m, CpuContext::platform, "accumulate",
            ways<&accumulate_<CpuContext, language_ops_accumulate_cpu>>);
}
#endif
