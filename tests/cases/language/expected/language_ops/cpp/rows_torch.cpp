// The rows family in PyTorch, through its stable ABI.
// Rendered by opgen from rows.toml.
#include "opgen/torch.h"

#include "rows_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const UnitRowsArgs*) noexcept>
std::tuple<Owned, Owned> unit_rows(Tensor x_, Tensor weight_) {
  const char* op = "unit_rows";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&x, &weight});
  const UnitRowsCall call(x.buffer, weight.buffer);
  const Context ctx(device);
  Output y(call.y(), device);
  Output length(call.length(), device);
  const UnitRowsDescriptor desc = call.descriptor();
  const UnitRowsArgs args{&desc, &ctx, y.buffer, length.buffer, x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), length.tensor()};
}

template <class Context, opgen::Status (*kernel)(const UnitRowsDxArgs*) noexcept>
Owned unit_rows_dx(Tensor dy_, Tensor x_, Tensor weight_, Tensor length_) {
  const char* op = "unit_rows_dx";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input length(op, "length", length_);
  const auto device = opgen::torch::device_of(op, {&dy, &x, &weight, &length});
  const UnitRowsDxCall call(dy.buffer, x.buffer, weight.buffer, length.buffer);
  const Context ctx(device);
  Output dx(call.dx(), device);
  const UnitRowsDxDescriptor desc = call.descriptor();
  const UnitRowsDxArgs args{&desc, &ctx, dx.buffer, dy.buffer, x.buffer, weight.buffer,
                            length.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx.tensor();
}

template <class Context, opgen::Status (*kernel)(const UnitRowsDwArgs*) noexcept>
Owned unit_rows_dw(Tensor dy_, Tensor x_, Tensor length_) {
  const char* op = "unit_rows_dw";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input length(op, "length", length_);
  const auto device = opgen::torch::device_of(op, {&dy, &x, &length});
  const UnitRowsDwCall call(dy.buffer, x.buffer, length.buffer);
  const Context ctx(device);
  Output dweight(call.dweight(), device);
  const UnitRowsDwDescriptor desc = call.descriptor();
  const UnitRowsDwArgs args{&desc, &ctx, dweight.buffer, dy.buffer, x.buffer, length.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dweight.tensor();
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("unit_rows(Tensor x, Tensor weight) -> (Tensor y, Tensor length)");
  m.def("unit_rows_dx(Tensor dy, Tensor x, Tensor weight, Tensor length) -> (Tensor dx)");
  m.def("unit_rows_dw(Tensor dy, Tensor x, Tensor length) -> (Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "unit_rows",
            ways<&unit_rows<CpuContext, language_ops_unit_rows_cpu>>);
  implement(m, CpuContext::platform, "unit_rows_dx",
            ways<&unit_rows_dx<CpuContext, language_ops_unit_rows_dx_cpu>>);
  implement(m, CpuContext::platform, "unit_rows_dw",
            ways<&unit_rows_dw<CpuContext, language_ops_unit_rows_dw_cpu>>);
}
