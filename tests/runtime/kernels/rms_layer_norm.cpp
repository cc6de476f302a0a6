#include "kernel_suite.h"
#include "rms_layer_norm_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType W, bool cast_first) {
  const int64_t columns[] = {shape.columns};
  Made x({shape.rows, shape.columns}, T, shape.offset), weight({shape.columns}, W, shape.offset);
  weight.fill(2);
  const RmsLayerNormCall call(x.fill(1).buffer, weight.buffer, opgen::Sizes(columns, 1), 1e-5, 1.0,
                              cast_first);
  Made y(call.y_()), rstd(call.rstd_());
  const RmsLayerNormDescriptor desc = call.descriptor();
  const RmsLayerNormArgs args{&desc, &context, y.buffer, rstd.buffer, x.buffer, weight.buffer};
  show("rms_layer_norm", generated_rms_layer_norm_cpu(&args), {&y, &rstd});

  Made dy(call.y_());
  const RmsLayerNormBwdCall back(dy.fill(3).buffer, x.buffer, rstd.buffer, weight.buffer, 1e-5, 1.0,
                                 cast_first);
  Made dx(back.dx_()), dweight(back.dweight_()), part_grad(back.part_grad_());
  const RmsLayerNormBwdDescriptor told = back.descriptor();
  const RmsLayerNormBwdArgs given{&told,          &context,         dx.buffer,
                                  dweight.buffer, part_grad.buffer, dy.buffer,
                                  x.buffer,       rstd.buffer,      weight.buffer};
  show("rms_layer_norm_bwd", generated_rms_layer_norm_bwd_cpu(&given), {&dx, &dweight});
}

static const Family family("rms_layer_norm", [](const Shape& shape) {
  for (ElementType T : floats) {
    for (bool cast_first : {false, true}) {
      run(shape, T, T, cast_first);
      run(shape, T, ElementType::F32, cast_first);
    }
  }
});
