#include "kernel_suite.h"
#include "rms_norm_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType W) {
  Made x({shape.rows, shape.columns}, T, shape.offset), weight({shape.columns}, W, shape.offset);
  Made dy({shape.rows, shape.columns}, W, shape.offset);
  const RmsNormCall call(x.fill(1).buffer, weight.fill(2).buffer, 1e-5);
  Made y(call.y_()), invvar(call.invvar_());
  const RmsNormDescriptor desc = call.descriptor();
  const RmsNormArgs args{&desc, &context, y.buffer, invvar.buffer, x.buffer, weight.buffer};
  show("rms_norm", generated_rms_norm_cpu(&args), {&y, &invvar});

  const RmsNormBwdCall back(dy.fill(3).buffer, invvar.buffer, x.buffer, weight.buffer, 1e-5);
  Made dx(back.dx_()), dweight(back.dweight_()), part_grad(back.part_grad_());
  const RmsNormBwdDescriptor told = back.descriptor();
  const RmsNormBwdArgs given{&told,     &context,      dx.buffer, dweight.buffer, part_grad.buffer,
                             dy.buffer, invvar.buffer, x.buffer,  weight.buffer};
  show("rms_norm_bwd", generated_rms_norm_bwd_cpu(&given), {&dx, &dweight});
}

static const Family family("rms_norm", [](const Shape& shape) {
  for (ElementType T : floats) {
    for (ElementType W : floats) run(shape, T, W);
  }
});
