// The nms family in PyTorch, through its stable ABI.
// Rendered by opgen from nms.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "nms_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const NmsArgs*) noexcept>
std::tuple<Owned, Owned> nms_(Tensor boxes_in, Tensor scores_in, double iou_in) {
  const char* op = "nms";
  const opgen::torch::Input boxes_(op, "boxes", boxes_in);
  const opgen::torch::Input scores_(op, "scores", scores_in);
  const auto device = opgen::torch::device_of(op, {&boxes_, &scores_});
  const NmsCall call(boxes_.buffer, scores_.buffer, iou_in);
  const Context ctx(device);
  Output keep_(call.keep_(), device);
  Output count_(call.count_(), device);
  const Output sorted_(call.sorted_(), device);
  const Output dropped_(call.dropped_(), device);
  const NmsDescriptor desc = call.descriptor();
  const NmsArgs args{&desc, &ctx, keep_.buffer, count_.buffer, sorted_.buffer, dropped_.buffer,
                     boxes_.buffer, scores_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {keep_.tensor(), count_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("nms(Tensor boxes, Tensor scores, float iou=0.5) -> (Tensor keep, Tensor count)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["nms"] = 0x0d5e15ad1e6b;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "nms", ways<&nms_<CpuContext, generated_nms_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "nms", ways<&nms_<CudaContext, generated_nms_cuda>>);
}
#endif
#endif
