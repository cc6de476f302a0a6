#include "kernel_suite.h"
#include "relu_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T) {
  Made x({shape.rows, shape.columns}, T, shape.offset);
  const ReluCall call(x.fill(1).buffer);
  Made y(call.y_());
  const ReluDescriptor desc = call.descriptor();
  const ReluArgs args{&desc, &context, y.buffer, x.buffer};
  show("relu", generated_relu_cpu(&args), {&y});
  if (T == ElementType::I8) return;

  Made dy({shape.rows, shape.columns}, T, shape.offset);
  const ReluBwdCall back(dy.fill(2).buffer, y.buffer);
  Made dx(back.dx_());
  const ReluBwdDescriptor told = back.descriptor();
  const ReluBwdArgs given{&told, &context, dx.buffer, dy.buffer, y.buffer};
  show("relu_bwd", generated_relu_bwd_cpu(&given), {&dx});
}

static const Family family("relu", [](const Shape& shape) {
  for (ElementType T : floats) run(shape, T);
  run(shape, ElementType::I8);
});
