// The quantize_fp8 family in PyTorch, through its stable ABI.
// Rendered by opgen from quantize_fp8.toml.
#include "opgen/torch.h"

#include "quantize_fp8_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const QuantizeFp8Args*) noexcept>
std::tuple<Owned, Owned> quantize_fp8(Tensor x_, int64_t block_, opgen::torch::DType out_dtype_,
                                      bool column_major_, double floor_) {
  const char* op = "quantize_fp8";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const QuantizeFp8Call call(x.buffer, block_,
                             opgen::torch::from_torch(out_dtype_, op, "out_dtype"), column_major_,
                             floor_);
  const Context ctx(device);
  Output q(call.q(), device);
  Output scale(call.scale(), device);
  const QuantizeFp8Descriptor desc = call.descriptor();
  const QuantizeFp8Args args{&desc, &ctx, q.buffer, scale.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q.tensor(), scale.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("quantize_fp8(Tensor x, SymInt block, ScalarType out_dtype, bool column_major=False, float floor=1e-10) -> (Tensor q, Tensor scale)");
}
