// The nms family in PyTorch, through its stable ABI.
// Rendered by opgen from nms.toml.
#include "opgen/torch.h"

#include "nms_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const NmsArgs*) noexcept>
std::tuple<Owned, Owned> nms(Tensor boxes_, Tensor scores_, double iou_) {
  const char* op = "nms";
  const opgen::torch::Input boxes(op, "boxes", boxes_);
  const opgen::torch::Input scores(op, "scores", scores_);
  const auto device = opgen::torch::device_of(op, {&boxes, &scores});
  const NmsCall call(boxes.buffer, scores.buffer, iou_);
  const Context ctx(device);
  Output keep(call.keep(), device);
  Output count(call.count(), device);
  const Output mask(call.mask(), device);
  const NmsDescriptor desc = call.descriptor();
  const NmsArgs args{&desc, &ctx, keep.buffer, count.buffer, mask.buffer, boxes.buffer,
                     scores.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {keep.tensor(), count.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("nms(Tensor boxes, Tensor scores, float iou=0.5) -> (Tensor keep, Tensor count)");
}
