#include "kernel_suite.h"
#include "nms_call.h"

using namespace generated;
using namespace suite;

static const Family family("nms", [](const Shape& shape) {
  for (double iou : {0.0, 0.5}) {
    const int64_t n = shape.rows * 7;
    Made boxes({n, 4}, ElementType::F32, shape.offset), scores({n}, ElementType::F32, shape.offset);
    const NmsCall call(boxes.fill(1).buffer, scores.fill(2).buffer, iou);
    Made keep(call.keep_()), count(call.count_()), sorted(call.sorted_()), dropped(call.dropped_());
    const NmsDescriptor desc = call.descriptor();
    const NmsArgs args{&desc,         &context,       keep.buffer,  count.buffer,
                       sorted.buffer, dropped.buffer, boxes.buffer, scores.buffer};
    show("nms", generated_nms_cpu(&args), {&keep, &count});
  }
});
