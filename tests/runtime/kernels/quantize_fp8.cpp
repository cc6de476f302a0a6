#include "kernel_suite.h"
#include "quantize_fp8_call.h"

using namespace generated;
using namespace suite;

static const Family family("quantize_fp8", [](const Shape& shape) {
  for (ElementType T : {ElementType::F32, ElementType::BF16, ElementType::F16}) {
    for (ElementType Q : {ElementType::F8E4M3, ElementType::F8E5M2}) {
      const bool columns_first = Q == ElementType::F8E4M3;
      Made x({shape.rows, shape.columns / 64 * 64}, T, shape.offset);
      const QuantizeFp8Call call(x.fill(1).buffer, Q, 64, columns_first, 1e-10);
      Made q(call.q_()), scale(call.scale_());
      if (columns_first) {
        scale.strides = {1, shape.rows};
        scale.buffer.strides = scale.strides.data();
      }
      const QuantizeFp8Descriptor desc = call.descriptor();
      const QuantizeFp8Args args{&desc, &context, q.buffer, scale.buffer, x.buffer};
      show("quantize_fp8", generated_quantize_fp8_cpu(&args), {&q, &scale});
    }
  }
});
