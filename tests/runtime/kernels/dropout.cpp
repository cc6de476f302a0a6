#include "dropout_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static const Family family("dropout", [](const Shape& shape) {
  for (ElementType T : {ElementType::F32, ElementType::BF16, ElementType::F16}) {
    Made x({shape.rows, shape.columns}, T, shape.offset);
    Made seed({}, ElementType::I64), offset({}, ElementType::I64);
    *static_cast<int64_t*>(seed.buffer.data) = -3;
    *static_cast<int64_t*>(offset.buffer.data) = int64_t{1} << 40;
    const DropoutCall call(x.fill(1).buffer, seed.buffer, offset.buffer, 0.25);
    Made y(call.y_());
    const DropoutDescriptor desc = call.descriptor();
    const DropoutArgs args{&desc, &context, y.buffer, x.buffer, seed.buffer, offset.buffer};
    show("dropout", generated_dropout_cpu(&args), {&y});
  }
});
