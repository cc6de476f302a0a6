// The rows family in PyTorch, through its stable ABI.
// Rendered by opgen from rows.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "rows_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const UnitRowsArgs*) noexcept>
std::tuple<Owned, Owned> unit_rows_(Tensor x_in, Tensor weight_in) {
  const char* op = "unit_rows";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_});
  const UnitRowsCall call(x_.buffer, weight_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output length_(call.length_(), device);
  const UnitRowsDescriptor desc = call.descriptor();
  const UnitRowsArgs args{&desc, &ctx, y_.buffer, length_.buffer, x_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), length_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const UnitRowsDxArgs*) noexcept>
Owned unit_rows_dx_(Tensor dy_in, Tensor x_in, Tensor weight_in, Tensor length_in) {
  const char* op = "unit_rows_dx";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input length_(op, "length", length_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &weight_, &length_});
  const UnitRowsDxCall call(dy_.buffer, x_.buffer, weight_.buffer, length_.buffer);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  const UnitRowsDxDescriptor desc = call.descriptor();
  const UnitRowsDxArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer, weight_.buffer,
                            length_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

template <class Context, opgen::Status (*kernel)(const UnitRowsDwArgs*) noexcept>
Owned unit_rows_dw_(Tensor dy_in, Tensor x_in, Tensor length_in) {
  const char* op = "unit_rows_dw";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input length_(op, "length", length_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &length_});
  const UnitRowsDwCall call(dy_.buffer, x_.buffer, length_.buffer);
  const Context ctx(device);
  Output dweight_(call.dweight_(), device);
  const UnitRowsDwDescriptor desc = call.descriptor();
  const UnitRowsDwArgs args{&desc, &ctx, dweight_.buffer, dy_.buffer, x_.buffer, length_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("unit_rows(Tensor x, Tensor weight) -> (Tensor y, Tensor length)");
  m.def("unit_rows_dx(Tensor dy, Tensor x, Tensor weight, Tensor length) -> (Tensor dx)");
  m.def("unit_rows_dw(Tensor dy, Tensor x, Tensor length) -> (Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["unit_rows"] = 0x9383b06ae0c7;
  hashes["unit_rows_dx"] = 0x3d8400d2e750;
  hashes["unit_rows_dw"] = 0x3a1694f7e637;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "unit_rows",
            ways<&unit_rows_<CpuContext, language_ops_unit_rows_cpu>>);
  implement(m, CpuContext::platform, "unit_rows_dx",
            ways<&unit_rows_dx_<CpuContext, language_ops_unit_rows_dx_cpu>>);
  implement(m, CpuContext::platform, "unit_rows_dw",
            ways<&unit_rows_dw_<CpuContext, language_ops_unit_rows_dw_cpu>>);
}
#endif
