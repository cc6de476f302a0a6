// The grouped_gemm family in PyTorch, through its stable ABI.
// Rendered by opgen from grouped_gemm.toml.
#include "opgen/torch.h"

#include "grouped_gemm_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const GroupedGemmArgs*) noexcept>
Owned grouped_gemm(Tensor a_, Tensor b_, Tensor offsets_, bool trans_b_) {
  const char* op = "grouped_gemm";
  const opgen::torch::Input a(op, "a", a_);
  const opgen::torch::Input b(op, "b", b_);
  const opgen::torch::Input offsets(op, "offsets", offsets_);
  const auto device = opgen::torch::device_of(op, {&a, &b, &offsets});
  const GroupedGemmCall call(a.buffer, b.buffer, offsets.buffer, trans_b_);
  const Context ctx(device);
  Output c(call.c(), device);
  const GroupedGemmDescriptor desc = call.descriptor();
  const GroupedGemmArgs args{&desc, &ctx, c.buffer, a.buffer, b.buffer, offsets.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return c.tensor();
}

template <class Context, opgen::Status (*kernel)(const GroupedGemmWgradArgs*) noexcept>
Owned grouped_gemm_wgrad(Tensor a_, Tensor dc_, Tensor offsets_, bool trans_b_) {
  const char* op = "grouped_gemm_wgrad";
  const opgen::torch::Input a(op, "a", a_);
  const opgen::torch::Input dc(op, "dc", dc_);
  const opgen::torch::Input offsets(op, "offsets", offsets_);
  const auto device = opgen::torch::device_of(op, {&a, &dc, &offsets});
  const GroupedGemmWgradCall call(a.buffer, dc.buffer, offsets.buffer, trans_b_);
  const Context ctx(device);
  Output db(call.db(), device);
  const GroupedGemmWgradDescriptor desc = call.descriptor();
  const GroupedGemmWgradArgs args{&desc, &ctx, db.buffer, a.buffer, dc.buffer, offsets.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return db.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("grouped_gemm(Tensor a, Tensor b, Tensor offsets, bool trans_b=False) -> (Tensor c)");
  m.def("grouped_gemm_wgrad(Tensor a, Tensor dc, Tensor offsets, bool trans_b) -> (Tensor db)");
}
