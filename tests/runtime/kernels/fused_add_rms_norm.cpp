#include "fused_add_rms_norm_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T) {
  Made x({shape.rows, shape.columns + 3}, T, shape.offset);  // with gaps between its rows
  Made residual({shape.rows, shape.columns}, T, shape.offset);
  Made weight({shape.columns}, T, shape.offset);
  x.fill(1);
  x.sizes[1] = shape.columns;
  residual.fill(2);
  const FusedAddRmsNormCall call(x.buffer, residual.buffer, weight.fill(3).buffer, 1e-6);
  Made y(call.y_());
  const FusedAddRmsNormDescriptor desc = call.descriptor();
  const FusedAddRmsNormArgs args{&desc,    &context,        y.buffer,
                                 x.buffer, residual.buffer, weight.buffer};
  show("fused_add_rms_norm", generated_fused_add_rms_norm_cpu(&args), {&y, &residual});
}

static void quantised(const Shape& shape, ElementType T, ElementType Q, bool dynamic, bool bound) {
  const int64_t columns = (shape.columns + 7) / 8 * 8;
  Made x({shape.rows, columns}, T, shape.offset), residual({shape.rows, columns}, T, shape.offset);
  Made weight({columns}, T, shape.offset), scale({}, ElementType::F32);
  residual.fill(2);
  scale.set(0, 0.02);
  const Buffer given = dynamic ? Buffer{} : scale.buffer, most = bound ? scale.buffer : Buffer{};
  const FusedAddRmsNormQuantCall call(x.fill(1).buffer, residual.buffer, weight.fill(3).buffer,
                                      given, most, Q, 1e-6, dynamic);
  Made y(call.y_()), y_scale(call.y_scale_());
  const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
  const FusedAddRmsNormQuantArgs args{&desc,          &context, y.buffer,
                                      y_scale.buffer, x.buffer, residual.buffer,
                                      weight.buffer,  given,    most};
  const opgen::Status status = generated_fused_add_rms_norm_quant_cpu(&args);
  show("fused_add_rms_norm_quant", status, {&y, &y_scale, &residual});
}

static const Family family("fused_add_rms_norm", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T);
    for (ElementType Q : {ElementType::F8E4M3, ElementType::F8E5M2}) {
      quantised(shape, T, Q, false, false);
      quantised(shape, T, Q, true, false);
      quantised(shape, T, Q, true, true);
    }
  }
});
